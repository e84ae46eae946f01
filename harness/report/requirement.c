/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/requirement.h"

#include <string.h>

#define REQUIREMENTS(X)                                                                            \
    /* Identity and lifecycle. */                                                                  \
    X("R-ID-01", "a source is known by slot and generation, never by its number")                  \
    X("R-ID-02", "no generation is used again while anything may still carry it")                  \
    X("R-ID-03", "one thread alone reads from a source")                                           \
    X("R-ID-04", "callbacks never enter the loop again")                                           \
    X("R-ID-05", "each notice of a batch is checked by generation before any use")                 \
    X("R-ID-06", "a close ends dispatch, leaves the queue, then lets old notices go")              \
    X("R-ID-07", "a late notice for a reused number never reaches its new holder")                 \
    X("R-ID-08", "entries that are deleted late do not count as members of the queue")             \
    X("R-ID-09", "the end of reading is not the end of the connection")                            \
    X("R-ID-10", "the interest entry is removed before the descriptor is closed")                  \
    X("R-ID-11", "a notice carries slot and generation, not a descriptor alone")                   \
    X("R-ID-12", "to be the same object and to be allowed to use it are two rules")                \
    X("R-ID-13", "an end or a fatal error ends service; left notices are ignored")                 \
    X("R-ID-14", "interest entry, event array and buffers each have their own life")               \
    X("R-ID-15", "nothing is pooled before its owner and moment of reuse are known")               \
    X("R-ID-16", "a slot's next generation starts when nothing of the last is left")               \
    /* States and transitions. */                                                                  \
    X("R-ST-01", "a source is in one of six states, with a hint and a half frame")                 \
    X("R-ST-02", "a hint says that a source is not shown empty, not that it has data")             \
    X("R-ST-03", "bytes, EAGAIN, end and error of a read each mean one thing")                     \
    X("R-ST-04", "a notice is advice to read: no message, no count, no permission")                \
    X("R-ST-05", "of a live source only a real EAGAIN takes the hint away")                        \
    X("R-ST-06", "a notice sets the hint and queues a waiting source, once")                       \
    X("R-ST-07", "the head of the queue runs, with all budgets fresh")                             \
    X("R-ST-08", "a read is charged with what it got, within the reserved room")                   \
    X("R-ST-09", "EAGAIN clears the hint and waits; a half frame stays")                           \
    X("R-ST-10", "a used up budget keeps the hint and queues the source at the tail")              \
    X("R-ST-11", "without room a source pauses with its hint, and is not queued")                  \
    X("R-ST-12", "room that comes back queues a paused source with a hint")                        \
    X("R-ST-13", "an end finishes a source, an error fails it; no read comes after")               \
    X("R-ST-14", "stops by budget, by lack of input and by lack of room differ")                   \
    X("R-ST-15", "hang-up bits are hints to read on: no byte is lost to a bit")                    \
    X("R-ST-16", "within a frame an end is a truncation, and EAGAIN waits")                        \
    X("R-ST-17", "end, error and EAGAIN count before a budget used up with them")                  \
    X("R-ST-18", "a reservation that is still held lets a half frame go on")                       \
    X("R-ST-19", "a state and a hint come only in their six pairs")                                \
    X("R-ST-20", "the first fatal error stays: a reset is never a clean end")                      \
    X("R-ST-21", "an event in a state where it is illegal is told, and has no effect")             \
    X("R-ST-22", "an end of reading is no success of the request")                                 \
    /* The ready queue. */                                                                         \
    X("R-Q-01", "the queue holds exactly the sources whose state is QUEUED")                       \
    X("R-Q-02", "no source is in the queue twice")                                                 \
    X("R-Q-03", "the running source is not in the queue, and there is at most one")                \
    X("R-Q-04", "a paused source is not in the queue, hint or not")                                \
    X("R-Q-05", "everybody queues at the tail: new and continuing sources alike")                  \
    X("R-Q-06", "a dispatch, an EAGAIN, a pause and an end leave no member behind")                \
    X("R-Q-07", "to queue, to take and to ask cost the same for any number of them")               \
    X("R-Q-08", "the queue has room for every slot; a full one is an internal error")              \
    X("R-Q-09", "a yield leaves the read offset and the half frame as they are")                   \
    X("R-Q-10", "a repeated notice changes neither the queue nor the bytes")                       \
    X("R-Q-11", "a hot source cannot fill the queue")                                              \
    X("R-Q-12", "the queue is checked after each quantum and each collection")                     \
    /* Budgets. */                                                                                 \
    X("R-B-01", "a quantum reads at most its bytes and makes at most its attempts")                \
    X("R-B-02", "each attempt counts, EINTR too; EINTR is no EAGAIN")                              \
    X("R-B-03", "the budgets of bytes and attempts do not stand in for each other")                \
    X("R-B-04", "the work of parsing and callbacks in a quantum is bounded")                       \
    X("R-B-05", "a frame budget bounds the frames of a quantum, beside the others")                \
    X("R-B-06", "whichever budget is used up first makes the source yield")                        \
    X("R-B-07", "bytes are bounded beside items, since one message may be large")                  \
    X("R-B-08", "a time budget is tested between operations, not in a callback")                   \
    X("R-B-09", "work that is handed on has a queue bound and an end of its own")                  \
    X("R-B-10", "a read asks for no more than the rest of the byte budget")                        \
    X("R-B-11", "a yield names every budget that is used up")                                      \
    X("R-B-12", "the reference budgets can be configured")                                         \
    X("R-B-13", "a budget bounds counts, not time")                                                \
    X("R-B-14", "budgets are whole numbers from 1 to 10000")                                       \
    /* The loop. */                                                                                \
    X("R-L-01", "a round collects, does bounded local work, runs one quantum")                     \
    X("R-L-02", "each round collects, even while the queue is not empty")                          \
    X("R-L-03", "the loop never sleeps while a source is queued")                                  \
    X("R-L-04", "the loop sleeps only with an empty queue and no local work")                      \
    X("R-L-05", "every kind of local work keeps the loop from sleeping")                           \
    X("R-L-06", "no local queue starves another")                                                  \
    X("R-L-07", "a bound on one collection keeps no source out for ever")                          \
    X("R-L-08", "the event array bounds one collection, not the number of sources")                \
    X("R-L-09", "nothing of the event array is used after the next wait")                          \
    X("R-L-10", "an interrupted wait is repeated; another error ends the reactor")                 \
    X("R-L-11", "stop requests and timers come before the head of the queue")                      \
    X("R-L-12", "control requests have an entry and a budget of their own")                        \
    X("R-L-13", "entries left behind an emptied eventfd keep the loop from sleeping")              \
    X("R-L-14", "a tick and the nearest deadline are two modes of the timer")                      \
    X("R-L-15", "with the nearest deadline, entries that are left are local work")                 \
    X("R-L-16", "a change of the timer reruns deadline, cancel, stop and overload")                \
    X("R-L-17", "a stop is complete when each item that was let in has its result")                \
    X("R-L-18", "after a stop nothing accepted is missing and nothing is done twice")              \
    X("R-L-19", "the reference order of a round is written down")                                  \
    X("R-L-20", "how work goes on, and what is owed after a close, can be answered")               \
    X("R-L-21", "level-triggered, a paused or ended source leaves the mask")                       \
    X("R-L-22", "completions are records of their own, not a readable bit")                        \
    /* Framing. */                                                                                 \
    X("R-F-01", "a frame has a header of two bytes and a bounded payload")                         \
    X("R-F-02", "the credit covers whole frames and the reservation of the next")                  \
    X("R-F-03", "before a header is read, room for the largest frame is reserved")                 \
    X("R-F-04", "a read asks only for the bytes that header or payload miss")                      \
    X("R-F-05", "a known length lets the reservation shrink")                                      \
    X("R-F-06", "a whole frame turns its reservation into use; the sum stays")                     \
    X("R-F-07", "a released frame wakes the paused reader without a new edge")                     \
    X("R-F-08", "EAGAIN keeps the reservation of the half frame")                                  \
    X("R-F-09", "an orderly end gives the reservation back")                                       \
    X("R-F-10", "a dispatch delivers at most its frames and makes at most its reads")              \
    X("R-F-11", "a used up frame budget without room for the next frame pauses")                   \
    X("R-F-12", "bytes that have no room stay in the kernel")                                      \
    X("R-F-13", "the credit's peak is at the last probe: frame and reservation")                   \
    X("R-F-14", "an idle connection keeps its reservation by choice")                              \
    X("R-F-15", "an empty frame is a frame, and needs no read of length 0")                        \
    X("R-F-16", "a length above the maximum fails the source; nothing is allocated")               \
    X("R-F-17", "an end within a header or a payload is a truncation")                             \
    X("R-F-18", "frames do not depend on how reads cut the bytes")                                 \
    X("R-F-19", "bytes that are needed later do not stay in the read buffer")                      \
    X("R-F-20", "the credit stays within its capacity; EAGAIN alone takes the hint")               \
    X("R-F-21", "bytes behind a frame of the same read are kept and charged")                      \
    X("R-F-22", "what is kept is parsed before more is read")                                      \
    X("R-F-23", "any cut of the bytes under any budget gives the same frames")                     \
    X("R-F-24", "a largest frame above the capacity is refused at once")                           \
    X("R-F-25", "whole frames stay charged behind the end, until consumed")                        \
    /* Writing. */                                                                                 \
    X("R-W-01", "a write that took a part goes on at the first byte not sent")                     \
    X("R-W-02", "interest in writing lasts as long as output is pending")                          \
    X("R-W-03", "one writable edge writes until EAGAIN or until nothing is left")                  \
    X("R-W-04", "an empty queue and a kernel that would block are told apart")                     \
    X("R-W-05", "a writable hint proves no completion")                                            \
    X("R-W-06", "pending output outlives the end of reading")                                      \
    X("R-W-07", "the prefix not sent survives a yield")                                            \
    X("R-W-08", "a lost offset, an early reuse and a late event each have a test")                 \
    X("R-W-09", "the write side has budgets too")                                                  \
    X("R-W-10", "new output is written at once")                                                   \
    X("R-W-11", "no SIGPIPE; a broken connection fails the write direction")                       \
    /* Triggers. */                                                                                \
    X("R-ET-01", "a level is reported again; an edge promises no notice a quantum")                \
    X("R-ET-02", "edge triggering works on nonblocking descriptors only")                          \
    X("R-ET-03", "only EAGAIN shows that a source is empty, no short read does")                   \
    X("R-ET-04", "who stops before EAGAIN stays queued, and waits for no other edge")              \
    X("R-ET-05", "every trigger gives the same bytes, however many notices it brings")             \
    X("R-ET-06", "a stop by the scheduler is no sign that readiness ended")                        \
    X("R-ET-07", "a full read proves neither that there is more nor that there is not")            \
    X("R-ET-08", "a one-shot entry is silent until it is armed again")                             \
    X("R-ET-09", "every path that goes on arms a one-shot entry again, or closes it")              \
    X("R-ET-10", "the states of a one-shot entry are explicit")                                    \
    X("R-ET-11", "one-shot gives neither rotation nor fairness nor release")                       \
    X("R-ET-12", "one scenario gives the same bytes under every trigger")                          \
    X("R-ET-13", "events are copied to the caller")                                                \
    X("R-ET-14", "a one-shot entry is armed again only behind EAGAIN")                             \
    /* Backpressure. */                                                                            \
    X("R-BP-01", "each layer has a bound, and an answer when it is full")                          \
    X("R-BP-02", "control requests are refused or completed, never dropped")                       \
    X("R-BP-03", "data that is dropped is counted")                                                \
    X("R-BP-04", "a sender that cannot be paused meets a stated policy")                           \
    X("R-BP-05", "a full worker queue meets a stated policy")                                      \
    X("R-BP-06", "room that comes back is an event with an identity, handled in turn")             \
    X("R-BP-07", "what the application holds is charged, what the kernel holds not")               \
    X("R-BP-08", "a paused reader closes the window, and opens it when it goes on")                \
    X("R-BP-09", "every layer has the same counters")                                              \
    /* Fairness. */                                                                                \
    X("R-FA-01", "a queued source waits for at most one quantum of each other source")             \
    X("R-FA-02", "a queued source starts within the rounds and quanta before it")                  \
    X("R-FA-03", "a notice that just missed a collection adds the kernel's time")                  \
    X("R-FA-04", "a long callback voids the bound on time")                                        \
    X("R-FA-05", "a round lasts no longer than its bounded items")                                 \
    X("R-FA-06", "a smaller batch brings a stop sooner")                                           \
    X("R-FA-07", "the second source is served behind one quantum of the first")                    \
    X("R-FA-08", "a stop and deadlines are timely while a source is always readable")              \
    X("R-FA-09", "a late source starts at most one quantum after its collection")                  \
    X("R-FA-10", "rotation and an entry of its own give control its turn")                         \
    /* What goes wrong without a rule. */                                                          \
    X("R-NEG-01", "without a requeue behind the budget, an edge leaves bytes unread")              \
    X("R-NEG-02", "the same level-triggered ends, but by repeated notices alone")                  \
    X("R-NEG-03", "without an attempt budget endless EINTR never ends the quantum")                \
    X("R-NEG-04", "a collection only when the queue is empty keeps a late source out")             \
    X("R-NEG-05", "a requeue behind EAGAIN spins without input")                                   \
    X("R-NEG-06", "a hint cleared by a budget stop loses the rest")                                \
    X("R-NEG-07", "without a check for doubles a source is queued twice")                          \
    X("R-NEG-08", "EAGAIN taken as an end closes at the first gap")                                \
    X("R-NEG-09", "a hang-up bit taken as an end loses the tail")                                  \
    X("R-NEG-10", "without a wake-up by released room a paused reader sleeps for ever")            \
    X("R-NEG-11", "a paused source that queues itself spins with empty quanta")                    \
    X("R-NEG-12", "a room test that adds the held reservation strands a half frame")               \
    X("R-NEG-13", "bytes read into an array that nobody charges break the credit")                 \
    X("R-NEG-14", "a dropped suffix loses a frame, and looks like a clean end")                    \
    X("R-NEG-15", "without a check of generations a notice reaches a new object")                  \
    X("R-NEG-16", "a batch that is not checked again uses an object that is gone")                 \
    X("R-NEG-17", "an event array that is handed on is overwritten by the next wait")              \
    X("R-NEG-18", "a one-shot entry that an error path does not arm stays silent")                 \
    X("R-NEG-19", "interest in writing without output brings notices in vain")                     \
    X("R-NEG-20", "a close without a removal leaves the notices of a duplicate")                   \
    X("R-NEG-21", "an emptied eventfd with entries left lets them sleep")                          \
    X("R-NEG-22", "one queue for control and data delays a stop by the backlog")                   \
    X("R-NEG-23", "a drain to EAGAIN on a hot source keeps everybody else waiting")                \
    X("R-NEG-24", "an unbounded callback voids the bound")                                         \
    X("R-NEG-25", "a blocking descriptor stops the thread")                                        \
    X("R-NEG-26", "a short read taken as exhaustion leaves records behind")                        \
    X("R-NEG-27", "an empty datagram taken as an end loses the rest")                              \
    X("R-NEG-28", "a lost write offset doubles or loses bytes")                                    \
    X("R-NEG-29", "one write for each writable edge stalls the output")                            \
    X("R-NEG-30", "an end of reading that closes the connection loses the response")               \
    X("R-NEG-39", "a local queue with unlimited priority starves a paused source")                 \
    X("R-NEG-41", "reading on behind a reset reports a clean end")                                 \
    X("R-NEG-42", "a paused level-triggered source in the mask: no wait sleeps")                   \
    /* Decisions. */                                                                               \
    X("C9", "level-triggered, a paused source leaves the interest mask")                           \
    X("C18", "the last frame is consumed behind the last probe, for the peak")                     \
    X("C32", "a paused source learns of a reset only when it goes on")                             \
    X("C34", "hang-up bits are hints; a source dead both ways is deleted")                         \
    X("C41", "a masked source with a hang-up is deleted, and goes on by its hint")                 \
    /* Worked examples. */                                                                         \
    X("W1", "two sources, six bytes and two, in six quanta")                                       \
    X("W2", "the same without a requeue")                                                          \
    X("W3", "the same with a byte a quantum, in ten quanta")                                       \
    X("W6", "CAT and OK in three pieces, seven quanta, peak nine")                                 \
    X("W7", "the same with several frames in a read")                                              \
    X("W8", "the boundary cases of framing")

static const struct {
    const char *name;
    const char *text;
} requirements[] = {
#define X(name, text) {name, text},
    REQUIREMENTS(X)
#undef X
};

#define REQUIREMENT_COUNT (sizeof(requirements) / sizeof(*requirements))

const char *requirement_text(const char *name)
{
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++)
        if (strcmp(requirements[i].name, name) == 0)
            return requirements[i].text;
    return NULL;
}

const char *requirement_name(size_t i)
{
    return i < REQUIREMENT_COUNT ? requirements[i].name : NULL;
}
