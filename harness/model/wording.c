/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/model/wording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/budget.h"
#include "harness/memory.h"
#include "harness/report/value.h"

const char *wording_error(int32_t result)
{
    const char *name = strerrorname_np(-result);

    return name ? name : "?";
}

json_t *wording_got(int32_t result)
{
    if (result > 0)
        return value_number(result);
    return value_text(result == 0 ? "EOF" : wording_error(result));
}

json_t *wording_hex(const uint8_t *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    char *text = memory_zeroed(2 * size + 1, 1);
    json_t *value;

    for (size_t i = 0; i < size; i++) {
        text[2 * i] = digits[bytes[i] >> 4];
        text[2 * i + 1] = digits[bytes[i] & 15];
    }
    value = value_text(text);
    free(text);
    return value;
}

static const char *end_word(enum reader_outcome outcome)
{
    switch (outcome) {
    case READER_END_CLEAN:
    case READER_END_TRUNCATED:
        return "EOF";
    case READER_END_OVERSIZE:
        return "oversize";
    default:
        return "fatal";
    }
}

json_t *wording_stop(unsigned reasons, enum reader_outcome outcome)
{
    json_t *list = value_list();

    for (unsigned kind = 0; kind < BUDGET_KIND_COUNT; kind++)
        if (reasons & 1u << kind)
            value_append(list, value_text(budget_kind_name((enum budget_kind)kind)));
    if (reasons & JOURNAL_REASON_CAPACITY)
        value_append(list, value_text("capacity"));
    if (reasons & JOURNAL_REASON_EAGAIN)
        value_append(list, value_text("EAGAIN"));
    if (outcome != READER_END_NONE)
        value_append(list, value_text(end_word(outcome)));
    return list;
}
