/* What the parts of the check, and who reads its report, say to each other. */
#ifndef ES_CHECK_TERMS_H
#define ES_CHECK_TERMS_H

#include <stdint.h>

/* Soft core clocks per clock of the target's bus, as a fraction. */
typedef struct es_check_ratio {
    int64_t core, bus; /* both at least 1, below 2^20 */
} es_check_ratio;

enum es_check_event_kind {
    ES_CHECK_WRITE,      /* of all lanes of a word */
    ES_CHECK_WRITE_PART, /* of some lanes */
    ES_CHECK_CALL,       /* the fetch at an armed address right after a call */
    ES_CHECK_RETURN,     /* ... right after a return */
    ES_CHECK_OTHER,      /* ... after anything else: jumps, interrupts, what follows an mret */
    ES_CHECK_EPOCH,      /* the tap's time has wrapped: deadlines are looked at. It has no address */
    /* a data read of a word that is armed in the fetch plane: a variable's, or a constant among code */
    ES_CHECK_READ,
    /* no event: a pass of the main loop while no hit waits, with mail of the host's or a step of a flush */
    ES_CHECK_IDLE,
    ES_CHECK_KINDS,
};

/* A time after which no event follows. */
#define ES_CHECK_FOR_EVER UINT64_MAX

/* The firmware and one image's code, and what their routines cost: check/firmware/service.h. */
typedef struct es_check_service es_check_service;

#endif
