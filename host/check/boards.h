/* Probes that are known before they are plugged in. */
#ifndef ES_CHECK_BOARDS_H
#define ES_CHECK_BOARDS_H

#include "check/check.h"

/* What a probe offers: what its registers say once it is there (FIFO, window, the time's width), and what they do not
 * say. */
typedef struct es_check_board {
    const char *name;
    es_probe_limits limits; /* bus_hz: the simulated target's, for want of a better one */
    es_check_options options;
} es_check_board;

/* The first one is the simulated probe with a fixed ratio. NULL: there is none of that name. */
const es_check_board *es_check_board_named(const char *name);

/* For messages. */
#define ES_CHECK_BOARD_NAMES "sim, icebreaker, ulx3s, ulx3s-85f, ulx3s-85f-256k, icebreaker-recorder or ulx3s-recorder"

#endif
