/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <glob.h>

#include "pcaps/canon.h"
#include "pcaps/normal.h"
#include "pcaps/pcapfile.h"

/* What a person reviews is the .wire; the capture beside it must say the same. */

#define CONNECTIONS_MAX 64

struct blessed {
    char *wire;
    char names[CONNECTIONS_MAX][NAMING_NAME_MAX];
    struct naming_connection connections[CONNECTIONS_MAX];
    size_t count;
};

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 1 << 20);

    if (!file)
        fail_msg("%s is missing", path);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    (void)fclose(file);
    return text;
}

/* The connections stand in the wire in the order in which the canonical ports were given. */
static void name_connections(struct blessed *blessed, uint8_t version)
{
    for (const char *line = blessed->wire; *line; line = strchr(line, '\n') + 1) {
        size_t size = strcspn(line, " ");
        char *name = blessed->names[blessed->count];

        if (blessed->count > 0 && strncmp(blessed->names[blessed->count - 1], line, size) == 0 &&
            blessed->names[blessed->count - 1][size] == '\0')
            continue;
        assert_true(blessed->count < CONNECTIONS_MAX && size < NAMING_NAME_MAX);
        (void)snprintf(name, NAMING_NAME_MAX, "%.*s", (int)size, line);
        blessed->connections[blessed->count] = canon_naming(blessed->count, name, version);
        blessed->count++;
    }
}

static void check_blessed(const char *capture)
{
    static struct blessed blessed;
    struct pcapfile_error error;
    struct packet_list packets;
    struct transcript transcript;
    struct naming naming;
    char path[4096];
    char *text;

    blessed = (struct blessed){0};
    (void)snprintf(path, sizeof(path), "%.*s.wire", (int)(strlen(capture) - 5), capture);
    blessed.wire = read_text(path);
    packet_list_init(&packets, PACKET_LIST_COUNT_MAX, PACKET_LIST_BYTES_MAX);
    if (pcapfile_read(capture, &packets, &error) != 0)
        fail_msg("%s", error.text);
    assert_true(packets.count > 0);
    name_connections(&blessed, packets.packets[0].bytes[14] >> 4);
    naming = (struct naming){blessed.connections, blessed.count};
    assert_int_equal(transcript_make(&packets, &naming, &transcript), 0);
    assert_int_equal(normal_text(&transcript, &text, NULL), 0);
    assert_string_equal(text, blessed.wire);

    free(text);
    transcript_free(&transcript);
    packet_list_free(&packets);
    free(blessed.wire);
}

static void every_blessed_capture_says_what_its_wire_says(void **state)
{
    glob_t captures;

    (void)state;
    assert_int_equal(glob("scenarios/*/*.pcap", 0, NULL, &captures), 0);
    assert_true(captures.gl_pathc > 0);
    for (size_t i = 0; i < captures.gl_pathc; i++)
        check_blessed(captures.gl_pathv[i]);
    globfree(&captures);
}

static void every_wire_has_its_capture(void **state)
{
    glob_t wires;

    (void)state;
    assert_int_equal(glob("scenarios/*/*.wire", 0, NULL, &wires), 0);
    for (size_t i = 0; i < wires.gl_pathc; i++) {
        const char *wire = wires.gl_pathv[i];
        char path[4096];
        FILE *file;

        (void)snprintf(path, sizeof(path), "%.*s.pcap", (int)(strlen(wire) - 5), wire);
        file = fopen(path, "r");
        if (!file)
            fail_msg("%s has no %s", wire, path);
        (void)fclose(file);
    }
    globfree(&wires);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_blessed_capture_says_what_its_wire_says),
        cmocka_unit_test(every_wire_has_its_capture),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
