/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sut/faults.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/os_pass.h"

#define FAULTS_TEXT_MAX 96

/* --- Telling --- */

/* As the script says it: "fault read c EINTR". */
static void faults_text(const struct faults *faults, const struct faults_rule *rule,
                        char text[FAULTS_TEXT_MAX])
{
    const struct plan_fault *fault = &rule->fault;
    const char *name = rule->peer == PLAN_NOBODY ? "" : faults->plan->peers[rule->peer].name;
    const char *error = strerrorname_np(fault->error);

    if (fault->kind == PLAN_FAULT_HOLD)
        (void)snprintf(text, FAULTS_TEXT_MAX, "fault wait hold %s", name);
    else if (fault->kind == PLAN_FAULT_SHORT)
        (void)snprintf(text, FAULTS_TEXT_MAX, "fault read %s short=%u", name, fault->bytes);
    else if (fault->call == PLAN_CALL_ACCEPT)
        (void)snprintf(text, FAULTS_TEXT_MAX, "fault accept %s", error ? error : "errno");
    else
        (void)snprintf(text, FAULTS_TEXT_MAX, "fault read %s %s", name, error ? error : "errno");
}

static void faults_tell(struct faults *faults, struct faults_rule *rule, const char *what)
{
    char text[FAULTS_TEXT_MAX];

    rule->settled = true;
    faults_text(faults, rule, text);
    remarks_add(faults->remarks, "line %u: sut %s: %s", rule->line, text, what);
}

/* `left` times of the rule were not used; one for ever owes one. */
static void faults_settle(struct faults *faults, struct faults_rule *rule, uint32_t left)
{
    char what[64];

    rule->settled = true;
    if (left == 0)
        return;
    if (rule->fault.times == 0) {
        faults_tell(faults, rule, "never used");
        return;
    }
    (void)snprintf(what, sizeof(what), "%u of %u not used", left, rule->fault.times);
    faults_tell(faults, rule, what);
}

/* --- A descriptor that is closed --- */

static enum os_fault_call faults_call(const struct faults_rule *rule)
{
    return rule->fault.call == PLAN_CALL_ACCEPT ? OS_FAULT_ACCEPT : OS_FAULT_READ;
}

/* True for a rule of a call that is armed on `fd`. */
static bool faults_is_on(const struct faults_rule *rule, enum os_fault_call call, int fd)
{
    return !rule->settled && rule->fd == fd && rule->fault.kind != PLAN_FAULT_HOLD &&
           faults_call(rule) == call;
}

static uint32_t faults_owed(const struct os_fault_rule *rule)
{
    return rule->times > 0 ? rule->times : !rule->used;
}

/* Rules of one call and descriptor are used up in the order in which they were armed, so those that
 * os_fault still has are the last ones. */
static void faults_settle_call(struct faults *faults, enum os_fault_call call, int fd)
{
    const struct os_fault_rule *left = faults->os_fault.rules;
    const struct os_fault_rule *end = left + faults->os_fault.rule_count;
    uint32_t used = 0;

    for (uint32_t i = 0; i < faults->count; i++)
        used += faults_is_on(&faults->rules[i], call, fd);
    for (const struct os_fault_rule *rule = left; rule < end; rule++)
        used -= rule->call == call && rule->fd == fd;
    for (uint32_t i = 0; i < faults->count; i++) {
        struct faults_rule *rule = &faults->rules[i];

        if (!faults_is_on(rule, call, fd))
            continue;
        while (used == 0 && (left->call != call || left->fd != fd))
            left++;
        faults_settle(faults, rule, used > 0 ? 0 : faults_owed(left++));
        used -= used > 0;
    }
}

