/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pcaps/canon.h"
#include "pcaps/pcapfile.h"
#include "tests/pcaps/crafted.h"

#define MS INT64_C(1000000)
#define PACKETS_MAX 256

/* The stamp of a crafted packet is its script time. */
static void script_times(const struct packet_list *list, int64_t script_ns[static PACKETS_MAX])
{
    assert_true(list->count <= PACKETS_MAX);
    for (size_t i = 0; i < list->count; i++)
        script_ns[i] = list->packets[i].stamp_ns;
}

static char *text_of(const struct transcript *t)
{
    char *text;

    assert_int_equal(normal_text(t, &text, NULL), 0);
    return text;
}

static struct transcript canonical_transcript(const struct packet_list *canonical, uint8_t version)
{
    static struct naming_connection all[CRAFTED_CONNECTIONS];

    for (size_t i = 0; i < CRAFTED_CONNECTIONS; i++)
        all[i] = canon_naming(i, crafted_ipv4[i].name, version);
    return crafted_transcript(canonical, all);
}

/* Makes the canonical capture, checks that it reads as the original does, frees the original. */
static struct packet_list canonical(struct packet_list *list,
                                    const struct naming_connection *connections, bool scripted)
{
    struct packet_list made = crafted_list();
    struct transcript before = crafted_transcript(list, connections);
    int64_t script_ns[PACKETS_MAX];
    struct transcript after;
    char *text[2];

    script_times(list, script_ns);
    assert_int_equal(canon_make(&before, scripted ? script_ns : NULL, &made), 0);
    after = canonical_transcript(&made, connections[0].peer.version);
    assert_int_equal(after.anomalies.total, 0);
    assert_int_equal(after.housekeeping_count, 0);
    text[0] = text_of(&before);
    text[1] = text_of(&after);
    assert_string_equal(text[0], text[1]);
    free(text[0]);
    free(text[1]);
    transcript_free(&before);
    transcript_free(&after);
    packet_list_free(list);
    return made;
}

static void expect_same_bytes(struct packet_list *a, struct packet_list *b)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        assert_true(a->packets[i].stamp_ns == b->packets[i].stamp_ns);
        assert_int_equal(a->packets[i].captured_bytes, b->packets[i].captured_bytes);
        assert_memory_equal(a->packets[i].bytes, b->packets[i].bytes,
                            a->packets[i].captured_bytes);
    }
    packet_list_free(a);
    packet_list_free(b);
}

/* One packet as "40001 > SA 1 2 3": peer's port, direction, flags, seq, ack, payload bytes. */
static void describe(const struct packet *packet, char *text, size_t room)
{
    static const char letters[] = "FSRPA";
    struct dissect d = dissect_packet(packet);
    bool to_sut = d.target.port == CANON_SUT_PORT;
    char flags[sizeof(letters)] = "";
    size_t count = 0;

    assert_int_equal(d.kind, DISSECT_KIND_TCP_SEGMENT);
    assert_int_equal(d.tcp.checksum, DISSECT_CHECKSUM_GOOD);
    for (size_t bit = 0; letters[bit] != '\0'; bit++) {
        if ((d.tcp.flags >> bit & 1) != 0)
            flags[count++] = letters[bit];
    }
    (void)snprintf(text, room, "%u %c %s %u %u %zu", to_sut ? d.source.port : d.target.port,
                   to_sut ? '>' : '<', flags, d.tcp.seq, d.tcp.ack, d.payload_bytes);
}

static void expect_packets(struct packet_list *list, const char *const *rows, size_t count)
{
    for (size_t i = 0; i < list->count && i < count; i++) {
        char text[64];

        describe(&list->packets[i], text, sizeof(text));
        assert_string_equal(text, rows[i]);
    }
    assert_int_equal(list->count, count);
    packet_list_free(list);
}

