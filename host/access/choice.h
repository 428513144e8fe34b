/* Which probe the user means: the value of --probe. */
#ifndef ES_ACCESS_CHOICE_H
#define ES_ACCESS_CHOICE_H

#include "base/text.h"
#include "transport/transport.h"

enum es_probe_kind {
    ES_PROBE_SIM,
    ES_PROBE_FTDI,
    ES_PROBE_USB,
    ES_PROBE_UART,
    ES_PROBE_FILE,   /* what a probe has sent */
    ES_PROBE_REPLAY, /* a recording of a target's inputs */
};

typedef struct es_probe_choice {
    enum es_probe_kind probe;
    const char *name; /* FTDI, USB: serial number or NULL; UART: device; FILE, REPLAY: path;
                         * SIM: options (sim_options.h) or NULL */
    unsigned baud;    /* UART: 0: ES_UART_BAUD */
} es_probe_choice;

/* Takes sim[:OPTIONS], ftdi[:SERIAL], usb[:SERIAL], uart:DEVICE[@BAUD] or file:RECORDING (looks at its beginning, to see of
 * which kind it is). `text` is changed and has to outlive the choice. Else ES_USAGE. */
bool es_probe_parse(char *text, es_probe_choice *choice, es_error *err);

/* The other way: adds what es_probe_parse takes. */
void es_probe_text(es_text_buffer *out, const es_probe_choice *choice);

/* Opens any of them but the simulation and the replay. */
es_transport *es_choice_open(const es_probe_choice *choice, es_error *err);

#endif
