/* Which probes there are, what they are, and what keeps one from being used. Nothing is opened to find out: sysfs and
 * /proc say all of it, so looking disturbs nobody. hotplug.h says when to look again. */
#ifndef ES_TRANSPORT_PROBES_H
#define ES_TRANSPORT_PROBES_H

#include <stddef.h>

#include "base/error.h"

#define ES_PROBES_TEXT 160

enum es_probe_means { ES_MEANS_SIM, ES_MEANS_FTDI, ES_MEANS_USB, ES_MEANS_UART };

enum es_probe_state {
    ES_PROBE_FREE,
    ES_PROBE_KERNEL,    /* free: a driver of the kernel has it, from which it is taken when it is opened */
    ES_PROBE_BUSY,      /* another program has it */
    ES_PROBE_FORBIDDEN, /* this user may not open it */
};

typedef struct es_probe_entry {
    enum es_probe_means means;
    char option[ES_PROBES_TEXT]; /* what --probe takes: "ftdi:EAR1" */
    char serial[ES_PROBES_TEXT]; /* "": it has none */
    char board[ES_PROBES_TEXT];  /* manufacturer and product, as the device says */
    char port[64];               /* of USB: "1-2.3"; "" for the simulation */
    char node[ES_PROBES_TEXT];   /* its file below /dev; "" for the simulation */
    enum es_probe_state state;
    char trouble[512]; /* in plain words what is in the way, or worth knowing; "" for nothing */
    char remedy[512];  /* what to do about it; "" for nothing */
} es_probe_entry;

/* All of them, the simulated one first, in an array to be freed: *count of them. NULL and ES_PROBE when USB cannot be
 * asked. */
es_probe_entry *es_probes_list(size_t *count, es_error *err);

/* As words of JSON and of tables: "ftdi"; "free", "busy", ... */
const char *es_probe_means_name(enum es_probe_means means);
const char *es_probe_state_name(enum es_probe_state state);

#endif
