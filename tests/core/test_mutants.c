/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Is anybody watching? Every field of every cell of the reader's table gets every other value it
 * can have, and every successor is allowed or forbidden the other way round, one at a time. Each
 * mutant must be killed by a check that has a name; a survivor fails, and is told.
 *
 * Checks are of two kinds: of the table alone, and stories that a whole reactor lives through on a
 * fake kernel, whose journal must not change. Stories can only notice what happens in them; what
 * they miss is told, too.
 *
 *     EDGEWISE_MUTANTS=1 build/tests/core/test_mutants      lists each mutant with its killers
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/os_fault.h"
#include "core/os_record.h"
#include "tests/core/reader_table.h"
#include "tests/support/bed.h"

/* --- Checks of the table alone: how many times the rules break each --- */

static bool steps(const struct reader_cell *cell)
{
    return cell->verdict == READER_STEP;
}

static bool alive(unsigned state)
{
    return state != READER_FINISHED && state != READER_FAILED;
}

#define EACH_CELL(state, event)                                     \
    for (unsigned state = 0; state < READER_STATE_COUNT; state++)   \
        for (unsigned event = 0; event < READER_EVENT_COUNT; event++)

/* R-ST-05: only EAGAIN withdraws the hint, and what ends the direction. */
static unsigned only_exhaustion_and_ends_clear_the_hint(const struct reader_rules *rules)
{
    unsigned broken = 0;

    EACH_CELL(state, event) {
        const struct reader_cell *cell = &rules->cell[state][event];
        bool may = event == READER_EXHAUSTED || event == READER_RELEASE_NO_HINT ||
                   event == READER_CLOSE || !alive(cell->next);

        broken += steps(cell) && alive(state) && cell->hint == READER_HINT_CLEAR && !may;
    }
    return broken;
}

/* R-Q-01, R-Q-02: who becomes QUEUED is pushed, who leaves is taken out, nobody else is touched. */
static unsigned the_queue_follows_the_state(const struct reader_rules *rules)
{
    unsigned broken = 0;

    EACH_CELL(state, event) {
        const struct reader_cell *cell = &rules->cell[state][event];
        bool before = state == READER_QUEUED;
        bool after = steps(cell) ? cell->next == READER_QUEUED : before;
        unsigned wanted = READER_QUEUE_KEEP;

        if (!before && after)
            wanted = READER_QUEUE_PUSH;
        else if (before && !after)
            wanted = event == READER_DISPATCH ? READER_QUEUE_POP : READER_QUEUE_REMOVE;
        broken += cell->queue != wanted;
    }
    return broken;
}

/* R-ST-13: nothing but a close happens to a direction that has ended. */
static unsigned an_end_is_final(const struct reader_rules *rules)
{
    unsigned broken = 0;

    EACH_CELL(state, event)
        broken += !alive(state) && steps(&rules->cell[state][event]) != (event == READER_CLOSE);
    return broken;
}

/* R-ST-14: giving way, missing input and missing room leave three different states. */
static unsigned three_stops_are_told_apart(const struct reader_rules *rules)
{
    static const struct {
        enum reader_event event;
        enum reader_state next;
    } stops[] = {
        {READER_YIELD_ROOM, READER_QUEUED},
        {READER_EXHAUSTED, READER_WAITING},
        {READER_YIELD_NO_ROOM, READER_PAUSED},
        {READER_NO_GRANT, READER_PAUSED},
    };
    unsigned broken = 0;

    for (size_t i = 0; i < sizeof(stops) / sizeof(*stops); i++) {
        struct reader reader = reader_in(READER_RUNNING, true);

        (void)reader_step(rules, &reader, stops[i].event);
        broken += reader.state != stops[i].next;
    }
    return broken;
}

