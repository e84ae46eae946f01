/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/support/story.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECORDS 4096
#define SIDE    65536
#define WORDS   40

struct words {
    char text[512];
    char *word[WORDS];
    int count;
};

/* Splits at blanks outside quotes. */
static void split(const char *row, struct words *words)
{
    bool quoted = false, inside = false;

    assert(strlen(row) < sizeof(words->text));
    memcpy(words->text, row, strlen(row) + 1);
    words->count = 0;
    for (char *at = words->text; *at; at++) {
        if (*at == '"')
            quoted = !quoted;
        if (*at == ' ' && !quoted) {
            *at = '\0';
            inside = false;
        } else if (!inside) {
            assert(words->count < WORDS);
            words->word[words->count++] = at;
            inside = true;
        }
    }
}

static bool is(const struct words *words, int i, const char *text)
{
    return i < words->count && strcmp(words->word[i], text) == 0;
}

/* The text behind `key=`, NULL without such a word. */
static const char *value_of(const struct words *words, const char *key)
{
    size_t length = strlen(key);

    for (int i = 0; i < words->count; i++)
        if (strncmp(words->word[i], key, length) == 0 && words->word[i][length] == '=')
            return words->word[i] + length + 1;
    return NULL;
}

/* The value of `text` in a list of names, -1 when it is none of them. */
static int number_in(const char *const *names, int count, const char *text)
{
    for (int i = 0; i < count; i++)
        if (names[i] && strcmp(names[i], text) == 0)
            return i;
    return -1;
}

static int error_of(const char *name)
{
    for (int error = 1; error < 134; error++)
        if (strerrorname_np(error) && strcmp(strerrorname_np(error), name) == 0)
            return error;
    return 0;
}

uint32_t story_peer(const struct story *story, const char *name)
{
    for (uint32_t i = 0; i < story->plan.peer_count; i++)
        if (strcmp(story->names[i], name) == 0)
            return i;
    return PLAN_NOBODY;
}

/* The listener has slot 0, the peers those behind it. */
static struct identity identity_of_name(const struct story *story, const char *name)
{
    uint32_t peer = story_peer(story, name);

    return (struct identity){peer == PLAN_NOBODY ? 0 : peer + 1, 1};
}

void story_begin(struct story *story, enum reactor_trigger trigger, const char *peers)
{
    struct words words;

    *story = (struct story){.now = {0}};
    split(peers, &words);
    assert(words.count <= STORY_PEERS);
    for (int i = 0; i < words.count; i++) {
        (void)snprintf(story->names[i], sizeof(story->names[i]), "%s", words.word[i]);
        story->peers[i].name = story->names[i];
        story->sources[i] = (uint32_t)i;
        story->got[i] = (struct happened_peer){
            .peer = (uint32_t)i, .connected = true, .saw = PLAN_SAW_FIN};
    }
    story->plan = (struct plan){.file = "x.scn",
                                .name = "x",
                                .triggers = 7,
                                .format = {.header = 2, .payload_max = 3},
                                .capacity = 9,
                                .requeue = true,
                                .tolerance = DURATION_MS(2),
                                .peers = story->peers,
                                .peer_count = (uint32_t)words.count,
                                .statements = story->statements,
                                .expects = story->expects};
    story->journal = aligned_alloc(64, (journal_size(RECORDS, SIDE) + 63) / 64 * 64);
    assert(story->journal);
    journal_init(story->journal, RECORDS, SIDE);
    story->happened = (struct happened){.plan = &story->plan,
                                        .trigger = trigger,
                                        .journal = story->journal,
                                        .sources = story->sources,
                                        .source_count = (uint32_t)words.count,
                                        .actions = story->actions,
                                        .peers = story->got,
                                        .peer_count = (uint32_t)words.count};
}

void story_end(struct story *story)
{
    free(story->journal);
    lines_free(&story->happened.left_over);
    lines_free(&story->happened.notes);
}

void story_at(struct story *story, int64_t ms)
{
    story->now = (struct instant){ms * 1000000};
}

static unsigned bits_from(const struct words *words, int first)
{
    static const char *const names[] = {"IN", "OUT", "RDHUP", "ERR", "HUP", "ET", "ONESHOT"};
    unsigned bits = 0;

    for (int i = first; i < words->count; i++) {
        const char *name = words->word[i] + strspn(words->word[i], "+-");
        int bit = number_in(names, 7, name);

        if (bit >= 0)
            bits |= 1u << bit;
    }
    return bits;
}

static void side(struct story *story, struct journal_record *record, const void *bytes, size_t size)
{
    record->side_at = journal_side_mark(story->journal);
    record->side_length = (uint32_t)size;
    journal_side(story->journal, bytes, size);
}

