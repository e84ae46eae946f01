/* SPDX-License-Identifier: BSD-2-Clause */
#include "pcaps/pcapfile.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pcap/pcap.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NS_PER_S INT64_C(1000000000)

__attribute__((format(printf, 4, 5))) static int fail(struct pcapfile_error *error, int result,
                                                      const char *name, const char *format, ...)
{
    int used = snprintf(error->text, sizeof(error->text), "%s: ", name);
    va_list arguments;

    assert(result < 0);
    if (used < 0 || (size_t)used >= sizeof(error->text))
        return result;
    va_start(arguments, format);
    (void)vsnprintf(error->text + used, sizeof(error->text) - (size_t)used, format, arguments);
    va_end(arguments);
    return result;
}

/* --- reading --------------------------------------------------------------------------------- */

struct reading {
    const char *path;
    pcap_t *pcap;
    struct packet_list *list;
    struct pcapfile_error *error;
};

/* libpcap would call a directory an I/O error, and it takes the FILE over only on success. */
static int open_capture(struct reading *reading)
{
    char why[PCAP_ERRBUF_SIZE] = "";
    struct stat status;
    FILE *file = fopen(reading->path, "rbe");

    if (file == NULL)
        return fail(reading->error, -errno, reading->path, "%s", strerror(errno));
    if (fstat(fileno(file), &status) == 0 && S_ISDIR(status.st_mode)) {
        (void)fclose(file);
        return fail(reading->error, -EISDIR, reading->path, "%s", strerror(EISDIR));
    }
    reading->pcap = pcap_fopen_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO, why);
    if (reading->pcap == NULL) {
        (void)fclose(file);
        return fail(reading->error, -EBADMSG, reading->path, "not a capture file: %s", why);
    }
    return 0;
}

static int check_link_type(const struct reading *reading)
{
    int type = pcap_datalink(reading->pcap);
    const char *name = pcap_datalink_val_to_name(type);

    if (type == DLT_EN10MB)
        return 0;
    return fail(reading->error, -EPROTONOSUPPORT, reading->path,
                "link type %d (%s); only Ethernet (%d, EN10MB) is read", type,
                name != NULL ? name : "unknown", DLT_EN10MB);
}

static int take_packet(const struct reading *reading, size_t number,
                       const struct pcap_pkthdr *header, const uint8_t *bytes)
{
    struct packet packet = {
        .captured_bytes = header->caplen,
        .original_bytes = header->len,
        .bytes = bytes,
    };
    int64_t stamp_s = header->ts.tv_sec;
    int64_t stamp_ns = header->ts.tv_usec;
    int r;

    if (stamp_s < 0 || stamp_s >= INT64_MAX / NS_PER_S || stamp_ns < 0 || stamp_ns >= NS_PER_S)
        return fail(reading->error, -EBADMSG, reading->path, "packet %zu: bad time stamp", number);
    packet.stamp_ns = stamp_s * NS_PER_S + stamp_ns;
    r = packet_list_append(reading->list, &packet);
    switch (r) {
    case 0:
        return 0;
    case -EINVAL:
        return fail(reading->error, -EBADMSG, reading->path,
                    "packet %zu: %" PRIu32 " bytes captured of %" PRIu32, number,
                    packet.captured_bytes, packet.original_bytes);
    case -EMSGSIZE:
        return fail(reading->error, -EBADMSG, reading->path,
                    "packet %zu: %" PRIu32 " bytes; no frame has more than %u", number,
                    packet.captured_bytes, PACKET_BYTES_MAX);
    case -EFBIG:
        return fail(reading->error, r, reading->path,
                    "packet %zu: too large; the bounds are %zu packets and %zu bytes", number,
                    reading->list->count_max, reading->list->bytes_max);
    default:
        return fail(reading->error, r, reading->path, "packet %zu: %s", number, strerror(-r));
    }
}

