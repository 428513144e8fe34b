#include "net/recovery_private.h"

bool moment_before(const moment *left, const moment *right)
{
    if (left->time != right->time)
        return left->time < right->time;
    for (uint32_t i = 0; i < left->length && i < right->length; i++)
        if (left->order[i] != right->order[i])
            return left->order[i] < right->order[i];
    return left->length < right->length;
}

moment moment_after(const moment *cause, int64_t length, const uint32_t *path, uint32_t path_length)
{
    moment after = {.time = cause->time + length};
    if (length != 0) {
        after.order[0] = path[path_length - 1];
        after.length = 1;
        after.loose = path_length > 1; /* the last steps of the path may have taken no time */
        return after;
    }
    after = *cause;
    for (uint32_t i = 0; i < path_length; i++) {
        while (after.length && after.order[after.length - 1] < path[i])
            after.length--;
        if (after.length < ORDER_MAX)
            after.order[after.length++] = path[i];
        else
            after.loose = true;
    }
    return after;
}
