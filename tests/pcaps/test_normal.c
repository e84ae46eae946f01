/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/pcaps/crafted.h"

static struct packet_list opened(void)
{
    struct packet_list list = crafted_list();

    crafted_handshake(&list, crafted_ipv4);
    return list;
}

/* > "\0\3CAT\0\2OK" in three segments across the wrap, > FIN, < FIN */
static void conversation_reads_aloud(void **state)
{
    struct packet_list list = opened();

    (void)state;
    PEER_SENDS(&list, .data = "\0", .bytes = 1);
    PEER_SENDS(&list, .data = "\3CA", .at = 1);
    PEER_SENDS(&list, .data = "T\0\2OK", .bytes = 5, .at = 4);
    SUT_SENDS(&list, .flags = ACK);
    PEER_SENDS(&list, .flags = FIN, .at = 9);
    SUT_SENDS(&list, .flags = FIN);
    crafted_expect(&list, "c > SYN\n"
                          "c < SYN\n"
                          "c > 9 \"\\x00\\x03CAT\\x00\\x02OK\"\n"
                          "c > FIN at 9\n"
                          "c < FIN at 0\n");
}

static void segment_boundaries_and_fin_with_data_do_not_show(void **state)
{
    struct packet_list list = opened();

    (void)state;
    PEER_SENDS(&list, .data = "CAT", .flags = FIN);
    SUT_SENDS(&list, .data = "OK", .flags = FIN);
    crafted_expect(&list, "c > SYN\n"
                          "c < SYN\n"
                          "c > 3 \"CAT\"\n"
                          "c < 2 \"OK\"\n"
                          "c > FIN at 3\n"
                          "c < FIN at 2\n");
}

static void data_on_the_syn_begins_the_stream(void **state)
{
    struct packet_list list = crafted_list();

    (void)state;
    PEER_SENDS(&list, .flags = SYN, .data = "ab");
    SUT_SENDS(&list, .flags = SYN);
    PEER_SENDS(&list, .data = "cd", .at = 2);
    crafted_expect(&list, "c > SYN\nc < SYN\nc > 4 \"abcd\"\n");
}

static void retransmissions_and_reordering_do_not_show(void **state)
{
    struct packet_list list = opened();

    (void)state;
    PEER_SENDS(&list, .flags = SYN);
    PEER_SENDS(&list, .flags = FIN, .at = 6);
    PEER_SENDS(&list, .data = "def", .at = 3);
    PEER_SENDS(&list, .data = "cde", .at = 2);
    PEER_SENDS(&list, .data = "abc");
    PEER_SENDS(&list, .data = "abcdef", .flags = FIN);
    crafted_expect(&list, "c > SYN\n"
                          "c < SYN\n"
                          "c > 6 \"abcdef\"\n"
                          "c > FIN at 6\n");
}

/* > "tail", > RST, and the sut's data hits the closed peer twice */
static void rst_behind_a_tail_stands_at_its_offset_once(void **state)
{
    struct packet_list list = opened();

    (void)state;
    PEER_SENDS(&list, .data = "tail");
    PEER_SENDS(&list, .flags = RST, .at = 4);
    SUT_SENDS(&list, .data = "a");
    PEER_SENDS(&list, .flags = RST, .at = 4);
    SUT_SENDS(&list, .data = "b", .at = 1);
    PEER_SENDS(&list, .flags = RST, .at = 4);
    crafted_expect(&list, "c > SYN\n"
                          "c < SYN\n"
                          "c > 4 \"tail\"\n"
                          "c < 2 \"ab\"\n"
                          "c > RST at 4\n");
}

static void rst_of_both_sides_are_two_rows_in_order(void **state)
{
    struct packet_list list = opened();

    (void)state;
    SUT_SENDS(&list, .flags = RST);
    PEER_SENDS(&list, .flags = RST);
    crafted_expect(&list, "c > SYN\n"
                          "c < SYN\n"
                          "c < RST at 0\n"
                          "c > RST at 0\n");
}

/* < FIN, > "late", and the closed sut answers with RST: its number is behind its own FIN */
static void rst_after_the_own_fin_says_so(void **state)
{
    struct packet_list list = opened();

    (void)state;
    SUT_SENDS(&list, .data = "bye", .flags = FIN);
    PEER_SENDS(&list, .data = "late");
    SUT_SENDS(&list, .flags = RST, .at = 4);
    crafted_expect(&list, "c > SYN\n"
                          "c < SYN\n"
                          "c > 4 \"late\"\n"
                          "c < 3 \"bye\"\n"
                          "c < FIN at 3\n"
                          "c < RST at 3 after FIN\n");
}