/* R-ST-19: the pairs of state and hint that can be reached are the six that may be. */
static unsigned exactly_six_pairs_are_reachable(const struct reader_rules *rules)
{
    bool seen[READER_STATE_COUNT][2] = {{false}};
    struct reader open[2 * READER_STATE_COUNT];
    size_t head = 0, tail = 0;
    unsigned broken = 0;

    reader_init(&open[tail++]);
    seen[READER_WAITING][0] = true;
    for (; head < tail; head++)
        for (unsigned event = 0; event < READER_EVENT_COUNT; event++) {
            struct reader reader = open[head];
            const struct reader_cell *cell;

            if (!may_happen(&reader, event))
                continue;
            cell = apply(rules, &reader, event);
            if (!steps(cell) || cell->next == READER_GONE || seen[reader.state][reader.hint])
                continue;
            seen[reader.state][reader.hint] = true;
            broken += !reader_check(&reader);
            open[tail++] = reader;
        }
    return broken + (tail < READER_STATE_COUNT);
}

/* --- Stories: what a reactor with the rules does --- */

static struct os_fault fault;
static struct os_record record;

static void go(struct bed *bed)
{
    for (unsigned before = bed->kernel.sleeps, i = 0; i < 60 && bed->kernel.sleeps == before; i++)
        if (reactor_round(bed->r) != 1)
            return;
}

static void arrive(struct bed *bed, int fd, const char *bytes, size_t size)
{
    fake_os_arrive(&bed->kernel, fd, bytes, size);
    go(bed);
}

#define ARRIVE(bed, fd, text) arrive(bed, fd, text, sizeof(text) - 1)

/* W1. */
static void six_quanta(struct bed *bed)
{
    int a, b;

    (void)bed_adopt(bed, &a);
    (void)bed_adopt(bed, &b);
    fake_os_arrive(&bed->kernel, a, "abcdef", 6);
    ARRIVE(bed, b, "XY");
    ARRIVE(bed, b, "Z");
}

/* W6. */
static void one_frame_per_quantum(struct bed *bed)
{
    int c;
    struct identity id = bed_adopt(bed, &c);

    ARRIVE(bed, c, "\0");
    ARRIVE(bed, c, "\3CA");
    ARRIVE(bed, c, "T\0\2OK");
    ARRIVE(bed, c, "\0\1!");
    (void)reactor_release(bed->r, id, 1);
    go(bed);
    (void)reactor_release(bed->r, id, 1);
    go(bed);
    fake_os_fin(&bed->kernel, c);
    go(bed);
    (void)reactor_release(bed->r, id, 1);
    go(bed);
    fake_os_fin(&bed->kernel, c);
    go(bed);
}

/* Every way in which a direction ends, each told again afterwards. */
static void ends(struct bed *bed)
{
    static const char *const last[] = {"", "\0", "\0\3A", "\0\4", "\0\1x"};

    for (size_t i = 0; i < sizeof(last) / sizeof(*last); i++) {
        size_t size = i < 4 ? i : 3;
        int c;

        (void)bed_adopt(bed, &c);
        if (size > 0)
            arrive(bed, c, last[i], i == 3 ? 2 : size);
        if (i == 4)
            fake_os_rst(&bed->kernel, c);
        else
            fake_os_fin(&bed->kernel, c);
        go(bed);
        fake_os_fin(&bed->kernel, c);
        go(bed);
    }
}

static void interrupted_and_short(struct bed *bed)
{
    int a;

    (void)bed_adopt(bed, &a);
    (void)os_fault_add(&fault, &(struct os_fault_rule){
                                   .call = OS_FAULT_READ, .fd = a, .error = EINTR, .times = 3});
    ARRIVE(bed, a, "ab");
    fake_os_rst(&bed->kernel, a);
    go(bed);
}

static void close_it(struct bed *bed, struct identity id)
{
    (void)reactor_close(bed->r, id);
}