static void conversation_is_composed_by_rule(void **state)
{
    static const char *const rows[] = {
        "40001 > S 0 0 0",   "40001 < SA 0 1 0",  "40001 > A 1 1 0",
        "40001 > PA 1 1 3",  "40001 < PA 1 4 2",  "40001 > A 4 3 0",
        "40001 > PA 4 3 2",  "40001 < A 3 6 0",   "40001 > FA 6 3 0",
        "40001 < FA 3 7 0",  "40001 > A 7 4 0",
    };
    struct packet_list list = crafted_list();

    (void)state;
    crafted_handshake(&list, crafted_ipv4);
    PEER_SENDS(&list, .data = "CAT", .ms = 1);
    SUT_SENDS(&list, .data = "OK", .ms = 1);
    PEER_SENDS(&list, .data = "no", .at = 3, .ms = 2);
    PEER_SENDS(&list, .flags = FIN, .at = 5, .ms = 3);
    SUT_SENDS(&list, .flags = FIN, .at = 2, .ms = 3);
    list = canonical(&list, crafted_ipv4, true);
    expect_packets(&list, rows, COUNT_OF(rows));
}

static void stamp_is_script_time_plus_index(void **state)
{
    struct packet_list list = crafted_list();

    (void)state;
    crafted_handshake(&list, crafted_ipv4);
    PEER_SENDS(&list, .data = "CAT", .ms = 5);
    list = canonical(&list, crafted_ipv4, true);
    assert_int_equal(list.count, 5);
    assert_true(list.packets[0].stamp_ns == 0);
    assert_true(list.packets[2].stamp_ns == 2);
    assert_true(list.packets[3].stamp_ns == 5 * MS + 3);
    assert_true(list.packets[4].stamp_ns == 5 * MS + 4);
    packet_list_free(&list);
}

static void option_timestamps_count_script_milliseconds(void **state)
{
    struct packet_list list = crafted_list();
    struct dissect d;

    (void)state;
    crafted_handshake(&list, crafted_ipv4);
    PEER_SENDS(&list, .data = "CAT", .ms = 5);
    list = canonical(&list, crafted_ipv4, true);
    d = dissect_packet(&list.packets[0]);
    assert_int_equal(d.tcp.options.timestamp_value, 1);
    assert_int_equal(d.tcp.options.timestamp_echo, 0);
    assert_int_equal(d.tcp.options.mss, 1460);
    d = dissect_packet(&list.packets[4]);
    assert_int_equal(d.tcp.options.timestamp_value, 6);
    assert_int_equal(d.tcp.options.timestamp_echo, 6);
    assert_false(d.tcp.options.has_mss);
    packet_list_free(&list);
}

/* The same behaviour twice. Second time: other ports' order of ACKs, a retransmission, another
 * cut of the bytes, FIN on the last segment, other windows, and c and d interleaved differently. */
static struct packet_list smooth_run(void)
{
    struct packet_list list = crafted_list();

    crafted_handshake(&list, &crafted_ipv4[0]);
    crafted_handshake(&list, &crafted_ipv4[1]);
    PEER_SENDS(&list, .data = "abcdef", .ms = 1);
    SUT_SENDS(&list, .flags = ACK, .ms = 1);
    PEER_SENDS(&list, .of = &crafted_ipv4[1], .data = "1234", .ms = 1);
    SUT_SENDS(&list, .data = "OK", .ms = 1);
    SUT_SENDS(&list, .of = &crafted_ipv4[1], .data = "YES", .ms = 1);
    PEER_SENDS(&list, .flags = FIN, .at = 6, .ms = 2);
    SUT_SENDS(&list, .flags = FIN, .at = 2, .ms = 2);
    PEER_SENDS(&list, .of = &crafted_ipv4[1], .flags = RST, .at = 4, .ms = 3);
    return list;
}

static struct packet_list rough_run(void)
{
    struct dissect_tcp_options options = {.has_mss = true, .mss = 1460};
    struct packet_list list = crafted_list();

    PEER_SENDS(&list, .of = &crafted_ipv4[1], .flags = SYN, .isn = 9, .options = options);
    crafted_handshake(&list, &crafted_ipv4[0]);
    SUT_SENDS(&list, .of = &crafted_ipv4[1], .flags = SYN, .isn = 4, .options = options);
    PEER_SENDS(&list, .of = &crafted_ipv4[1], .data = "12", .isn = 9, .ms = 1);
    PEER_SENDS(&list, .data = "ab", .ms = 1, .window = 7);
    PEER_SENDS(&list, .data = "ef", .at = 4, .ms = 1);
    PEER_SENDS(&list, .of = &crafted_ipv4[1], .data = "1234", .isn = 9, .ms = 1);
    PEER_SENDS(&list, .data = "bcde", .at = 1, .ms = 1);
    SUT_SENDS(&list, .of = &crafted_ipv4[1], .data = "YES", .isn = 4, .ms = 1);
    SUT_SENDS(&list, .data = "O", .ms = 1);
    SUT_SENDS(&list, .data = "K", .at = 1, .ms = 1);
    PEER_SENDS(&list, .data = "ef", .at = 4, .flags = FIN, .ms = 2);
    SUT_SENDS(&list, .data = "K", .at = 1, .flags = FIN, .ms = 2);
    PEER_SENDS(&list, .of = &crafted_ipv4[1], .flags = RST, .at = 4, .isn = 9, .ms = 3);
    PEER_SENDS(&list, .of = &crafted_ipv4[1], .flags = RST, .at = 4, .isn = 9, .ms = 3);
    return list;
}

