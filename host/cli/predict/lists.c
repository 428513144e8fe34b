#include <stdlib.h>
#include <string.h>

#include "cli/predict/private.h"

static bool number(const char **text, uint32_t least, uint32_t most, uint32_t *value)
{
    char *end = NULL;
    unsigned long n = **text >= '0' && **text <= '9' ? strtoul(*text, &end, 10) : (unsigned long)most + 1;
    if (!end || n < least || n > most)
        return false;
    *text = end;
    *value = (uint32_t)n;
    return true;
}

bool es_predict_list_parse(const char *option, const char *text, uint32_t least, uint32_t most, predict_list *list,
                           es_error *err)
{
    const char *p = text;
    list->count = 0;
    for (;;) {
        uint32_t first, last, step = 1;
        if (!number(&p, least, most, &first))
            break;
        last = first;
        if (strncmp(p, "..", 2) == 0) {
            p += 2;
            if (!number(&p, least, most, &last) || last < first)
                break;
            if (*p == ':' && (p++, !number(&p, 1, most, &step)))
                break;
        }
        for (uint64_t v = first; v <= last; v += step) {
            if (list->count == PREDICT_VALUES)
                return es_fail(err, ES_USAGE, "%s: at most %u values", option, PREDICT_VALUES);
            list->values[list->count++] = (uint32_t)v;
        }
        if (!*p)
            return true;
        if (*p++ != ',')
            break;
    }
    return es_fail(err, ES_USAGE,
                   "%s takes numbers from %u to %u, as 4, as 1,2,4, as 1..16 or with a step as 0..100:20, not '%s'",
                   option, least, most, text);
}