/* Closed while it waits, is queued, runs, is paused, has finished, has failed. */
static void closed_in_every_state(struct bed *bed)
{
    struct identity id[6];
    int fd[6];

    for (size_t i = 0; i < 6; i++)
        id[i] = bed_adopt(bed, &fd[i]);
    ARRIVE(bed, fd[3], "\0\3CAT\0\2OK");
    fake_os_fin(&bed->kernel, fd[4]);
    go(bed);
    ARRIVE(bed, fd[5], "\0\4");
    for (size_t i = 3; i < 6; i++)
        (void)reactor_close(bed->r, id[i]);
    (void)reactor_close(bed->r, id[0]);
    bed->on_frame = close_it;
    fake_os_arrive(&bed->kernel, fd[2], "\0\1x", 3);
    fake_os_arrive(&bed->kernel, fd[1], "\0\1y", 3);
    (void)reactor_round(bed->r);
    (void)reactor_close(bed->r, id[1]);
    go(bed);
}

/* A notice for d comes when e has its number. */
static void stale(struct bed *bed)
{
    struct identity id;
    int d, e;

    id = bed_adopt(bed, &d);
    (void)os_fault_hold(&fault, d, identity_pack(id));
    ARRIVE(bed, d, "a");
    (void)reactor_close(bed->r, id);
    (void)bed_adopt(bed, &e);
    ARRIVE(bed, e, "b");
    ARRIVE(bed, e, "c");
}

enum form { RAW, FRAMED };

static const struct story {
    const char *name;
    void (*tell)(struct bed *bed);
    enum form form;
    enum reactor_trigger trigger;
} stories[] = {
    {"six_quanta_et", six_quanta, RAW, REACTOR_ET},
    {"six_quanta_lt", six_quanta, RAW, REACTOR_LT},
    {"six_quanta_os", six_quanta, RAW, REACTOR_OS},
    {"one_frame_per_quantum_et", one_frame_per_quantum, FRAMED, REACTOR_ET},
    {"one_frame_per_quantum_lt", one_frame_per_quantum, FRAMED, REACTOR_LT},
    {"ends", ends, FRAMED, REACTOR_ET},
    {"interrupted_and_short", interrupted_and_short, RAW, REACTOR_ET},
    {"closed_in_every_state", closed_in_every_state, FRAMED, REACTOR_ET},
    {"stale", stale, RAW, REACTOR_ET},
};

#define STORY_COUNT (sizeof(stories) / sizeof(*stories))
#define RECORDS 2048
#define SIDE 8192

/* A journal as it was, from the good rules. */
static struct journal *good[STORY_COUNT];

static struct journal *tell(const struct story *story, const struct reader_rules *rules)
{
    struct journal *journal =
        journal_init(aligned_alloc(64, (journal_size(RECORDS, SIDE) + 63) / 64 * 64), RECORDS,
                     SIDE);
    struct bed *bed = story->form == RAW ? bed_new() : bed_new_framed();
    struct os os = os_fault_wrap(&fault, fake_os_table(&bed->kernel));

    bed->config.rules = rules;
    bed->config.trigger = story->trigger;
    bed->config.journal = journal;
    if (reactor_open(&bed->config, os_record_wrap(&record, os, journal), &bed->r) < 0)
        abort();
    story->tell(bed);
    bed_free(bed);
    return journal;
}

static bool same_journal(const struct journal *a, const struct journal *b)
{
    if (a->count != b->count || a->side_used != b->side_used)
        return false;
    for (uint64_t i = 0; i < a->count; i++) {
        const struct journal_record *one = journal_at(a, i), *other = journal_at(b, i);
        size_t size, other_size;
        const uint8_t *bytes = journal_bytes(a, one, &size);
        const uint8_t *other_bytes = journal_bytes(b, other, &other_size);

        if (memcmp(one, other, sizeof(*one)) != 0 || size != other_size ||
            (size > 0 && memcmp(bytes, other_bytes, size) != 0))
            return false;
    }
    return true;
}

/* Bits of the stories that notice, in memory that outlives whoever an assertion ends. */
static _Atomic unsigned *noticed;