static int faults_close_fd(void *self, int fd)
{
    struct faults *faults = self;

    faults_settle_call(faults, OS_FAULT_READ, fd);
    faults_settle_call(faults, OS_FAULT_ACCEPT, fd);
    for (uint32_t i = 0; i < faults->count; i++) {
        struct faults_rule *rule = &faults->rules[i];

        if (rule->settled || rule->fd != fd)
            continue;
        rule->fd = -1;
        if (faults->os_fault.held.stage == OS_FAULT_WATCHING)
            faults_tell(faults, rule, "no notice came");
    }
    return os_pass_close(self, fd);
}

static const struct os_ops faults_ops = {
    .now = os_pass_now,
    .wait = os_pass_wait,
    .ctl = os_pass_ctl,
    .read = os_pass_read,
    .accept = os_pass_accept,
    .close = faults_close_fd,
    .unread = os_pass_unread,
    .wake = os_pass_wake,
};

/* --- Outside --- */

int faults_open(struct faults *faults, struct os inner, const struct plan *plan,
                struct remarks *remarks, struct os *ret_os)
{
    *faults = (struct faults){.plan = plan, .remarks = remarks};
    for (uint32_t i = 0; i < plan->statement_count; i++)
        faults->room += plan->statements[i].verb == PLAN_FAULT;
    faults->rules = calloc(faults->room + 1, sizeof(*faults->rules));
    if (!faults->rules)
        return -ENOMEM;
    faults->inner = os_fault_wrap(&faults->os_fault, inner);
    *ret_os = (struct os){.ops = &faults_ops, .self = faults};
    return 0;
}

int faults_add(struct faults *faults, const struct sut_verb *verb)
{
    if (faults->count == faults->room)
        return -ENOSPC;
    faults->rules[faults->count++] = (struct faults_rule){
        .line = verb->line, .peer = verb->peer, .fault = verb->fault, .fd = -1};
    return 0;
}

/* One notice is kept at a time, so the holds before are over when another begins. */
static int faults_hold(struct faults *faults, int fd, uint64_t data)
{
    int rc = os_fault_hold(&faults->os_fault, fd, data);

    for (uint32_t i = 0; rc == 0 && i < faults->count; i++)
        if (faults->rules[i].fault.kind == PLAN_FAULT_HOLD && faults->rules[i].armed)
            faults->rules[i].settled = true;
    return rc;
}

static int faults_arm_rule(struct faults *faults, struct faults_rule *rule, int fd, uint64_t data)
{
    const struct os_fault_rule armed = {
        .call = faults_call(rule),
        .fd = fd,
        .error = rule->fault.error,
        .bytes = rule->fault.bytes,
        .times = rule->fault.times,
    };
    int rc = rule->fault.kind == PLAN_FAULT_HOLD ? faults_hold(faults, fd, data)
                                                 : os_fault_add(&faults->os_fault, &armed);

    if (rc < 0)
        return rc;
    rule->armed = true;
    rule->fd = fd;
    return 0;
}

int faults_arm(struct faults *faults, uint32_t peer, int fd, uint64_t data, uint32_t *ret_line)
{
    for (uint32_t i = 0; i < faults->count; i++) {
        struct faults_rule *rule = &faults->rules[i];
        int rc;

        if (rule->armed || rule->peer != peer)
            continue;
        rc = faults_arm_rule(faults, rule, fd, data);
        if (rc < 0) {
            *ret_line = rule->line;
            return rc;
        }
    }
    return 0;
}

void faults_close(struct faults *faults)
{
    bool held = faults->os_fault.held.stage != OS_FAULT_UNUSED;

    for (uint32_t i = 0; i < faults->count; i++) {
        struct faults_rule *rule = &faults->rules[i];

        if (rule->settled)
            continue;
        if (!rule->armed)
            faults_settle(faults, rule, rule->fault.times > 0 ? rule->fault.times : 1);
        else if (rule->fault.kind == PLAN_FAULT_HOLD && held)
            faults_tell(faults, rule, "its number got no other source");
    }
    free(faults->rules);
    faults->rules = NULL;
    faults->count = 0;
}
