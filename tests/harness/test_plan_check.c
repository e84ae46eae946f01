/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/script/plan_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/script.h"

static void possible_orders_are_accepted(void **state)
{
    static const char *const lines[] = {
        "  3ms c shutdown write\n  4ms c reset\n", /* a RST behind a FIN */
        "  3ms c shutdown write\n  4ms c shutdown read\n  5ms c close\n",
        "  3ms c close\n  4ms wait-until c ended\n  5ms sut consume c\n",
        "  3ms sut hold\n  4ms c close\n  5ms sut go\n  6ms sut run rounds=1\n",
        "  3ms c shutdown read\n  4ms c send 00\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        plan_free(script_accept("  3ms c shutdown write\n", lines[i]));
}

static void the_same_claim_for_other_triggers_is_no_contradiction(void **state)
{
    (void)state;
    plan_free(script_accept("c end clean", "et os: c notices 1\n  lt: c notices 5"));
}

static void a_frame_may_fill_the_capacity(void **state)
{
    (void)state;
    plan_free(script_accept("capacity 9", "capacity 5"));
    plan_free(
        script_accept("header=2 payload=3\n  capacity 9", "header=1 payload=255\n  capacity 256"));
}

static void tells_each_mistake_with_its_place_and_the_remedy(void **state)
{
    static const struct script_case cases[] = {
        {"  link     sut peer\n", "",
         "4:3: families ipv4 and ipv6 need a link; write 'link sut peer' in topology"},
        {"  family   ipv4 ipv6\n", "", "23:1: no family; write 'family ipv4' in topology"},
        {"  trigger  et lt os\n", "", "23:1: no trigger; write 'trigger et' in reactor"},
        {"  frame    header=2 payload=3\n", "  frame    header=2\n",
         "9:19: half a frame format; write 'frame header=N payload=BYTES'"},
        {"  frame    header=2 payload=3\n", "  frame    payload=3\n",
         "9:20: half a frame format; write 'frame header=N payload=BYTES'"},
        {"header=2 payload=3", "header=1 payload=256",
         "9:29: frame.payload: 256 bytes do not fit a header of 1; write a smaller payload or "
         "a larger header"},
        {"  capacity 9\n", "",
         "9:19: frames need a capacity; write 'capacity 5' or more in reactor"},
        {"capacity 9", "capacity 4",
         "10:12: the largest frame (5 bytes) does not fit the capacity 4; write 5 or more"},
        {"  frame    header=2 payload=3\n", "",
         "9:12: a capacity without frames; write 'frame header=N payload=BYTES', or leave it "
         "away"},
        {"peers\n", "run\n  pace free\npeers\n",
         "13:8: free pace has no exact rows; write 'compare streams' too"},
        {"family   ipv4 ipv6", "family   unix",
         "13:3: peer c is tcp, which family unix cannot carry; write stream\n14:3: peer d is "
         "tcp, which family unix cannot carry; write stream"},
        {"family   ipv4 ipv6", "family   pipe",
         "13:3: peer c is tcp, which family pipe cannot carry; write pipe\n14:3: peer d is "
         "tcp, which family pipe cannot carry; write pipe"},
        {"d tcp", "d pipe", "14:3: peer d is pipe, which family ipv4 cannot carry; write stream"},
        {"  0ms d connect\n", "",
         "14:3: peer d never connects; write 'TIME d connect', or leave it away"},
        {"0ms d connect", "0ms c connect",
         "17:7: c connects twice; use another peer, the first is in line 16\n14:3: peer d "
         "never connects; write 'TIME d connect', or leave it away"},
        {"0ms c connect\n", "0ms d connect\n",
         "17:7: d connects twice; use another peer, the first is in line 16\n18:7: c has not "
         "connected; write 'TIME c connect' before\n19:7: c has not connected; write 'TIME c "
         "connect' before\n20:7: c has not connected; write 'TIME c connect' before\n13:3: "
         "peer c never connects; write 'TIME c connect', or leave it away"},
        {"3ms c shutdown write", "3ms c shutdown write\n  4ms c send 00",
         "21:7: c has shut its write direction in line 20; write this before it"},
        {"3ms c shutdown write", "3ms c close\n  4ms c send 00",
         "21:7: c is closed since line 20; write this before it"},
        {"3ms c shutdown write", "3ms c reset\n  4ms c shutdown write",
         "21:7: c is closed since line 20; write this before it"},
        {"3ms c shutdown write", "3ms c shutdown both\n  4ms c shutdown write",
         "21:7: c has shut its write direction in line 20; write this before it"},
        {"3ms c shutdown write", "3ms c close\n  4ms c close",
         "21:7: c is closed since line 20; write this before it"},
        {"3ms c shutdown write", "3ms c close\n  4ms c reset",
         "21:7: c is closed since line 20; write this before it"},
        {"0ms d connect", "0ms sut consume d\n  0ms d connect",
         "17:7: d has not connected; write 'TIME d connect' before"},
        {"0ms d connect", "0ms wait-until d ended\n  0ms d connect",
         "17:7: d has not connected; write 'TIME d connect' before"},
        {"consume=manual", "consume=auto",
         "19:7: nothing to consume; write 'frame header=N payload=BYTES' and 'app sink "
         "consume=manual' in reactor"},
        {"2ms sut consume c", "2ms sut hold",
         "19:7: the sut is held for ever; write 'TIME sut go' later"},
        {"2ms sut consume c", "2ms sut go", "19:7: nothing is held; write 'TIME sut hold' before"},
        {"2ms sut consume c", "2ms sut hold\n  2ms sut hold\n  2ms sut go",
         "20:7: the sut is held since line 19; write 'TIME sut go' before"},
        {"2ms sut consume c", "2ms sut hold\n  2ms sut run rounds=1\n  2ms sut go",
         "20:7: the sut is held since line 19; write 'TIME sut go' before"},
        {"timeline\n", "reactions\n  on c data 1 close d\ntimeline\n",
         "16:3: data comes as frames here; write 'on PEER frame N'"},
        {"timeline\n", "reactions\n  on c frame 1 close d\n  on c frame 1 close d\ntimeline\n",
         "17:3: this reaction is said twice; keep one, the first is in line 16"},
        {"c frames \"CAT\"", "c frames \"LONG\"",
         "22:3: frame 1 has 4 bytes, above frame payload=3; expect a shorter one"},
        {"c frames \"CAT\"", "c bytes \"CAT\"",
         "22:3: data comes as frames here; write 'PEER frames'"},
        {"c end clean", "c end clean\n  c end reset",
         "24:3: end is said twice; keep one, the first is in line 23"},
        {"c end clean", "et: c end clean\n  et os: c end reset",
         "24:10: end is said twice; keep one, the first is in line 23"},
        {"c end clean", "c peak 10", "23:3: peak is above the capacity; expect at most 9"},
        {"c end clean", "c held 10", "23:3: held is above the capacity; expect at most 9"},
    };

    (void)state;
    script_reject(cases, sizeof(cases) / sizeof(cases[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(possible_orders_are_accepted),
        cmocka_unit_test(the_same_claim_for_other_triggers_is_no_contradiction),
        cmocka_unit_test(a_frame_may_fill_the_capacity),
        cmocka_unit_test(tells_each_mistake_with_its_place_and_the_remedy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
