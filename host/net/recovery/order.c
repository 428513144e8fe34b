#include "net/recovery/private.h"

bool es_moment_before_at_one_time(const moment *left, const moment *right)
{
    for (uint32_t i = 0; i < left->length && i < right->length; i++)
        if (left->order[i] != right->order[i])
            return left->order[i] < right->order[i];
    return left->length < right->length;
}

void es_moment_append(moment *at, const uint32_t *path, uint32_t path_length)
{
    for (uint32_t i = 0; i < path_length; i++) {
        while (at->length && at->order[at->length - 1] < path[i])
            at->length--;
        if (at->length < ORDER_MAX)
            at->order[at->length++] = path[i];
        else
            at->loose = true;
    }
}
