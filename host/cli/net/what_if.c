#include "cli/net/what_if.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "net/formats/format.h"

#define PARTS 1000u /* of a factor */

/* The other net has the same places, transitions and arcs, under the same ids. */
static bool is_same(const es_net *net, const es_net *other, const char *path, es_error *err)
{
    if (net->place_count != other->place_count || net->transition_count != other->transition_count ||
        net->arc_count != other->arc_count)
        return es_fail(err, ES_USAGE,
                       "--what-if %s: is another net: it has %u places, %u transitions and %u arcs, not %u, %u and %u",
                       path, other->place_count, other->transition_count, other->arc_count, net->place_count,
                       net->transition_count, net->arc_count);
    for (uint32_t i = 0; i < net->arc_count; i++) {
        const es_net_arc *arc = &net->arcs[i], *its = &other->arcs[i];
        if (arc->to_place != its->to_place || strcmp(net->places[arc->place].id, other->places[its->place].id) != 0 ||
            strcmp(net->transitions[arc->transition].id, other->transitions[its->transition].id) != 0)
            return es_fail(err, ES_USAGE, "--what-if %s: is another net: its arcs at '%.60s' are not the same", path,
                           other->transitions[its->transition].id);
    }
    return true;
}

static bool take_delays(const char *path, const es_net *net, es_net_recovery_options *options, es_error *err)
{
    es_net *other = es_net_load(path, err);
    bool good = other && is_same(net, other, path, err), differs = false;
    int64_t *delays = good ? es_arena_alloc(net->arena, (net->transition_count + 1) * sizeof *delays) : NULL;
    for (uint32_t i = 0; good && i < net->transition_count; i++) {
        const es_net_transition *t = &net->transitions[i];
        uint32_t at = es_net_transition_find(other, t->id);
        if (at == ES_NET_NONE) {
            good = es_fail(err, ES_USAGE, "--what-if %s: is another net: it has no transition '%.60s'", path, t->id);
            break;
        }
        delays[i] = other->transitions[at].delay;
        differs = differs || (t->fixed && delays[i] != t->delay);
    }
    if (good && !differs)
        good = es_fail(err, ES_USAGE,
                       "--what-if %s: all steps that always take the same time take the same there; what is measured, "
                       "the trace says: --speed changes that",
                       path);
    es_net_free(other);
    options->delays = delays;
    return good;
}

/* The number of the process that is called so, or has that number. -1: none. */
static int32_t process_of(const es_net *net, const char *name, size_t length)
{
    for (uint32_t i = 0; i < net->process_count; i++)
        if (net->processes[i] && strlen(net->processes[i]) == length && memcmp(net->processes[i], name, length) == 0)
            return (int32_t)i;
    char *end;
    long number = strtol(name, &end, 10);
    if (length == 0 || end != name + length || number < 0)
        return -1;
    for (uint32_t i = 0; i < net->transition_count; i++)
        if (net->transitions[i].process == number)
            return (int32_t)number;
    return -1;
}

/* A factor with up to three digits after the point, in thousandths. 0: it is none. */
static uint32_t factor_of(const char *text)
{
    uint32_t value = 0, places = 0;
    bool point = false, digits = false;
    for (; *text; text++) {
        if (*text == '.' && !point) {
            point = true;
        } else if (*text >= '0' && *text <= '9' && places < 3 && value < 100000) {
            value = value * 10 + (uint32_t)(*text - '0');
            places += point;
            digits = true;
        } else {
            return 0;
        }
    }
    for (; places < 3; places++)
        value *= 10;
    return digits && value <= 1000 * PARTS ? value : 0;
}

static bool take_speed(const char *text, const es_net *net, es_net_pace *paces, size_t count, es_error *err)
{
    const char *equals = strrchr(text, '=');
    int32_t process = equals ? process_of(net, text, (size_t)(equals - text)) : -1;
    uint32_t factor = equals ? factor_of(equals + 1) : 0;
    if (!equals || !factor)
        return es_fail(err, ES_USAGE, "--speed %s: PROCESS=FACTOR is needed, with a factor from 0.001 to 1000", text);
    if (process < 0 || (size_t)process >= count)
        return es_fail(err, ES_USAGE, "--speed %s: the net has no such process", text);
    paces[process] = (es_net_pace){.factor = PARTS, .of = factor};
    return true;
}

bool es_net_what_if_take(const es_net_what_if *what_if, const es_net *net, es_net_recovery_options *options,
                         es_error *err)
{
    if (what_if->net && !take_delays(what_if->net, net, options, err))
        return false;
    if (!what_if->speed_count)
        return true;
    int32_t most = 0;
    for (uint32_t i = 0; i < net->transition_count; i++)
        most = net->transitions[i].process > most ? net->transitions[i].process : most;
    size_t count = (size_t)most + 1;
    es_net_pace *paces = es_arena_alloc(net->arena, (count + 1) * sizeof *paces);
    for (size_t i = 0; i < count; i++)
        paces[i] = (es_net_pace){1, 1};
    for (size_t i = 0; i < what_if->speed_count; i++)
        if (!take_speed(what_if->speeds[i], net, paces, count, err))
            return false;
    options->paces = paces;
    options->pace_count = count;
    return true;
}
