/* virtual-probe: the probes that it serves, what can be told to them while they run, and its loop. */
#ifndef ES_VIRTUAL_PROBES_H
#define ES_VIRTUAL_PROBES_H

#include "base/text.h"
#include "virtual/board.h"

#define PROBES_MAX 16
#define LATER_MAX 64
#define LINE_MAX_SIZE 256
#define CONTROL_VARIABLE "EARSHOT_VIRTUAL_PROBE" /* environment: the control socket */

typedef struct virtual_probe {
    char serial[64];
    es_board *board;
    es_vusb *usb;
} virtual_probe;

/* A command for later. */
typedef struct virtual_later {
    uint64_t due; /* ns */
    char line[LINE_MAX_SIZE];
} virtual_later;

typedef struct virtual_probes {
    virtual_probe probes[PROBES_MAX];
    size_t count;
    virtual_later later[LATER_MAX];
    size_t later_count;
    int control; /* listening socket */
    char control_path[108];
} virtual_probes;

/* The commands, for --help. */
extern const char virtual_commands[];

/* Carries out a command line and writes the answer to out: "ok", a line of JSON, or "error: " and why. */
bool virtual_tell(virtual_probes *all, const char *line, es_text_buffer *out);

/* Does what is due, and takes devices off the bus that a fault has unplugged. Call it every few ms. */
void virtual_tick(virtual_probes *all);

/* A listening control socket at all->control_path. */
bool virtual_listen(virtual_probes *all, es_error *err);

/* Serves until the command of this process id has ended (its exit status), or, without one (0), until SIGINT or SIGTERM
 * (0). `signals`: a signalfd of SIGCHLD, SIGINT and SIGTERM. */
int virtual_serve(virtual_probes *all, int signals, int command);

/* What --tell does: hands a line to the server that the environment names, and prints its answer. The exit code. */
int virtual_send(const char *line);

#endif