static int take_all(const struct reading *reading)
{
    for (size_t number = 1;; number++) {
        struct pcap_pkthdr *header;
        const uint8_t *bytes;
        int r = pcap_next_ex(reading->pcap, &header, &bytes);

        if (r == PCAP_ERROR_BREAK)
            return 0;
        if (r != 1)
            return fail(reading->error, -EBADMSG, reading->path, "packet %zu: %s", number,
                        pcap_geterr(reading->pcap));
        r = take_packet(reading, number, header, bytes);
        if (r < 0)
            return r;
    }
}

int pcapfile_read(const char *path, struct packet_list *list, struct pcapfile_error *error)
{
    struct reading reading = {.path = path, .list = list, .error = error};
    size_t count = list->count;
    int r;

    r = open_capture(&reading);
    if (r < 0)
        return r;
    r = check_link_type(&reading);
    if (r == 0)
        r = take_all(&reading);
    pcap_close(reading.pcap);
    if (r < 0)
        packet_list_truncate(list, count);
    return r;
}

/* --- writing --------------------------------------------------------------------------------- */

static int stream_failed(const char *name, struct pcapfile_error *error)
{
    int why = errno != 0 ? errno : EIO;

    return fail(error, -why, name, "%s", strerror(why));
}

/* pcap_dump() tells no error, so the stream is asked at once, while errno still says why. With
 * nanosecond precision `tv_usec` holds nanoseconds. */
static int dump_all(pcap_dumper_t *dumper, const char *name, const struct packet_list *list,
                    struct pcapfile_error *error)
{
    FILE *file = pcap_dump_file(dumper);

    for (size_t i = 0; i < list->count; i++) {
        const struct packet *packet = &list->packets[i];
        struct pcap_pkthdr header = {
            .ts.tv_sec = packet->stamp_ns / NS_PER_S,
            .ts.tv_usec = packet->stamp_ns % NS_PER_S,
            .caplen = packet->captured_bytes,
            .len = packet->original_bytes,
        };

        if (packet->stamp_ns / NS_PER_S > UINT32_MAX)
            return fail(error, -EOVERFLOW, name, "packet %zu: stamp does not fit a pcap file",
                        i + 1);
        errno = 0;
        pcap_dump((u_char *)dumper, &header, packet->bytes);
        if (ferror(file) != 0)
            return stream_failed(name, error);
    }
    errno = 0;
    return pcap_dump_flush(dumper) != 0 ? stream_failed(name, error) : 0;
}

/* The dumper closes its FILE, so it gets a duplicate of the caller's descriptor. */
static FILE *open_stream(int fd)
{
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    FILE *file;

    if (copy < 0)
        return NULL;
    file = fdopen(copy, "wb");
    if (file == NULL)
        (void)close(copy);
    return file;
}

static int write_stream(pcap_t *pcap, FILE *file, const char *name, const struct packet_list *list,
                        struct pcapfile_error *error)
{
    pcap_dumper_t *dumper = pcap_dump_fopen(pcap, file);
    int r;

    /* libpcap closes the stream itself when it cannot write the header, which is all that can fail
     * for Ethernet. */
    if (dumper == NULL)
        return fail(error, -EIO, name, "%s", pcap_geterr(pcap));
    r = dump_all(dumper, name, list, error);
    pcap_dump_close(dumper);
    return r;
}

int pcapfile_write(int fd, const char *name, const struct packet_list *list,
                   struct pcapfile_error *error)
{
    pcap_t *pcap;
    FILE *file;
    int r;

    pcap = pcap_open_dead_with_tstamp_precision(DLT_EN10MB, PACKET_BYTES_MAX,
                                                PCAP_TSTAMP_PRECISION_NANO);
    if (pcap == NULL)
        return fail(error, -ENOMEM, name, "%s", strerror(ENOMEM));
    file = open_stream(fd);
    if (file == NULL)
        r = fail(error, -errno, name, "%s", strerror(errno));
    else
        r = write_stream(pcap, file, name, list, error);
    pcap_close(pcap);
    return r;
}