/* Credit of the row, else what the source had before. */
static void put_credit(struct story *story, const struct words *words,
                       struct journal_record *record)
{
    struct story_credit *credit = &story->credits[record->subject.slot - 1];
    const char *text = value_of(words, "credit");

    if (text)
        assert(sscanf(text, "%u+%u", &credit->used, &credit->reserved) == 2);
    record->credit.used = credit->used;
    record->credit.reserved = credit->reserved;
}

static void put_queue(struct story *story, const struct words *words, struct journal_record *record)
{
    uint64_t queue[STORY_PEERS];
    const char *at = value_of(words, "queue");
    char name[32];
    int length;

    assert(at && *at == '[');
    for (at++; sscanf(at, "%31[^],]%n", name, &length) == 1; at += *at == ',') {
        queue[record->number++] = identity_pack(identity_of_name(story, name));
        at += length;
    }
    side(story, record, queue, record->number * sizeof(*queue));
}

static void put_state(struct story *story, const struct words *words, struct journal_record *record)
{
    static const char *const states[] = {
#define X(name) #name,
        READER_STATES(X)
#undef X
    };
    const char *hint = value_of(words, "hint");
    const char *unread = value_of(words, "unread");

    for (int i = 0; i < words->count; i++) {
        int state = number_in(states, READER_STATE_COUNT, words->word[i]);

        if (state >= 0)
            record->state = (uint8_t)state;
    }
    assert(hint);
    if (*hint == '1')
        record->flags |= JOURNAL_FLAG_HINT;
    record->unread = unread ? (int32_t)strtol(unread, NULL, 10) : JOURNAL_UNREAD_UNKNOWN;
    put_credit(story, words, record);
    put_queue(story, words, record);
}

static void put_read(struct story *story, const struct words *words, struct journal_record *record)
{
    uint8_t bytes[64];
    size_t size = 0;

    record->kind = JOURNAL_READ;
    record->asked = (uint32_t)strtoul(words->word[2], NULL, 10);
    record->result = -error_of(words->word[4]);
    if (record->result == 0 && !is(words, 4, "EOF"))
        record->result = (int32_t)strtol(words->word[4], NULL, 10);
    for (int i = 5; i < words->count && strlen(words->word[i]) == 2 && size < sizeof(bytes); i++)
        bytes[size++] = (uint8_t)strtoul(words->word[i], NULL, 16);
    side(story, record, bytes, size);
    put_credit(story, words, record);
}

static void put_frame(struct story *story, const struct words *words, struct journal_record *record)
{
    const char *text = words->word[3];
    size_t size = strlen(text) - 2;

    record->kind = JOURNAL_FRAME;
    record->number = (uint32_t)strtoul(words->word[2], NULL, 10);
    record->result = (int32_t)size;
    side(story, record, text + 1, size);
    put_credit(story, words, record);
}

static void put_stop(struct story *story, const struct words *words, struct journal_record *record)
{
    static const char *const reasons[] = {"bytes", "frames",   "items", "attempts",
                                          "time",  "capacity", "EAGAIN"};

    record->kind = JOURNAL_STOP;
    for (int i = 2; i < words->count; i++) {
        int reason = number_in(reasons, 7, words->word[i]);

        if (reason >= 0)
            record->reasons |= (uint8_t)(1u << reason);
    }
    put_state(story, words, record);
}

static void put_end(struct story *story, const struct words *words, struct journal_record *record)
{
    static const char *const outcomes[] = {"none",     "clean", "truncated",
                                           "oversize", "reset", "error"};

    record->kind = JOURNAL_END;
    record->outcome = (uint8_t)number_in(outcomes, 6, words->word[2]);
    if (record->outcome == READER_END_RESET)
        record->result = -ECONNRESET;
    if (record->outcome == READER_END_ERROR)
        record->result = -error_of(words->word[3]);
    put_state(story, words, record);
}

static void put_ctl(struct story *story, const struct words *words, struct journal_record *record)
{
    uint32_t *was = &story->was[record->subject.slot - 1];
    unsigned bits = bits_from(words, 2);

    record->kind = JOURNAL_CTL;
    record->was = (uint16_t)*was;
    record->op = is(words, 2, "add") ? OS_ADD : is(words, 2, "del") ? OS_DEL : OS_MOD;
    if (record->op == OS_ADD)
        *was = bits;
    else if (record->op == OS_MOD)
        *was ^= bits;
    record->events = record->op == OS_DEL ? 0 : (uint16_t)*was;
    if (words->count > 3 && is(words, words->count - 2, "="))
        record->result = -error_of(words->word[words->count - 1]);
}

static void put_notice(const struct words *words, struct journal_record *record)
{
    record->kind = JOURNAL_NOTICE;
    record->events = (uint16_t)bits_from(words, 2);
    if (is(words, words->count - 1, "again"))
        record->flags |= JOURNAL_FLAG_AGAIN;
    if (is(words, words->count - 1, "stale"))
        record->flags |= JOURNAL_FLAG_STALE;
}

