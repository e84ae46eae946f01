/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/container/rights.h"

#include <stdio.h>
#include <strings.h>
#include <sys/capability.h>

#include "tests/container/failed.h"

static const cap_value_t kept_by_default[] = {
    CAP_CHOWN,  CAP_DAC_OVERRIDE, CAP_FSETID,  CAP_FOWNER,  CAP_MKNOD,
    CAP_NET_RAW, CAP_SETGID,      CAP_SETUID,  CAP_SETFCAP, CAP_SETPCAP,
    CAP_NET_BIND_SERVICE, CAP_SYS_CHROOT, CAP_KILL, CAP_AUDIT_WRITE,
};

static rights bit(cap_value_t capability)
{
    return (rights)1 << (unsigned)capability;
}

rights rights_default(void)
{
    rights set = 0;

    for (size_t i = 0; i < sizeof(kept_by_default) / sizeof(*kept_by_default); i++)
        set |= bit(kept_by_default[i]);
    return set;
}

rights rights_all(void)
{
    rights set = 0;

    for (cap_value_t capability = 0; capability < cap_max_bits(); capability++)
        if (cap_get_bound(capability) == 1)
            set |= bit(capability);
    return set;
}

rights rights_named(const char *name)
{
    char full[64];
    cap_value_t capability;

    if (strcasecmp(name, "ALL") == 0)
        return rights_all();
    snprintf(full, sizeof(full), "%s%s", strncasecmp(name, "cap_", 4) == 0 ? "" : "cap_", name);
    return cap_from_name(full, &capability) < 0 ? 0 : bit(capability);
}

void rights_bound(rights set)
{
    for (cap_value_t capability = 0; capability < cap_max_bits(); capability++)
        if (!(set & bit(capability)) && cap_get_bound(capability) == 1 &&
            cap_drop_bound(capability) < 0)
            failed("drop capability %d", capability);
}

void rights_keep(rights set)
{
    static const cap_flag_t flags[] = {CAP_PERMITTED, CAP_EFFECTIVE};
    cap_t mine = cap_init();

    if (!mine)
        failed("capabilities");
    for (cap_value_t capability = 0; capability < cap_max_bits(); capability++)
        for (size_t i = 0; set & bit(capability) && i < sizeof(flags) / sizeof(*flags); i++)
            cap_set_flag(mine, flags[i], 1, &capability, CAP_SET);
    if (cap_set_proc(mine) < 0)
        failed("set the capabilities");
    cap_free(mine);
}