/* From story `first` on; each is taken for noticed until it has come to a good end. */
static _Noreturn void live_through(const struct reader_rules *rules, unsigned first)
{
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

    (void)dup2(null, STDERR_FILENO);
    for (unsigned i = first; i < STORY_COUNT; i++) {
        struct journal *journal;

        *noticed |= 1u << i;
        journal = tell(&stories[i], rules);
        if (same_journal(journal, good[i]))
            *noticed &= ~(1u << i);
        free(journal);
    }
    _exit(0);
}

/* The last story that was begun. */
static unsigned last_noticed(void)
{
    unsigned last = 0;

    for (unsigned i = 0; i < STORY_COUNT; i++)
        if (*noticed & 1u << i)
            last = i;
    return last;
}

static unsigned who_notices(const struct reader_rules *rules)
{
    unsigned first = 0;

    *noticed = 0;
    while (first < STORY_COUNT) {
        pid_t child = fork();
        int status;

        assert_true(child >= 0);
        if (child == 0)
            live_through(rules, first);
        assert_int_equal(waitpid(child, &status, 0), child);
        if (WIFEXITED(status))
            break;
        first = last_noticed() + 1;
    }
    return *noticed;
}

/* --- Mutants --- */

static const struct check {
    const char *name;
    unsigned (*broken)(const struct reader_rules *rules);
} checks[] = {
#define CHECK(name) {#name, name}
    {"every_cell_is_the_requirements", walk_cells},
    {"every_successor_is_the_requirements", walk_successors},
    CHECK(only_exhaustion_and_ends_clear_the_hint),
    CHECK(the_queue_follows_the_state),
    CHECK(an_end_is_final),
    CHECK(three_stops_are_told_apart),
    CHECK(exactly_six_pairs_are_reachable),
#undef CHECK
};

#define CHECK_COUNT (sizeof(checks) / sizeof(*checks))
#define KILLERS (CHECK_COUNT + STORY_COUNT)

struct tally {
    unsigned mutants;
    unsigned survivors;
    unsigned by_story;
    unsigned kills[KILLERS];
    bool aloud;
};

static const char *killer_name(size_t killer)
{
    return killer < CHECK_COUNT ? checks[killer].name : stories[killer - CHECK_COUNT].name;
}

static unsigned killers_of(const struct reader_rules *mutant)
{
    unsigned killers = who_notices(mutant) << CHECK_COUNT;

    for (size_t i = 0; i < CHECK_COUNT; i++)
        if (checks[i].broken(mutant) != 0)
            killers |= 1u << i;
    return killers;
}

/* `name` is what was changed: "RUNNING YIELD_ROOM: next WAITING". */
static void try_mutant(struct tally *tally, const struct reader_rules *mutant, const char *name)
{
    unsigned killers = killers_of(mutant);

    tally->mutants++;
    tally->survivors += killers == 0;
    tally->by_story += killers >> CHECK_COUNT != 0;
    if (killers == 0)
        print_error("survives: %s\n", name);
    if (tally->aloud)
        print_message("%s:", name);
    for (size_t i = 0; i < KILLERS; i++) {
        if (!(killers & 1u << i))
            continue;
        tally->kills[i]++;
        if (tally->aloud)
            print_message(" %s", killer_name(i));
    }
    if (tally->aloud)
        print_message("\n");
}

/* Gives `field`, which lies in `mutant`, every other value that has a word. */
static void mutate(struct tally *tally, const struct reader_rules *mutant, const char *place,
                   const char *title, uint8_t *field, const char *const *words, unsigned count)
{
    uint8_t was = *field;

    for (unsigned value = 0; value < count; value++) {
        char name[128];

        if (value == was)
            continue;
        *field = (uint8_t)value;
        (void)snprintf(name, sizeof(name), "%s: %s %s", place, title, words[value]);
        try_mutant(tally, mutant, name);
    }
    *field = was;
}

static const char *const verdict_words[] = {"step", "ignore", "illegal"};