static void unchanged_behaviour_gives_identical_bytes(void **state)
{
    (void)state;
    for (int scripted = 0; scripted < 2; scripted++) {
        struct packet_list smooth = smooth_run();
        struct packet_list rough = rough_run();

        smooth = canonical(&smooth, crafted_ipv4, scripted != 0);
        rough = canonical(&rough, crafted_ipv4, scripted != 0);
        expect_same_bytes(&smooth, &rough);
    }
}

static void blessing_again_changes_nothing(void **state)
{
    struct naming_connection all[CRAFTED_CONNECTIONS];
    struct packet_list list = smooth_run();
    struct packet_list again = crafted_list();
    int64_t script_ns[PACKETS_MAX];
    struct transcript t;

    (void)state;
    list = canonical(&list, crafted_ipv4, true);
    for (size_t i = 0; i < CRAFTED_CONNECTIONS; i++)
        all[i] = canon_naming(i, crafted_ipv4[i].name, 4);
    t = crafted_transcript(&list, all);
    for (size_t i = 0; i < list.count; i++)
        script_ns[i] = list.packets[i].stamp_ns / MS * MS;
    assert_int_equal(canon_make(&t, script_ns, &again), 0);
    transcript_free(&t);
    expect_same_bytes(&list, &again);
}

static void burst_is_cut_at_the_mss_and_acknowledged_every_second_segment(void **state)
{
    static const char *const rows[] = {
        "40001 > S 0 0 0",      "40001 < SA 0 1 0",     "40001 > A 1 1 0",
        "40001 > A 1 1 88",     "40001 > A 89 1 88",    "40001 < A 1 177 0",
        "40001 > PA 177 1 24",  "40001 < A 1 201 0",
    };
    struct dissect_tcp_options options = {.has_mss = true, .mss = 100};
    struct packet_list list = crafted_list();
    char bytes[200];

    (void)state;
    memset(bytes, 'x', sizeof(bytes));
    PEER_SENDS(&list, .flags = SYN);
    SUT_SENDS(&list, .flags = SYN, .options = options);
    PEER_SENDS(&list, .flags = ACK);
    PEER_SENDS(&list, .data = bytes, .bytes = 50, .ms = 1);
    PEER_SENDS(&list, .data = bytes, .bytes = 150, .at = 50, .ms = 1);
    list = canonical(&list, crafted_ipv4, true);
    expect_packets(&list, rows, COUNT_OF(rows));
}

static void instants_are_kept_apart(void **state)
{
    static const char *const rows[] = {
        "40001 > S 0 0 0",  "40001 < SA 0 1 0", "40001 > A 1 1 0",  "40001 > PA 1 1 1",
        "40001 < A 1 2 0",  "40001 > PA 2 1 1", "40001 < A 1 3 0",
    };
    struct packet_list list = crafted_list();

    (void)state;
    crafted_handshake(&list, crafted_ipv4);
    PEER_SENDS(&list, .data = "a", .ms = 1);
    PEER_SENDS(&list, .data = "b", .at = 1, .ms = 2);
    list = canonical(&list, crafted_ipv4, true);
    expect_packets(&list, rows, COUNT_OF(rows));
}

