/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sut/child.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>

#include "core/os_linux.h"
#include "harness/cpu.h"
#include "harness/descriptor.h"
#include "harness/sut/subject.h"
#include "harness/sys_linux.h"
#include "harness/urgency.h"

/* Everything that the process holds. */
struct child_state {
    const struct child *child;
    struct sys_linux kernel;
    struct os_linux *linux_os;
    struct subject subject;
    uint32_t taken; /* free pace: the last order that was passed on */
};

static int child_receive(void *arg)
{
    return descriptor_receive(((struct child_state *)arg)->child->control);
}

/* --- Free pace: orders come to a thread of their own and go on by the reactor's inbox --- */

/* False when the reactor takes no more: it has its stop, or is over. */
static bool child_pass_on(struct child_state *state)
{
    int rc;

    while ((rc = reactor_post(state->subject.reactor, state->taken)) == -EAGAIN)
        (void)sched_yield();
    return rc == 0;
}

static void *child_listen_to_bench(void *arg)
{
    struct child_state *state = arg;
    struct handover *handover = &state->child->block->handover;

    do {
        while (handover_await_order(handover, state->taken, DURATION_MS(1000)) < 0)
            continue;
        state->taken = handover_orders(handover);
    } while (child_pass_on(state));
    return NULL;
}

/* The order that the sut is being started by is answered here, and never passed on. */
static int child_start_thread(struct child_state *state)
{
    pthread_t thread;
    int rc;

    state->taken = handover_orders(&state->child->block->handover);
    rc = pthread_create(&thread, NULL, child_listen_to_bench, state);
    if (rc != 0)
        return -rc;
    (void)pthread_detach(thread);
    gatekeeper_answer(&state->subject.keeper);
    return 0;
}

/* --- Putting it together --- */

static void child_make_subject(struct child_state *state)
{
    const struct child *child = state->child;
    struct subject_config config = {
        .block = child->block,
        .plan = child->plan,
        .trigger = child->trigger,
        .family = child->family,
        .defect = child->defect,
        .free_pace = child->plan->pace == PLAN_FREE,
        .sys = sys_linux_open(&state->kernel, NULL),
        .receive = child_receive,
        .arg = state,
    };

    subject_init(&state->subject, &config);
}

static int child_open(struct child_state *state, const char **ret_step)
{
    int rc = os_linux_open(&state->linux_os);

    *ret_step = "reactor";
    if (rc < 0)
        return rc;
    state->subject.config.os = os_linux_table(state->linux_os);
    rc = subject_open(&state->subject, ret_step);
    if (rc < 0 || !state->subject.config.free_pace)
        return rc;
    *ret_step = "thread";
    return child_start_thread(state);
}

int child_run(void *arg)
{
    static struct child_state state;
    const struct child *child = arg;
    const char *step;
    int rc;

    state = (struct child_state){.child = child};
    child_make_subject(&state);
    if (child->cpu >= 0)
        (void)cpu_pin(child->cpu);
    if (!child->patient)
        (void)urgency_raise(URGENCY_SUT);
    rc = child_open(&state, &step);
    if (rc < 0)
        rc = subject_fail(&state.subject, step, rc);
    else
        rc = subject_run(&state.subject);
    return rc < 0 ? 3 : 0;
}
