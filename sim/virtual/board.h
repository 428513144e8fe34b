/* A board for a virtual USB device: the simulated probe and its target, which behave as on a desk. */
#ifndef ES_VIRTUAL_BOARD_H
#define ES_VIRTUAL_BOARD_H

#include <stdio.h>

#include "sim.h"
#include "vusb/vusb.h"

/* When the target's reset button is pressed. With all of them, reset can be asked for at any time. */
enum es_board_start {
    /* Whenever a monitor has been loaded, as a person does who is told to: the target stands still while the probe is
     * loaded, its memory is what the program file says, and it starts when the monitor is ready. The same when the
     * recorder of inputs is started. */
    ES_BOARD_EACH,
    ES_BOARD_ONCE, /* so with the first monitor only: later ones find a target that runs */
    ES_BOARD_NOW,  /* never: the target runs from the beginning */
    ES_BOARD_ASKED /* never, and the target waits until it is asked to */
};

typedef struct es_board_config {
    const char *name; /* in messages */
    const char *program;
    unsigned ratio; /* probe clocks per bus clock */
    uint32_t seed;
    enum es_board_start start;
    /* the probe's clock: so many in a second of the computer's, from its monitor's start on; 0: as it comes */
    unsigned pace_hz;
    FILE *log;                     /* a line for each hit that it sends (docs/virtual-probe.md); NULL: none */
    uint32_t gateware;             /* the identification that it answers with; 0: its own */
    bool no_clock;                 /* it says that it has no REG_TIME_NOW */
    bool own_power;                /* an unplugged probe goes on; else it is a new one when plugged in again */
    void (*on_end)(void *context); /* the target has ended and the probe has nothing left to do; NULL */
    void *context;
} es_board_config;

typedef struct es_board es_board;

es_board *es_board_new(const es_board_config *config, es_error *err);
void es_board_free(es_board *board);

/* What to connect to a virtual device; the context is the board. */
extern const es_vusb_port es_board_port;

/* May be called from any thread; done by the board's own. */
void es_board_press_reset(es_board *board);

typedef struct es_board_state {
    enum es_sim_state target;
    bool started;
    uint64_t cycles;   /* of the target since its start */
    unsigned monitors; /* HELLOs so far */
    unsigned resets, power_ups;
} es_board_state;
es_board_state es_board_look(es_board *board);

#endif