static void without_script_times_each_connection_is_whole(void **state)
{
    static const char *const rows[] = {
        "40001 > S 0 0 0",  "40001 < SA 0 1 0", "40001 > A 1 1 0", "40001 > PA 1 1 2",
        "40001 < PA 1 3 2", "40001 > FA 3 3 0", "40001 < A 3 4 0", "40002 > S 0 0 0",
        "40002 < SA 0 1 0", "40002 > A 1 1 0",
    };
    struct packet_list list = crafted_list();

    (void)state;
    crafted_handshake(&list, &crafted_ipv4[1]);
    crafted_handshake(&list, &crafted_ipv4[0]);
    SUT_SENDS(&list, .data = "x");
    PEER_SENDS(&list, .data = "a");
    SUT_SENDS(&list, .data = "y", .at = 1);
    PEER_SENDS(&list, .data = "b", .at = 1, .flags = FIN);
    list = canonical(&list, crafted_ipv4, false);
    expect_packets(&list, rows, COUNT_OF(rows));
}

static void nobody_acknowledges_after_a_reset(void **state)
{
    static const char *const rows[] = {
        "40001 > S 0 0 0",  "40001 < SA 0 1 0", "40001 > A 1 1 0",
        "40001 < FA 1 1 0", "40001 > PA 1 2 4", "40001 < RA 2 5 0",
    };
    struct packet_list list = crafted_list();

    (void)state;
    crafted_handshake(&list, crafted_ipv4);
    SUT_SENDS(&list, .flags = FIN, .ms = 1);
    PEER_SENDS(&list, .data = "late", .ms = 1);
    SUT_SENDS(&list, .flags = RST, .at = 1, .ms = 1);
    list = canonical(&list, crafted_ipv4, true);
    expect_packets(&list, rows, COUNT_OF(rows));
}

static void data_into_a_reset_connection_is_not_acknowledged(void **state)
{
    static const char *const rows[] = {
        "40001 > S 0 0 0",  "40001 < SA 0 1 0", "40001 > A 1 1 0",
        "40001 > RA 1 1 0", "40001 < PA 1 1 1",
    };
    struct packet_list list = crafted_list();

    (void)state;
    crafted_handshake(&list, crafted_ipv4);
    PEER_SENDS(&list, .flags = RST, .ms = 1);
    SUT_SENDS(&list, .data = "x", .ms = 2);
    PEER_SENDS(&list, .flags = RST, .ms = 2);
    list = canonical(&list, crafted_ipv4, true);
    expect_packets(&list, rows, COUNT_OF(rows));
}

/* Two segments, and the answer in the same instant acknowledges them. */
static void answer_acknowledges_the_burst_before_it(void **state)
{
    static const char *const rows[] = {
        "40001 > S 0 0 0",   "40001 < SA 0 1 0",    "40001 > A 1 1 0", "40001 > A 1 1 88",
        "40001 > PA 89 1 2", "40001 < PA 1 91 1",   "40001 > A 91 2 0",
    };
    struct dissect_tcp_options options = {.has_mss = true, .mss = 100};
    struct packet_list list = crafted_list();
    char bytes[90];

    (void)state;
    memset(bytes, 'x', sizeof(bytes));
    PEER_SENDS(&list, .flags = SYN);
    SUT_SENDS(&list, .flags = SYN, .options = options);
    PEER_SENDS(&list, .data = bytes, .bytes = sizeof(bytes), .ms = 1);
    SUT_SENDS(&list, .data = "y", .ms = 1);
    list = canonical(&list, crafted_ipv4, true);
    expect_packets(&list, rows, COUNT_OF(rows));
}

static void refusal_acknowledges_the_syn(void **state)
{
    static const char *const rows[] = {"40001 > S 0 0 0", "40001 < RA 0 1 0"};
    struct packet_list list = crafted_list();

    (void)state;
    PEER_SENDS(&list, .flags = SYN);
    SUT_SENDS(&list, .flags = RST);
    list = canonical(&list, crafted_ipv4, true);
    expect_packets(&list, rows, COUNT_OF(rows));
}

static void ipv6_stays_ipv6(void **state)
{
    struct packet_list list = crafted_list();
    char text[ENDPOINT_TEXT_BYTES];
    struct dissect d;

    (void)state;
    crafted_handshake(&list, crafted_ipv6);
    PEER_SENDS(&list, .of = crafted_ipv6, .data = "six", .flags = FIN);
    list = canonical(&list, crafted_ipv6, true);
    d = dissect_packet(&list.packets[0]);
    assert_string_equal(endpoint_text(&d.source, text), "[2001:db8::2]:40001");
    assert_string_equal(endpoint_text(&d.target, text), "[2001:db8::1]:7001");
    packet_list_free(&list);
}