static void put_accept(struct story *story, const struct words *words,
                       struct journal_record *record)
{
    record->kind = JOURNAL_ACCEPT;
    record->object = IDENTITY_NONE;
    record->result = -error_of(words->word[3]);
    if (record->result == 0)
        record->object = identity_of_name(story, words->word[3]);
}

static void put_number(const struct words *words, struct journal_record *record)
{
    record->number = (uint32_t)strtoul(words->word[2], NULL, 10);
}

/* Rows whose second word names them. */
static void put_second(struct story *story, const struct words *words,
                       struct journal_record *record)
{
    if (is(words, 1, "ready") || is(words, 1, "resume")) {
        record->kind = is(words, 1, "ready") ? JOURNAL_READY : JOURNAL_RESUME;
        put_state(story, words, record);
    } else if (is(words, 1, "quantum")) {
        record->kind = JOURNAL_QUANTUM;
        put_number(words, record);
    } else if (is(words, 1, "consume")) {
        record->kind = JOURNAL_CONSUME;
        put_number(words, record);
        put_credit(story, words, record);
    } else if (is(words, 1, "read")) {
        put_read(story, words, record);
    } else if (is(words, 1, "frame")) {
        put_frame(story, words, record);
    } else if (is(words, 1, "stop")) {
        put_stop(story, words, record);
    } else if (is(words, 1, "end")) {
        put_end(story, words, record);
    } else if (is(words, 1, "accept")) {
        put_accept(story, words, record);
    } else if (is(words, 1, "adopt")) {
        record->kind = JOURNAL_ADOPT;
    } else {
        assert(is(words, 1, "close"));
        record->kind = JOURNAL_CLOSE;
    }
}

void story_row(struct story *story, const char *row)
{
    struct journal_record record = {.at = story->now};
    struct words words;

    split(row, &words);
    if (is(&words, 0, "stop")) {
        record.kind = JOURNAL_HALT;
        record.subject = IDENTITY_NONE;
    } else if (is(&words, 0, "notice") || is(&words, 0, "ctl")) {
        record.subject = identity_of_name(story, words.word[1]);
        if (is(&words, 0, "notice"))
            put_notice(&words, &record);
        else
            put_ctl(story, &words, &record);
    } else {
        record.subject = identity_of_name(story, words.word[0]);
        put_second(story, &words, &record);
    }
    journal_write(story->journal, &record);
}

/* The row behind the tags of a line, NULL when it is another trigger's. */
static const char *row_for(const char *line, const char *tag)
{
    const char *colon = strchr(line, ':');
    const char *mine = strstr(line, tag);

    if (!colon)
        return line;
    return mine && mine < colon ? colon + 2 : NULL;
}

void story_file(struct story *story, const char *file)
{
    static const char *const tags[] = {"et", "lt", "os"};
    FILE *in = fopen(file, "re");
    char line[512];

    assert(in);
    while (fgets(line, sizeof(line), in)) {
        const char *row;

        line[strcspn(line, "\n")] = '\0';
        row = row_for(line, tags[story->happened.trigger]);
        if (row)
            story_row(story, row);
    }
    (void)fclose(in);
}

struct plan_statement *story_says(struct story *story, enum plan_verb verb, const char *peer)
{
    uint32_t number = story->plan.statement_count++;

    assert(number < STORY_STATEMENTS);
    story->statements[number] = (struct plan_statement){
        .place = {20 + number, 5},
        .at = story->now,
        .verb = verb,
        .peer = peer ? story_peer(story, peer) : PLAN_NOBODY,
        .count = 1,
    };
    return &story->statements[number];
}

struct happened_action *story_does(struct story *story, const char *peer, enum plan_verb verb,
                                   const char *bytes, size_t size, int64_t late_us)
{
    struct plan_statement *statement = story_says(story, verb, peer);
    struct happened_action *action = &story->actions[story->happened.action_count++];

    statement->bytes = (struct plan_bytes){(const uint8_t *)bytes, size};
    *action = (struct happened_action){
        .statement = story->plan.statement_count - 1,
        .due = statement->at,
        .actual = instant_add(statement->at, DURATION_US(late_us)),
        .bytes = size,
    };
    return action;
}

struct plan_expect *story_expects(struct story *story, enum plan_expect_kind kind, const char *peer)
{
    uint32_t number = story->plan.expect_count++;

    assert(number < STORY_EXPECTS);
    story->expects[number] = (struct plan_expect){
        .place = {40 + number, 3},
        .triggers = 7,
        .kind = kind,
        .peer = peer ? story_peer(story, peer) : PLAN_NOBODY,
    };
    return &story->expects[number];
}