static void refused_connection_has_no_second_syn(void **state)
{
    struct packet_list list = crafted_list();

    (void)state;
    PEER_SENDS(&list, .flags = SYN);
    SUT_SENDS(&list, .flags = RST, .isn = 0xffffffff);
    crafted_expect(&list, "c > SYN\n"
                          "c < RST refused\n");
}

static void who_closed_first_shows(void **state)
{
    struct packet_list first = opened();
    struct packet_list second = opened();

    (void)state;
    PEER_SENDS(&first, .flags = FIN);
    SUT_SENDS(&first, .flags = FIN);
    crafted_expect(&first, "c > SYN\nc < SYN\nc > FIN at 0\nc < FIN at 0\n");
    SUT_SENDS(&second, .flags = FIN);
    PEER_SENDS(&second, .flags = FIN);
    crafted_expect(&second, "c > SYN\nc < SYN\nc < FIN at 0\nc > FIN at 0\n");
}

/* Both FINs cross on the link; each side then acknowledges. */
static void simultaneous_close_is_two_fins(void **state)
{
    struct packet_list list = opened();

    (void)state;
    PEER_SENDS(&list, .flags = FIN);
    SUT_SENDS(&list, .flags = FIN);
    PEER_SENDS(&list, .flags = ACK, .at = 1);
    SUT_SENDS(&list, .flags = ACK, .at = 1);
    crafted_expect(&list, "c > SYN\nc < SYN\nc > FIN at 0\nc < FIN at 0\n");
}

static void simultaneous_open_names_the_first_syn_first(void **state)
{
    struct packet_list list = crafted_list();

    (void)state;
    SUT_SENDS(&list, .flags = SYN);
    PEER_SENDS(&list, .flags = SYN);
    PEER_SENDS(&list, .data = "x");
    crafted_expect(&list, "c < SYN\nc > SYN\nc > 1 \"x\"\n");
}

/* d speaks before c, and the directions are interleaved. */
static void rows_stand_in_the_order_of_the_naming(void **state)
{
    struct packet_list list = crafted_list();

    (void)state;
    crafted_handshake(&list, &crafted_ipv4[1]);
    crafted_handshake(&list, &crafted_ipv4[0]);
    SUT_SENDS(&list, .of = &crafted_ipv4[1], .data = "1");
    PEER_SENDS(&list, .of = &crafted_ipv4[0], .data = "2");
    PEER_SENDS(&list, .of = &crafted_ipv4[1], .data = "3");
    SUT_SENDS(&list, .of = &crafted_ipv4[0], .data = "4");
    crafted_expect(&list, "c > SYN\nc < SYN\nc > 1 \"2\"\nc < 1 \"4\"\n"
                          "d > SYN\nd < SYN\nd > 1 \"3\"\nd < 1 \"1\"\n");
}

static void missing_bytes_show_in_the_text(void **state)
{
    struct packet_list list = opened();
    struct transcript t;
    char *text;

    (void)state;
    PEER_SENDS(&list, .data = "ab", .at = 1);
    PEER_SENDS(&list, .data = "x", .at = 5);
    PEER_SENDS(&list, .flags = FIN, .at = 8);
    t = crafted_transcript(&list, crafted_ipv4);
    assert_int_equal(normal_text(&t, &text, NULL), 0);
    assert_string_equal(text, "c > SYN\n"
                              "c < SYN\n"
                              "c > missing 1 at 0\n"
                              "c > 2 \"ab\"\n"
                              "c > missing 2 at 3\n"
                              "c > 1 \"x\"\n"
                              "c > missing 2 at 6\n"
                              "c > FIN at 8\n");
    free(text);
    transcript_free(&t);
    packet_list_free(&list);
}

static char *text_of(struct packet_list *list, const struct naming_connection *connections)
{
    struct transcript t = crafted_transcript(list, connections);
    size_t length;
    char *text;

    assert_int_equal(t.anomalies.total, 0);
    assert_int_equal(normal_text(&t, &text, &length), 0);
    assert_int_equal(length, strlen(text));
    transcript_free(&t);
    packet_list_free(list);
    return text;
}

