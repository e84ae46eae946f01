/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/model/document.h"

#include <stdlib.h>
#include <string.h>

#include "harness/cli/version.h"
#include "harness/memory.h"
#include "harness/model/cases.h"
#include "harness/report/value.h"

/* What no run of the model can show (R-CK-06, R-CK-11, R-CK-12). */
static const char *const not_proved[] = {
    "Conformity of a kernel: everything ran on a simulated one. No epoll, socket, io_uring or DMA "
    "of this machine took part.",
    "Times: virtual time passes only where a case says so. Nothing is said about system calls or "
    "this machine's speed.",
    "Other inputs: a case is one finite, deterministic run. The bytes of a source stand for input "
    "that waits in the kernel, and are not charged.",
    "Liveness: that work comes to zero rests on notices being delivered, sources being "
    "dispatched, and frames and buffers being given back.",
};

/* Lists that take a line for each element. */
static bool spreads(const char *key)
{
    static const char *const keys[] = {"cases", "rows", "failed_checks", "not_proved"};

    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
        if (strcmp(keys[i], key) == 0)
            return true;
    return false;
}

static void print_flat(FILE *out, const json_t *value)
{
    char *text =
        memory_must(json_dumps(value, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_ENCODE_ANY));

    fputs(text, out);
    free(text);
}

static void print_object(FILE *out, json_t *object, int indent);

static void print_list(FILE *out, json_t *list, bool objects, int indent)
{
    size_t i;
    json_t *value;

    fputs("[", out);
    json_array_foreach(list, i, value) {
        fprintf(out, "%s\n%*s", i ? "," : "", indent + 2, "");
        if (objects)
            print_object(out, value, indent + 2);
        else
            print_flat(out, value);
    }
    if (json_array_size(list) > 0)
        fprintf(out, "\n%*s", indent, "");
    fputs("]", out);
}

static void print_object(FILE *out, json_t *object, int indent)
{
    const char *separator = "";
    const char *key;
    json_t *value;

    fputs("{", out);
    json_object_foreach(object, key, value) {
        fprintf(out, "%s\n%*s\"%s\": ", separator, indent + 2, "", key);
        if (json_is_array(value) && spreads(key))
            print_list(out, value, strcmp(key, "cases") == 0, indent + 2);
        else
            print_flat(out, value);
        separator = ",";
    }
    fprintf(out, "\n%*s}", indent, "");
}

static json_t *make_not_proved(void)
{
    json_t *list = value_list();

    for (size_t i = 0; i < sizeof(not_proved) / sizeof(*not_proved); i++)
        value_append(list, value_text(not_proved[i]));
    return list;
}

int document_print(const struct ask *ask, FILE *out, struct checks *ret_checks,
                   char ret_error[ASK_ERROR_BYTES])
{
    json_t *document = value_object();
    int status = 0;

    *ret_checks = (struct checks){0};
    value_put(document, "tool", value_text(VERSION_TOOL));
    value_put(document, "version", value_text(VERSION_NUMBER));
    if (ask->defect != DEFECTS_NONE)
        value_put(document, "defect", value_text(defects_name(ask->defect)));
    if (ask->which == ASK_ALL) {
        value_put(document, "cases", cases_all(ask->defect, ret_checks));
        cases_put_checks(document, ret_checks);
    } else {
        status = cases_put(document, ask, ret_checks, ASK_ERROR_BYTES, ret_error);
    }
    value_put(document, "not_proved", make_not_proved());
    if (status == 0) {
        print_object(out, document, 0);
        putc('\n', out);
    }
    json_decref(document);
    return status;
}
