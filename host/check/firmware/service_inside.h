/* Inside of the service: what its files share. */
#ifndef ES_CHECK_SERVICE_INSIDE_H
#define ES_CHECK_SERVICE_INSIDE_H

#include <image.h>

#include "check/firmware/machine.h"
#include "check/firmware/service.h"
#include "image/firmware.h"
#include "probe_defs.h"

/* A cost that was asked for before. */
typedef struct memo memo;

struct es_check_service {
    es_arena *arena;
    const es_image *image;
    uint8_t memory[ES_MI_ADDRESS_END];
    uint16_t rows[2 * ES_ROWS];
    struct es_mi_header header;
    struct es_mi_tasks tasks; /* all 0: there are none */
    uint32_t deepest;         /* activations with which a task is left, at most */
    firmware_routines routines;
    es_check_targets lists, frames;  /* code that the firmware reaches through procedures' records */
    const es_isa *target;            /* whose instructions are evidence */
    const es_insn *code;             /* of the firmware and the image */
    const es_check_live *live;       /* of the same code */
    es_check_functions functions[2]; /* what is known of C functions: clocks; words */
    es_check_fact *facts;            /* that hold at all events */
    size_t fact_count;
    uint32_t *gathered[ES_MI_SLOTS_MAX];
    bool partly;     /* es_check_service_set_partly */
    size_t budget;   /* states that may be looked at for all events of a check */
    uint32_t checks; /* that have begun */
    memo *memos;     /* hash table, open addressing */
    size_t memo_count, memo_room;
};

/* service_image.c: what the image's tables hold */

/* The two bytes at an address of the soft core's memory. */
uint16_t es_service_half(const es_check_service *s, uint32_t address);
/* The cell of a target's word, of those for fetches or for writes. */
uint32_t es_service_cell(const es_check_service *s, bool fetch, uint32_t address);
/* The record of the procedure that begins at an armed address; 0: none does. */
uint32_t es_service_record(const es_check_service *s, uint32_t entry);
struct es_mi_slot es_service_slot(const es_check_service *s, size_t number);

/* service_event.c: one event as the firmware finds it */

/* What a run of the firmware's code is for. */
typedef struct service_event {
    const es_check_service *service;
    enum es_check_event_kind kind;
    uint32_t address, cell;
    const es_check_situation *situation;
    uint32_t *gathered; /* a bit for each routine that is noted to be run; NULL: that is not asked */
} service_event;

/* Registers as interface/image.h has them between events. */
void es_service_registers(const es_check_service *s, const es_check_situation *now, es_check_word regs[32]);

/* The soft core as it handles an event, whose clocks are asked for, or with `words` the words that it sends. `e` NULL:
 * any event. Facts and where it ends are up to the caller. */
es_check_machine es_service_machine(es_check_service *s, bool words, service_event *e);

/* service_gathered.c: what writes to words whose address moves concern */

/* The two pieces of code of a word's own cell, in halves; of a data read, the first one if that is what it is for. */
uint32_t es_service_codes(const es_check_service *s, enum es_check_event_kind kind, uint32_t address);

/* Facts, of which the first ones are of this: which routines may be noted at a write to or a read of words of these
 * slots, and to a word with two pieces of code (in the halves of `codes`). */
void es_service_know_gathered(es_check_service *s, uint64_t slots, uint32_t codes, es_check_fact *facts);

/* Bits of the pointers that slots belong to. */
uint32_t es_service_pointers(const es_check_service *s, uint64_t slots);

#endif