static void mutate_cell(struct tally *tally, struct reader_rules *mutant, unsigned state,
                        unsigned event)
{
    struct reader_cell *cell = &mutant->cell[state][event];
    char place[64];

    (void)snprintf(place, sizeof(place), "%s %s", state_words[state], event_words[event]);
#define MUTATE(field, words) \
    mutate(tally, mutant, place, #field, &cell->field, words, WORD_COUNT(words))
    MUTATE(verdict, verdict_words);
    MUTATE(next, state_words);
    MUTATE(hint, hint_words);
    MUTATE(queue, queue_words);
    MUTATE(outcome, outcome_words);
#undef MUTATE
}

static void conclude(const struct tally *tally)
{
    print_message("%u mutants, %u survive; %u of them are noticed by a story, too\n",
                  tally->mutants, tally->survivors, tally->by_story);
    for (size_t i = 0; i < KILLERS; i++)
        print_message("  %5u killed by %s\n", tally->kills[i], killer_name(i));
    assert_int_equal(tally->survivors, 0);
    assert_true(tally->by_story > 0);
}

static void every_changed_cell_is_killed_by_a_named_check(void **state)
{
    struct reader_rules mutant = reader_rules;
    struct tally tally = {.aloud = getenv("EDGEWISE_MUTANTS") != NULL};
    size_t each = WORD_COUNT(verdict_words) + WORD_COUNT(state_words) + WORD_COUNT(hint_words) +
                  WORD_COUNT(queue_words) + WORD_COUNT(outcome_words) - 5;

    (void)state;
    EACH_CELL(s, e)
        mutate_cell(&tally, &mutant, s, e);
    assert_int_equal(tally.mutants, READER_STATE_COUNT * READER_EVENT_COUNT * each);
    assert_memory_equal(&mutant, &reader_rules, sizeof(mutant));
    conclude(&tally);
}

static void every_changed_successor_is_killed_by_a_named_check(void **state)
{
    struct reader_rules mutant = reader_rules;
    struct tally tally = {.aloud = getenv("EDGEWISE_MUTANTS") != NULL};

    (void)state;
    for (size_t from = 0; from < READER_STATE_COUNT; from++)
        for (size_t to = 0; to <= READER_GONE; to++) {
            uint8_t bit = (uint8_t)(1u << to);
            char name[96];

            mutant.successors[from] ^= bit;
            (void)snprintf(name, sizeof(name), "%s -> %s: %s", state_words[from], state_words[to],
                           mutant.successors[from] & bit ? "allowed" : "forbidden");
            try_mutant(&tally, &mutant, name);
            mutant.successors[from] ^= bit;
        }
    assert_int_equal(tally.mutants, READER_STATE_COUNT * (READER_GONE + 1));
    conclude(&tally);
}

/* Else every mutant would look killed. */
static void the_good_rules_pass_every_check(void **state)
{
    (void)state;
    for (size_t i = 0; i < CHECK_COUNT; i++)
        if (checks[i].broken(&reader_rules) != 0)
            fail_msg("%s", checks[i].name);
    assert_int_equal(who_notices(&reader_rules), 0);
}

static int prepare(void **state)
{
    void *shared = mmap(NULL, sizeof(*noticed), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                        -1, 0);

    if (shared == MAP_FAILED)
        return -1;
    noticed = shared;
    for (size_t i = 0; i < STORY_COUNT; i++)
        good[i] = tell(&stories[i], &reader_rules);
    return parse_requirement(state);
}

static int clean_up(void **state)
{
    (void)state;
    for (size_t i = 0; i < STORY_COUNT; i++)
        free(good[i]);
    return munmap((void *)(uintptr_t)noticed, sizeof(*noticed));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_good_rules_pass_every_check),
        cmocka_unit_test(every_changed_cell_is_killed_by_a_named_check),
        cmocka_unit_test(every_changed_successor_is_killed_by_a_named_check),
    };

    return cmocka_run_group_tests(tests, prepare, clean_up) != 0;
}
