/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pcapfile: capture files, through libpcap. The only module of this folder that touches files.
 */
#ifndef EDGEWISE_PCAPS_PCAPFILE_H
#define EDGEWISE_PCAPS_PCAPFILE_H

#include "pcaps/packet.h"

#define PCAPFILE_ERROR_BYTES 512

/* What went wrong, in words: "FILE: packet 7: ...". Set whenever a call below fails. */
struct pcapfile_error {
    char text[PCAPFILE_ERROR_BYTES];
};

/*
 * Appends all packets of the capture file `path` (pcap or pcapng, any resolution, Ethernet) to
 * `list`. Stamps come as nanoseconds.
 * 0; errno of the open (-ENOENT, -EACCES, ...); -EISDIR; -EBADMSG when it is no capture file, is
 * truncated or damaged; -EPROTONOSUPPORT for another link type; -EFBIG when a bound of the list is
 * hit; -ENOMEM. On error `list` keeps what it held before and nothing more, and `error` is set.
 */
int pcapfile_read(const char *path, struct packet_list *list, struct pcapfile_error *error);

/*
 * Writes `list` as a pcap file with nanosecond stamps at the position of `fd`, which stays open and
 * the caller's. `name` is for the error text only. Equal lists give equal bytes.
 * 0; -EOVERFLOW for a stamp that a pcap file cannot hold (2106); -ENOSPC, -EIO, ... as write()
 * says; -ENOMEM. After an error the file is incomplete.
 */
int pcapfile_write(int fd, const char *name, const struct packet_list *list,
                   struct pcapfile_error *error);

#endif
