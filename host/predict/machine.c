#include "predict/machine.h"

#include <stdlib.h>
#include <string.h>

#include "engine_private.h"

const char *es_predict_scheduler_name(enum es_predict_scheduler scheduler)
{
    static const char *const names[ES_PREDICT_SCHEDULERS] = {"fifo", "preemptive", "round-robin", "work", "priority"};
    return scheduler < ES_PREDICT_SCHEDULERS ? names[scheduler] : "?";
}

const char *es_predict_memory_name(enum es_predict_memory memory)
{
    static const char *const names[ES_PREDICT_MEMORIES] = {"each", "data", "one"};
    return memory < ES_PREDICT_MEMORIES ? names[memory] : "?";
}

bool es_predict_speed_parse(const char *text, es_predict_speed *speed, es_error *err)
{
    uint32_t value = 0, under = 1;
    unsigned digits = 0;
    bool point = false;
    const char *p;
    for (p = text; *p && digits < 6; p++) {
        if (*p == '.' && !point) {
            point = true;
        } else if (*p >= '0' && *p <= '9') {
            value = value * 10 + (uint32_t)(*p - '0');
            under *= point ? 10 : 1;
            digits++;
        } else {
            break;
        }
    }
    if (*p || !value || under > 100 || value > 100 * under)
        return es_fail(err, ES_USAGE, "a speed is a number from 0.01 to 100 with two digits after the point, not '%s'",
                       text);
    uint32_t common = es_predict_common(value, under);
    *speed = (es_predict_speed){value / common, under / common};
    return true;
}

uint32_t es_predict_common(uint32_t a, uint32_t b)
{
    while (b) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

bool es_predict_machine_check(const es_predict_machine *machine, es_error *err)
{
    if (!machine->cores || machine->cores > ES_PREDICT_CORES)
        return es_fail(err, ES_USAGE, "1 to %u cores, not %u", ES_PREDICT_CORES, machine->cores);
    if (machine->scheduler == ES_PREDICT_ROUND && !machine->quantum)
        return es_fail(err, ES_USAGE, "round robin needs a quantum: --quantum CLOCKS");
    if (machine->wait > 15)
        return es_fail(err, ES_USAGE, "0 to 15 wait states, not %u", machine->wait);
    if (machine->kernel && machine->kernel != 100 && machine->memory != ES_PREDICT_PORTS)
        return es_fail(err, ES_USAGE,
                       "with one port for all, the library is walked as it is: --kernel 0 or 100, or --ports each");
    uint64_t scale = es_predict_scale(machine);
    if (scale > 1000000)
        return es_fail(err, ES_USAGE, "these speeds together need times of more than a millionth of a clock");
    for (unsigned c = 0; machine->memory != ES_PREDICT_PORTS && c < machine->cores; c++)
        if (machine->speeds[c].over != machine->speeds[c].under)
            return es_fail(err, ES_USAGE,
                           "with one port for all, cores run at the memory's speed: --speed 1, or --ports each");
    return true;
}

uint64_t es_predict_scale(const es_predict_machine *machine)
{
    uint64_t scale = 1;
    for (unsigned c = 0; c < machine->cores && scale <= 1000000; c++)
        if (machine->speeds[c].over)
            scale = scale / es_predict_common((uint32_t)scale, machine->speeds[c].over) * machine->speeds[c].over;
    return scale;
}
