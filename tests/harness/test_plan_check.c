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
        "  3ms sut hold\n  4ms wait-until c unread 5\n  5ms sut go\n",
        "  3ms sut hold\n  4ms wait-until c blocked\n  5ms sut go\n",
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

static const struct script_case mistaken[] = {
    {"  3ms c shutdown write", "  3ms sut hold\n  3ms wait-until c ended\n  4ms sut go",
     "21:7: the sut is held since line 20; write 'TIME sut go' before"},
    {"  3ms c shutdown write", "  3ms sut hold\n  wait-until sut idle\n  4ms sut go",
     "21:3: the sut is held since line 20; write 'TIME sut go' before"},
    {"peers\n  c tcp\n  d tcp\ntimeline\n",
     "run\n  pace free\n  compare streams\npeers\n  c tcp\n  d tcp\ntimeline\n"
     "  wait-until sut idle\n",
     "19:3: nobody knows when a sut at free pace is idle; wait for a peer, or write "
     "'pace lockstep'"},
    {"peers\n  c tcp\n  d tcp\n",
     "run\n  pace free\n  compare streams\npeers\n  c tcp\n  d tcp\nreactions\n"
     "  on c end takes 5ms\n",
     "19:3: takes is script time, and free pace has none; leave it away, or write 'pace "
     "lockstep'"},
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
    {"  capacity 9\n", "", "9:19: frames need a capacity; write 'capacity 5' or more in reactor"},
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
    {"c frames \"CAT\"", "c bytes \"CAT\"", "22:3: data comes as frames here; write 'PEER frames'"},
    {"c end clean", "c end clean\n  c end reset",
     "24:3: end is said twice; keep one, the first is in line 23"},
    {"c end clean", "et: c end clean\n  et os: c end reset",
     "24:10: end is said twice; keep one, the first is in line 23"},
    {"c end clean", "c peak 10", "23:3: peak is above the capacity; expect at most 9"},
    {"c end clean", "c held 10", "23:3: held is above the capacity; expect at most 9"},
    {"  quantum  bytes=9 attempts=2 frames=1\n  frame    header=2 payload=3\n  capacity "
     "9\n  app      sink consume=manual\npeers\n  c tcp\n  d tcp\ntimeline\n  0ms c "
     "connect\n  0ms d connect\n  1ms c send 00 03 \"CAT\"\n  2ms sut consume c\n  3ms c "
     "shutdown write\n",
     "  quantum frames=1\npeers\n  c stream\ntimeline\n  0ms c connect\n",
     "8:18: a budget of frames without frames; write 'frame header=N payload=BYTES', or "
     "leave frames= away"},
    {"  quantum  bytes=9 attempts=2 frames=1\n  frame    header=2 payload=3\n  capacity "
     "9\n  app      sink consume=manual\npeers\n  c tcp\n  d tcp\ntimeline\n  0ms c "
     "connect\n  0ms d connect\n  1ms c send 00 03 \"CAT\"\n  2ms sut consume c\n  3ms c "
     "shutdown write\n",
     "  app sink consume=manual\npeers\n  c stream\ntimeline\n  0ms c connect\n",
     "8:20: consume=manual gives frames back; write 'frame header=N payload=BYTES', or "
     "leave it away"},
    {"  quantum  bytes=9 attempts=2 frames=1\n  frame    header=2 payload=3\n  capacity "
     "9\n  app      sink consume=manual\npeers\n  c tcp\n  d tcp\ntimeline\n  0ms c "
     "connect\n  0ms d connect\n  1ms c send 00 03 \"CAT\"\n  2ms sut consume c\n  3ms c "
     "shutdown write\n",
     "  capacity 9\npeers\n  c stream\ntimeline\n  0ms c connect\n",
     "8:12: a capacity without frames; write 'frame header=N payload=BYTES', or leave it "
     "away"},
    {"  quantum  bytes=9 attempts=2 frames=1\n  frame    header=2 payload=3\n  capacity "
     "9\n  app      sink consume=manual\npeers\n  c tcp\n  d tcp\ntimeline\n  0ms c "
     "connect\n  0ms d connect\n  1ms c send 00 03 \"CAT\"\n  2ms sut consume c\n  3ms c "
     "shutdown write\n",
     "peers\n  c stream\ntimeline\n  0ms c connect\n  1ms sut consume c\n",
     "12:7: nothing to consume; write 'frame header=N payload=BYTES' and 'app sink "
     "consume=manual' in reactor\n14:3: 'frames' speaks of frames, and there are none; "
     "write 'frame header=N payload=BYTES' in reactor"},
    {"  quantum  bytes=9 attempts=2 frames=1\n  frame    header=2 payload=3\n  capacity "
     "9\n  app      sink consume=manual\npeers\n  c tcp\n  d tcp\ntimeline\n  0ms c "
     "connect\n  0ms d connect\n  1ms c send 00 03 \"CAT\"\n  2ms sut consume c\n  3ms c "
     "shutdown write\n",
     "peers\n  c stream\ntimeline\n  0ms c connect\n",
     "13:3: 'frames' speaks of frames, and there are none; write 'frame header=N "
     "payload=BYTES' in reactor"},
    {"  quantum  bytes=9 attempts=2 frames=1\n  frame    header=2 payload=3\n  capacity "
     "9\n  app      sink consume=manual\npeers\n  c tcp\n  d tcp\ntimeline\n  0ms c "
     "connect\n  0ms d connect\n  1ms c send 00 03 \"CAT\"\n  2ms sut consume c\n  3ms c "
     "shutdown write\nexpect\n  c frames \"CAT\"\n",
     "peers\n  c stream\ntimeline\n  0ms c connect\nexpect\n  c peak 5\n",
     "13:3: 'peak' speaks of frames, and there are none; write 'frame header=N "
     "payload=BYTES' in reactor"},
    {"  quantum  bytes=9 attempts=2 frames=1\n  frame    header=2 payload=3\n  capacity "
     "9\n  app      sink consume=manual\npeers\n  c tcp\n  d tcp\ntimeline\n  0ms c "
     "connect\n  0ms d connect\n  1ms c send 00 03 \"CAT\"\n  2ms sut consume c\n  3ms c "
     "shutdown write\nexpect\n  c frames \"CAT\"\n  c end clean\n",
     "peers\n  c stream\ntimeline\n  0ms c connect\nexpect\n  c end truncated\n",
     "13:3: 'end' speaks of frames, and there are none; write 'frame header=N "
     "payload=BYTES' in reactor"},
    {"  quantum  bytes=9 attempts=2 frames=1\n  frame    header=2 payload=3\n  capacity "
     "9\n  app      sink consume=manual\npeers\n  c tcp\n  d tcp\ntimeline\n  0ms c "
     "connect\n  0ms d connect\n  1ms c send 00 03 \"CAT\"\n  2ms sut consume c\n  3ms c "
     "shutdown write\nexpect\n  c frames \"CAT\"\n",
     "peers\n  c stream\ntimeline\n  0ms c connect\nexpect\n  c held 5\n",
     "13:3: 'held' speaks of frames, and there are none; write 'frame header=N "
     "payload=BYTES' in reactor"},
    {"  quantum  bytes=9 attempts=2 frames=1\n  frame    header=2 payload=3\n  capacity "
     "9\n  app      sink consume=manual\npeers\n  c tcp\n  d tcp\ntimeline\n  0ms c "
     "connect\n  0ms d connect\n  1ms c send 00 03 \"CAT\"\n  2ms sut consume c\n  3ms c "
     "shutdown write\nexpect\n  c frames \"CAT\"\n",
     "peers\n  c stream\nreactions\n  on c frame 1 close c\ntimeline\n  0ms c connect\n"
     "expect\n",
     "11:3: there are no frames; write 'on PEER data N', or 'frame header=N payload=BYTES' "
     "in reactor"},
    {"  quantum  bytes=9 attempts=2 frames=1\n  frame    header=2 payload=3\n  capacity "
     "9\n  app      sink consume=manual\npeers\n  c tcp\n  d tcp\ntimeline\n  0ms c "
     "connect\n  0ms d connect\n  1ms c send 00 03 \"CAT\"\n  2ms sut consume c\n  3ms c "
     "shutdown write\nexpect\n  c frames \"CAT\"\n",
     "peers\n  c stream\nreactions\n  on c data 1 consume c\ntimeline\n  0ms c connect\n"
     "expect\n",
     "11:3: nothing to consume; write 'frame header=N payload=BYTES' and 'app sink "
     "consume=manual' in reactor"},
    {"  quantum  bytes=9 attempts=2 frames=1\n  frame    header=2 payload=3\n  capacity "
     "9\n  app      sink consume=manual\npeers\n  c tcp\n  d tcp\ntimeline\n  0ms c "
     "connect\n  0ms d connect\n  1ms c send 00 03 \"CAT\"\n  2ms sut consume c\n  3ms c "
     "shutdown write\nexpect\n  c frames \"CAT\"\n",
     "run\n  pace free\n  compare streams\npeers\n  c stream\ntimeline\n  0ms c connect\n  "
     "1ms sut hold\n  2ms sut go\n  3ms sut run quanta=1\nexpect\n",
     "15:7: free pace grants nothing; leave 'hold' away, or write 'pace lockstep'\n16:7: "
     "free pace grants nothing; leave 'go' away, or write 'pace lockstep'\n17:7: free pace "
     "grants nothing; leave 'run' away, or write 'pace lockstep'"},
    {"  quantum  bytes=9 attempts=2 frames=1\n  frame    header=2 payload=3\n  capacity "
     "9\n  app      sink consume=manual\npeers\n  c tcp\n  d tcp\ntimeline\n  0ms c "
     "connect\n  0ms d connect\n  1ms c send 00 03 \"CAT\"\n  2ms sut consume c\n  3ms c "
     "shutdown write\nexpect\n  c frames \"CAT\"\n  c end clean\n",
     "  frame header=2 payload=3\n  capacity 9\npeers\n  c stream\ntimeline\n  0ms c "
     "connect\nexpect\n  c held 5\n",
     "15:3: nothing is held when frames are given back at once; write 'app sink "
     "consume=manual' in reactor"},
    {"  family   ipv4 ipv6\nreactor\n  trigger  et lt os\n  quantum  bytes=9 attempts=2 "
     "frames=1\n  frame    header=2 payload=3\n  capacity 9\n  app      sink "
     "consume=manual\npeers\n  c tcp\n  d tcp\ntimeline\n  0ms c connect\n  0ms d "
     "connect\n  1ms c send 00 03 \"CAT\"\n  2ms sut consume c\n  3ms c shutdown write\n"
     "expect\n  c frames \"CAT\"\n",
     "  family unix\nreactor\n  trigger et\npeers\n  c stream\ntimeline\n  0ms c "
     "connect\n  1ms c reset\nexpect\n",
     "12:7: family unix knows no reset; write 'TIME PEER close', or only ipv4 and ipv6"},
    {"  family   ipv4 ipv6\nreactor\n  trigger  et lt os\n  quantum  bytes=9 attempts=2 "
     "frames=1\n  frame    header=2 payload=3\n  capacity 9\n  app      sink "
     "consume=manual\npeers\n  c tcp\n  d tcp\ntimeline\n  0ms c connect\n  0ms d "
     "connect\n  1ms c send 00 03 \"CAT\"\n  2ms sut consume c\n  3ms c shutdown write\n"
     "expect\n  c frames \"CAT\"\n",
     "  family pipe\n  socket rcvbuf=1 sndbuf=2\n  backlog 3\nreactor\n  trigger et\n"
     "peers\n  c pipe\ntimeline\n  0ms c connect\nexpect\n",
     "6:17: family pipe has no sockets; leave the lines socket and backlog away\n6:26: "
     "family pipe has no sockets; leave the lines socket and backlog away\n7:11: family "
     "pipe has no sockets; leave the lines socket and backlog away"},
    {"  family   ipv4 ipv6\nreactor\n  trigger  et lt os\n  quantum  bytes=9 attempts=2 "
     "frames=1\n  frame    header=2 payload=3\n  capacity 9\n  app      sink "
     "consume=manual\npeers\n  c tcp\n  d tcp\ntimeline\n  0ms c connect\n  0ms d "
     "connect\n  1ms c send 00 03 \"CAT\"\n  2ms sut consume c\n  3ms c shutdown write\n"
     "expect\n  c frames \"CAT\"\n",
     "  family pipe\nreactor\n  trigger et\npeers\n  c pipe\ntimeline\n  0ms c connect\n  "
     "1ms c shutdown write\n  2ms c reset\n  3ms sut fault accept EMFILE\nexpect\n",
     "12:7: a pipe cannot be shut down; write 'TIME PEER close'\n13:7: family pipe knows "
     "no reset; write 'TIME PEER close', or only ipv4 and ipv6\n14:7: family pipe accepts "
     "nothing; write a fault of read"},
    {"  family   ipv4 ipv6\nreactor\n  trigger  et lt os\n  quantum  bytes=9 attempts=2 "
     "frames=1\n  frame    header=2 payload=3\n  capacity 9\n  app      sink "
     "consume=manual\npeers\n  c tcp\n  d tcp\ntimeline\n  0ms c connect\n  0ms d "
     "connect\n  1ms c send 00 03 \"CAT\"\n  2ms sut consume c\n  3ms c shutdown write\n"
     "expect\n  c frames \"CAT\"\n",
     "  family ipv4\nreactor\n  trigger et\npeers\n  c pipe\ntimeline\n  0ms c connect\n"
     "expect\n",
     "9:3: peer c is pipe, which family ipv4 cannot carry; write stream"},
    {"  family   ipv4 ipv6\nreactor\n  trigger  et lt os\n  quantum  bytes=9 attempts=2 "
     "frames=1\n  frame    header=2 payload=3\n  capacity 9\n  app      sink "
     "consume=manual\npeers\n  c tcp\n  d tcp\ntimeline\n  0ms c connect\n  0ms d "
     "connect\n  1ms c send 00 03 \"CAT\"\n  2ms sut consume c\n  3ms c shutdown write\n"
     "expect\n  c frames \"CAT\"\n  c end clean\n",
     "  family ipv4\nreactor\n  trigger et\npeers\n  c stream\ntimeline\n  0ms c connect\n"
     "expect\n  lt: c notices 1\n",
     "13:3: lt is no trigger of this script; add it to the line 'trigger', or leave the "
     "tag away"},
};

static void tells_each_mistake_with_its_place_and_the_remedy(void **state)
{
    (void)state;
    script_reject(mistaken, sizeof(mistaken) / sizeof(mistaken[0]));
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
