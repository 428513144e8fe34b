/* The reference target (docs/target.md) on a machine in software: devices, and the clocks that its processor takes
 * (interface/cpu_cycles.def), so that each access has the time that it has on the simulated bus. A source for
 * es_softprobe_target. */
#ifndef TESTS_SOFTPROBE_PLAIN_H
#define TESTS_SOFTPROBE_PLAIN_H

#include "session/target.h"
#include "softprobe/target.h"
#include "symbols/symbols.h"

typedef struct plain {
    es_machine *machine;
    es_session_console console; /* take NULL: nobody listens */
    es_softprobe_target *to;    /* NULL: nobody hears the bus */
    es_machine_listener also;   /* hears what the machine does, of an access after the probe; functions may be NULL */
    uint64_t next, fetched;     /* time of the next fetch, and of the last one */
    uint64_t last, until;       /* time of the last access; where this advance ends */
    uint64_t compare, alarm;
    uint64_t written, compare_before, alarm_before; /* when a device was written last, and what they were before */
    uint32_t cycle_high, random;
    bool sleeping, exited, trapped;
    int exit_code;
} plain;

bool plain_new(plain *p, const es_symbols *symbols, uint32_t seed, es_error *err);
void plain_free(plain *p);

extern const es_softprobe_source plain_source; /* its context is a plain */

#endif