static char *text_of_stream(const char *bytes, size_t length, size_t step)
{
    struct packet_list list = opened();

    for (size_t at = 0; at < length; at += step)
        PEER_SENDS(&list, .data = bytes + at, .at = (int64_t)at,
                   .bytes = length - at < step ? length - at : step);
    return text_of(&list, crafted_ipv4);
}

/* The digest is FNV-1a of 65 times "a", as any other implementation computes it. */
static void long_stream_is_its_head_and_a_digest_of_all(void **state)
{
    char bytes[NORMAL_BYTES_SHOWN + 1];
    char *one;
    char *many;
    char *other;

    (void)state;
    memset(bytes, 'a', sizeof(bytes));
    one = text_of_stream(bytes, sizeof(bytes), sizeof(bytes));
    many = text_of_stream(bytes, sizeof(bytes), 7);
    bytes[NORMAL_BYTES_SHOWN] = 'b';
    other = text_of_stream(bytes, sizeof(bytes), sizeof(bytes));
    assert_string_equal(one, "c > SYN\n"
                             "c < SYN\n"
                             "c > 65 \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
                             "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\".. fnv1a=8087e9a889f8a14c\n");
    assert_string_equal(one, many);
    assert_string_not_equal(one, other);
    free(one);
    free(many);
    free(other);
}

static void stream_that_fits_has_no_digest(void **state)
{
    char bytes[NORMAL_BYTES_SHOWN];
    char *text;

    (void)state;
    memset(bytes, 'a', sizeof(bytes));
    text = text_of_stream(bytes, sizeof(bytes), sizeof(bytes));
    assert_null(strstr(text, ".."));
    free(text);
}

static void quotes_and_what_is_not_printable_are_escaped(void **state)
{
    struct packet_list list = opened();

    (void)state;
    PEER_SENDS(&list, .data = "\" \\ ~ \x7f \xff \n");
    crafted_expect(&list, "c > SYN\n"
                          "c < SYN\n"
                          "c > 11 \"\\x22 \\x5c ~ \\x7f \\xff \\x0a\"\n");
}

static void ipv6_reads_as_ipv4_does(void **state)
{
    struct packet_list list[2] = {crafted_list(), crafted_list()};
    char *text[2];

    (void)state;
    for (int i = 0; i < 2; i++) {
        const struct naming_connection *all = i == 0 ? crafted_ipv4 : crafted_ipv6;

        crafted_handshake(&list[i], &all[2]);
        PEER_SENDS(&list[i], .of = &all[2], .data = "six");
        SUT_SENDS(&list[i], .of = &all[2], .flags = RST);
        text[i] = text_of(&list[i], all);
    }
    assert_string_equal(text[0], "e > SYN\ne < SYN\ne > 3 \"six\"\ne < RST at 0\n");
    assert_string_equal(text[0], text[1]);
    free(text[0]);
    free(text[1]);
}

static void empty_capture_is_empty_text(void **state)
{
    struct packet_list list = crafted_list();

    (void)state;
    crafted_expect(&list, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conversation_reads_aloud),
        cmocka_unit_test(segment_boundaries_and_fin_with_data_do_not_show),
        cmocka_unit_test(data_on_the_syn_begins_the_stream),
        cmocka_unit_test(retransmissions_and_reordering_do_not_show),
        cmocka_unit_test(rst_behind_a_tail_stands_at_its_offset_once),
        cmocka_unit_test(rst_of_both_sides_are_two_rows_in_order),
        cmocka_unit_test(rst_after_the_own_fin_says_so),
        cmocka_unit_test(refused_connection_has_no_second_syn),
        cmocka_unit_test(who_closed_first_shows),
        cmocka_unit_test(simultaneous_close_is_two_fins),
        cmocka_unit_test(simultaneous_open_names_the_first_syn_first),
        cmocka_unit_test(rows_stand_in_the_order_of_the_naming),
        cmocka_unit_test(missing_bytes_show_in_the_text),
        cmocka_unit_test(long_stream_is_its_head_and_a_digest_of_all),
        cmocka_unit_test(stream_that_fits_has_no_digest),
        cmocka_unit_test(quotes_and_what_is_not_printable_are_escaped),
        cmocka_unit_test(ipv6_reads_as_ipv4_does),
        cmocka_unit_test(empty_capture_is_empty_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
