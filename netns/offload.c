/* SPDX-License-Identifier: BSD-2-Clause */
#include "netns/offload.h"

#include <errno.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

struct offload_feature {
    const char *name;
    uint32_t get, set;
};

/* Segmentation before transmit checksums: the kernel ties tso to them. */
static const struct offload_feature offload_features[] = {
    { "tso", ETHTOOL_GTSO, ETHTOOL_STSO },
    { "gso", ETHTOOL_GGSO, ETHTOOL_SGSO },
    { "gro", ETHTOOL_GGRO, ETHTOOL_SGRO },
    { "tx", ETHTOOL_GTXCSUM, ETHTOOL_STXCSUM },
    { "rx", ETHTOOL_GRXCSUM, ETHTOOL_SRXCSUM },
};

#define OFFLOAD_FEATURES (sizeof(offload_features) / sizeof(offload_features[0]))

/* Returns the feature's value after the command, or -errno. */
static int offload_ioctl(int fd, const char *interface, uint32_t command, uint32_t value)
{
    struct ethtool_value feature = {.cmd = command, .data = value};
    struct ifreq request = {.ifr_data = (char *)&feature};

    (void)snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", interface);
    return ioctl(fd, SIOCETHTOOL, &request) < 0 ? -errno : feature.data != 0;
}

static int offload_disable_one(int fd, const char *interface,
                               const struct offload_feature *feature, struct failure *failure)
{
    int on = offload_ioctl(fd, interface, feature->get, 0);

    if (on == 0 || on == -EOPNOTSUPP)
        return 0;
    int err = on < 0 ? on : offload_ioctl(fd, interface, feature->set, 0);
    if (err < 0)
        return failure_set(failure, err, "switch %s off on %s", feature->name, interface);
    return 0;
}

int offload_disable(const struct space *space, const char *interface, struct failure *failure)
{
    int fd = space_socket(space, AF_INET, SOCK_DGRAM, 0, failure);
    int err = fd < 0 ? fd : 0;

    for (size_t i = 0; err == 0 && i < OFFLOAD_FEATURES; i++)
        err = offload_disable_one(fd, interface, &offload_features[i], failure);
    if (fd >= 0)
        (void)close(fd);
    return err;
}

int offload_count(const struct space *space, const char *interface, struct failure *failure)
{
    int fd = space_socket(space, AF_INET, SOCK_DGRAM, 0, failure);
    int count = fd < 0 ? fd : 0;

    for (size_t i = 0; count >= 0 && i < OFFLOAD_FEATURES; i++) {
        int on = offload_ioctl(fd, interface, offload_features[i].get, 0);
        if (on < 0 && on != -EOPNOTSUPP)
            count = failure_set(failure, on, "ask for %s of %s", offload_features[i].name,
                                interface);
        else
            count += on > 0;
    }
    if (fd >= 0)
        (void)close(fd);
    return count;
}
