/* Inside of the probe in software: what its files share. From the lowest layer up, each uses those before it: memory.c,
 * dispatch.c, pipeline.c, fifo.c, events.c, registers.c, bus.c, core.c, feed.c, loader.c, link.c, softprobe.c. */
#ifndef ES_SOFTPROBE_PRIVATE_H
#define ES_SOFTPROBE_PRIVATE_H

#include "softprobe/softprobe.h"
#include "stream/frame.h"

#define FIFO_RECORDS 4096u /* that wait while the soft core stands still; a power of two */
#define EV_ROOM 0x8000u    /* words: what REG_EV_ROOM always says, as the event queue has no end */

/* --- phantom memory and planes: a page for 1024 words, made when it is first accessed --- */

#define PAGE_LOG2 10
#define PAGE_WORDS (1u << PAGE_LOG2)

enum { WORD_KNOWN = 1, WORD_DATA = 2, WORD_LOCK = 4, WORD_FETCH = 8, WORD_UPPER = 16 };

typedef struct page {
    uint32_t words[PAGE_WORDS];
    uint8_t flags[PAGE_WORDS]; /* WORD_* */
} page;

/* --- records and hits --- */

#define KIND_POKE 4u   /* besides ES_KIND_*: es_softprobe_poke */
#define POKE_SILENT 1u /* its lanes: who follows pointers is not told */

typedef struct record {
    es_machine_access access; /* KIND_MARK: the mark in lanes */
    uint64_t time;
} record;

typedef struct hit {
    uint8_t kind, lanes;
    bool old_known, locked, dynamic;
    uint32_t time, address, new_word, old_word, pc, cell;
} hit;

/* What goes to the host. */
typedef struct bytes_out {
    uint8_t *bytes;
    size_t first, end, room;
} bytes_out;

typedef struct frame_building {
    uint32_t words[ES_FRAME_MAX_WORDS];
    unsigned count;   /* so far */
    unsigned missing; /* that the first word still promises */
    bool broken;      /* it cannot be sent */
    uint16_t sequence_number, flags;
} frame_building;

typedef struct softprobe_transport {
    es_transport base;
    es_softprobe *probe;
} softprobe_transport;

struct es_softprobe {
    es_softprobe_options options;
    uint32_t window_last; /* offset of its last byte */

    /* pipeline */
    page **pages;
    uint32_t part_index; /* the one word not known whose lanes are counted */
    uint8_t part_lanes;
    bool locked, read_hits;
    bool fetch_known, write_known;
    uint32_t fetch_address, fetch_word; /* the last one; the word as it was fetched */
    uint32_t write_address;
    uint32_t epoch, lost;
    bool waits; /* the next record has to wait: locked, or a hit is at the head */

    /* what waits before it, and what was lost there */
    record *fifo;
    uint32_t fifo_first, fifo_level, fifo_max;
    uint32_t dropped; /* not told yet */
    uint64_t dropped_first, dropped_last;
    uint64_t now, epoch_end; /* the tap's time; the first time that needs another epoch */
    uint64_t announced;      /* the epoch of the last MARK_EPOCH */

    hit head;
    bool hit_valid;
    uint16_t rows[2 * ES_ROWS];

    /* registers */
    uint32_t mail, time_high;
    bool mail_full, unknown_met;
    frame_building frame;

    /* soft core */
    es_machine *core;
    bool runs, starts; /* CPU_CTRL; it was 0, and the soft core has not been reset since */
    bool asleep;       /* in wfi */
    bool busy;         /* its last turn has ended before it came to rest */
    bool stopped;      /* for good: an instruction that it does not have */
    bool in_turn;      /* its instructions are being executed */

    /* link */
    softprobe_transport transport;
    es_deframer deframer;
    bytes_out out;

    uint64_t hits, instructions_before, dropped_ever;
    size_t page_count;
};

/* memory.c. Words of the window by index; those of pages that are not there are 0. */
page *es_softprobe_page_new(es_softprobe *probe, uint32_t index);
static inline page *page_at(es_softprobe *probe, uint32_t index)
{
    page *at = probe->pages[index >> PAGE_LOG2];
    return at ? at : es_softprobe_page_new(probe, index);
}
void es_softprobe_memory_new(es_softprobe *probe);
void es_softprobe_memory_free(es_softprobe *probe);
/* Regions of the soft core's map that are the window: PHANTOM, PLANE_DATA, PLANE_FETCH. *known: of phantom memory. */
uint32_t es_softprobe_array_read(const es_softprobe *probe, uint32_t address, bool *known);
void es_softprobe_array_write(es_softprobe *probe, uint32_t address, uint32_t data, unsigned lanes);
void es_softprobe_clear(es_softprobe *probe);

/* dispatch.c */
uint32_t es_softprobe_cell(const es_softprobe *probe, const hit *of);

/* events.c */
void es_softprobe_send(es_softprobe *probe, const uint32_t *words, size_t count);
void es_softprobe_event_word(es_softprobe *probe, uint32_t word);
void es_softprobe_event_end(es_softprobe *probe);
void es_softprobe_event_head(es_softprobe *probe, uint32_t head);
void es_softprobe_event_hit(es_softprobe *probe, uint32_t told);

/* pipeline.c. Executes one record; whether it is a hit, which then is at the head. */
bool es_softprobe_execute(es_softprobe *probe, const es_machine_access *access, uint64_t time);

/* fifo.c. Takes a record, an epoch's begin, a loss; or counts it as lost. */
void es_softprobe_put(es_softprobe *probe, const es_machine_access *access, uint64_t time);
void es_softprobe_put_epoch(es_softprobe *probe, uint64_t time);
void es_softprobe_put_lost(es_softprobe *probe, uint32_t count, uint64_t first, uint64_t last);
/* Executes records that can be, until one is a hit. */
void es_softprobe_pump(es_softprobe *probe);

/* registers.c */
uint32_t es_softprobe_register_read(es_softprobe *probe, uint32_t address, bool by_core);
void es_softprobe_register_write(es_softprobe *probe, uint32_t address, uint32_t data);

/* bus.c: the soft core's map. Words with their lanes; memory only where the core has none itself. */
uint32_t es_softprobe_bus_read(es_softprobe *probe, uint32_t address, bool by_core);
void es_softprobe_bus_write(es_softprobe *probe, uint32_t address, uint32_t data, unsigned lanes);

/* core.c */
bool es_softprobe_core_new(es_softprobe *probe, es_error *err);
/* Until the soft core waits and no record is left, or it stands still. False: it goes on and on. */
bool es_softprobe_settle(es_softprobe *probe);
static inline uint64_t es_softprobe_instructions(const es_softprobe *probe)
{
    return probe->instructions_before + es_machine_fetches(probe->core);
}

/* loader.c */
void es_softprobe_command(es_softprobe *probe, const uint32_t *words, size_t count);

/* link.c */
void es_softprobe_transport_init(es_softprobe *probe);

#endif
