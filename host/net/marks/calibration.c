#include "net/marks/calibration.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/formats/trace_json.h"

enum { SITE, ID, DELAY, LEAST, MOST, AFTER, KEYS };

/* False when the line is no JSON object or a cost that is not whole; *is_cost: whether it is one. */
static bool read_cost(es_json_reader *reader, const char *text, size_t length, es_net_cost *cost, bool *is_cost)
{
    static const char *const keys[KEYS] = {"site", "id", "delay", "least", "most", "after"};
    int64_t values[KEYS] = {0};
    unsigned seen = 0;
    *is_cost = false;
    if (!es_json_open(reader, text, length))
        return false;
    while (es_json_member(reader)) {
        if (strcmp(reader->key.text, "event") == 0 && reader->kind == ES_JSON_STRING)
            *is_cost = strcmp(reader->string.text, "cost") == 0;
        for (unsigned i = 0; i < KEYS; i++)
            if (strcmp(reader->key.text, keys[i]) == 0 && reader->kind == ES_JSON_INTEGER && reader->integer >= 0 &&
                reader->integer <= (i < DELAY ? (int64_t)UINT32_MAX : ES_NET_TICKS_MAX)) {
                values[i] = reader->integer;
                seen |= 1u << i;
            }
    }
    *cost = (es_net_cost){(uint32_t)values[SITE], (uint32_t)values[ID], values[DELAY],
                          values[LEAST],          values[MOST],         values[AFTER]};
    return !reader->problem &&
           (!*is_cost || (seen == (1u << KEYS) - 1 && cost->least <= cost->delay && cost->delay <= cost->most));
}

static int by_site(const void *left, const void *right)
{
    const es_net_cost *a = left, *b = right;
    return (a->site > b->site) - (a->site < b->site);
}

static bool read_all(FILE *file, const char *path, es_net_cost **costs, size_t *count, es_error *err)
{
    es_json_reader reader = {0};
    char *line = NULL;
    size_t room = 0, number = 0, items = 0;
    bool good = true;
    for (ssize_t length; good && (length = getline(&line, &room, file)) >= 0;) {
        bool is_cost;
        number++;
        if (*count == items) {
            items = items ? 2 * items : 64;
            *costs = es_realloc(*costs, items * sizeof **costs);
        }
        good =
            read_cost(&reader, line, (size_t)length, *costs + *count, &is_cost) ||
            es_fail(
                err, ES_USAGE,
                "%s:%zu: error: not the cost of a mark: expected site, id, delay, least, most and after, whole numbers",
                path, number);
        *count += good && is_cost;
    }
    bool found = good && !ferror(file) && *costs && *count;
    if (good && !found)
        es_fail(err, ES_USAGE, "%s: no calibration; `earshot net calibrate PROGRAM.elf -o FILE` makes one", path);
    if (found)
        qsort(*costs, *count, sizeof **costs, by_site);
    for (size_t i = 1; found && i < *count; i++)
        if ((*costs)[i].site == (*costs)[i - 1].site)
            found = es_fail(err, ES_USAGE, "%s: two costs for site %u", path, (unsigned)(*costs)[i].site);
    es_json_close(&reader);
    free(line);
    return found;
}

es_net_cost *es_net_costs_read(const char *path, size_t *count, es_error *err)
{
    FILE *file = fopen(path, "re");
    if (!file) {
        es_fail(err, ES_USAGE, "%s: cannot be opened", path);
        return NULL;
    }
    es_net_cost *costs = NULL;
    *count = 0;
    bool good = read_all(file, path, &costs, count, err);
    fclose(file);
    if (good)
        return costs;
    free(costs);
    return NULL;
}

const es_net_cost *es_net_cost_of(const es_net_cost *costs, size_t count, uint32_t site)
{
    es_net_cost key = {.site = site};
    return bsearch(&key, costs, count, sizeof *costs, by_site);
}

bool es_net_costs_apply(const es_net_program *program, const es_net_cost *costs, size_t count, es_error *err)
{
    for (size_t i = 0; i < program->step_count; i++) {
        const es_net_mp_step *step = &program->steps[i];
        if (step->seen != ES_NET_SEEN_END || step->site == ES_NET_NONE)
            continue;
        const es_net_cost *cost = es_net_cost_of(costs, count, step->site);
        if (!cost || cost->id != step->id)
            return es_fail(err, ES_USAGE,
                           "the calibration has no cost for the mark %u at site %u: it is another program's",
                           (unsigned)step->id, (unsigned)step->site);
        program->net->transitions[step->transition].mark = cost->delay;
        program->net->transitions[step->transition].mark_max = cost->most;
    }
    return true;
}
