#include "sim_options.h"

#include <stdlib.h>
#include <string.h>

static const char *const ports_names[] = {
    [ES_SIM_PORTS_EACH] = "each", [ES_SIM_PORTS_DATA] = "data", [ES_SIM_PORTS_ONE] = "one"};

static bool is(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

static bool take_number(const char *name, const char *text, size_t length, unsigned least, unsigned most,
                        unsigned *value, es_error *err)
{
    char *end;
    unsigned long number = *text >= '0' && *text <= '9' ? strtoul(text, &end, 10) : most + 1ul;
    if (number < least || number > most || end != text + length)
        return es_fail(err, ES_USAGE, "%s of --probe sim:... takes a number from %u to %u, not '%.*s'", name, least,
                       most, (int)length, text);
    *value = (unsigned)number;
    return true;
}

static bool take_ports(const char *text, size_t length, enum es_sim_ports *ports, es_error *err)
{
    for (size_t i = 0; i < sizeof ports_names / sizeof *ports_names; i++)
        if (is(text, length, ports_names[i])) {
            *ports = (enum es_sim_ports)i;
            return true;
        }
    return es_fail(err, ES_USAGE, "ports of --probe sim:... is each, data or one, not '%.*s'", (int)length, text);
}

static bool take_option(const char *text, size_t length, es_sim_shared *shared, es_error *err)
{
    const char *equals = memchr(text, '=', length);
    size_t name = equals ? (size_t)(equals - text) : length;
    const char *value = equals ? equals + 1 : text + length;
    size_t rest = length - (size_t)(value - text);
    if (equals && is(text, name, "cores"))
        return take_number("cores", value, rest, 1, ES_SIM_CORES, &shared->cores, err);
    if (equals && is(text, name, "core"))
        return take_number("core", value, rest, 0, ES_SIM_CORES - 1, &shared->core, err);
    if (equals && is(text, name, "wait"))
        return take_number("wait", value, rest, 0, ES_SIM_WAIT, &shared->wait, err);
    if (equals && is(text, name, "bell"))
        return take_number("bell", value, rest, 0, ES_SIM_BELL, &shared->bell, err);
    if (equals && is(text, name, "ports"))
        return take_ports(value, rest, &shared->ports, err);
    return es_fail(
        err, ES_USAGE,
        "the simulated target has no option '%.*s': use cores=N, ports=each|data|one, wait=N, bell=N, core=N, "
        "with commas between them (--probe sim:cores=4,ports=one)",
        (int)length, text);
}

bool es_sim_options_parse(const char *text, es_sim_shared *shared, es_error *err)
{
    *shared = (es_sim_shared){0};
    if (!text || !*text)
        return true;
    shared->cores = 1;
    for (;;) {
        size_t length = strcspn(text, ",");
        if (!take_option(text, length, shared, err))
            return false;
        if (!text[length])
            break;
        text += length + 1;
    }
    return shared->core < shared->cores ||
           es_fail(err, ES_USAGE, "the simulated target has no core %u: with cores=%u its cores are 0 to %u",
                   shared->core, shared->cores, shared->cores - 1);
}