static void capture_with_an_anomaly_is_not_blessed(void **state)
{
    struct packet_list list = crafted_list();
    struct packet_list made = crafted_list();
    struct transcript t;

    (void)state;
    crafted_handshake(&list, crafted_ipv4);
    PEER_SENDS(&list, .data = "x", .at = 1);
    t = crafted_transcript(&list, crafted_ipv4);
    assert_int_equal(canon_make(&t, NULL, &made), -EBADMSG);
    transcript_free(&t);
    packet_list_free(&list);
}

static void bad_script_times_and_full_lists_are_refused(void **state)
{
    struct packet_list list = crafted_list();
    struct packet_list made;
    struct transcript t;

    (void)state;
    crafted_handshake(&list, crafted_ipv4);
    t = crafted_transcript(&list, crafted_ipv4);
    packet_list_init(&made, 2, 1000);
    assert_int_equal(canon_make(&t, (const int64_t[]){0, -1, 0}, &made), -EINVAL);
    assert_int_equal(canon_make(&t, (const int64_t[]){0, 2, 1}, &made), -EINVAL);
    assert_int_equal(canon_make(&t, (const int64_t[]){0, 1, INT64_MAX}, &made), -EFBIG);
    assert_int_equal(made.count, 0);
    packet_list_free(&made);
    transcript_free(&t);
    packet_list_free(&list);
}

#define TSHARK "/usr/bin/tshark"

/* Runs tshark on the file `fd`; its stdout has a line for each packet with a warning or worse. */
static FILE *start_tshark(int fd, pid_t *ret_pid)
{
    char path[64];
    int ends[2];

    (void)snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)getpid(), fd);
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    *ret_pid = fork();
    assert_true(*ret_pid >= 0);
    if (*ret_pid == 0) {
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
        (void)execl(TSHARK, TSHARK, "-r", path, "-o", "tcp.check_checksum:TRUE", "-o",
                    "ip.check_checksum:TRUE", "-Y", "_ws.expert.severity >= 0x600000", NULL);
        _exit(127);
    }
    (void)close(ends[1]);
    return fdopen(ends[0], "re");
}

static int count_complaints(int fd)
{
    char line[256];
    int lines = 0;
    int status;
    pid_t pid;
    FILE *out = start_tshark(fd, &pid);

    assert_non_null(out);
    while (fgets(line, sizeof(line), out) != NULL) {
        if (strstr(line, "[RST, ACK]") == NULL)
            print_message("%s", line);
        lines++;
    }
    (void)fclose(out);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    return lines;
}

/* Wireshark warns of each reset, whatever it is like; here that shows that the filter works. */
static void wireshark_has_nothing_to_complain_about_but_the_reset(void **state)
{
    struct packet_list list = rough_run();
    struct pcapfile_error error;
    int fd;

    (void)state;
    list = canonical(&list, crafted_ipv4, true);
    fd = memfd_create("canonical", MFD_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(pcapfile_write(fd, "canonical", &list, &error), 0);
    packet_list_free(&list);
    if (access(TSHARK, X_OK) != 0) {
        (void)close(fd);
        print_message(TSHARK " is not there\n");
        skip();
    }
    assert_int_equal(count_complaints(fd), 1);
    assert_int_equal(close(fd), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conversation_is_composed_by_rule),
        cmocka_unit_test(stamp_is_script_time_plus_index),
        cmocka_unit_test(option_timestamps_count_script_milliseconds),
        cmocka_unit_test(unchanged_behaviour_gives_identical_bytes),
        cmocka_unit_test(blessing_again_changes_nothing),
        cmocka_unit_test(burst_is_cut_at_the_mss_and_acknowledged_every_second_segment),
        cmocka_unit_test(instants_are_kept_apart),
        cmocka_unit_test(without_script_times_each_connection_is_whole),
        cmocka_unit_test(nobody_acknowledges_after_a_reset),
        cmocka_unit_test(data_into_a_reset_connection_is_not_acknowledged),
        cmocka_unit_test(answer_acknowledges_the_burst_before_it),
        cmocka_unit_test(refusal_acknowledges_the_syn),
        cmocka_unit_test(ipv6_stays_ipv6),
        cmocka_unit_test(capture_with_an_anomaly_is_not_blessed),
        cmocka_unit_test(bad_script_times_and_full_lists_are_refused),
        cmocka_unit_test(wireshark_has_nothing_to_complain_about_but_the_reset),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
