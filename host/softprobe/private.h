/* Inside of the probe in software: what its files share. From the lowest layer up, each uses those before it: memory.c,
 * dispatch.c, pipeline.c, fifo.c, out.c, order.c, events.c, registers.c, bus.c, core.c, feed.c, loader.c, beside.c,
 * link.c, softprobe.c. */
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

/* What a monitor says at one event, of several (order.c). */
typedef struct said {
    struct es_softprobe *by;
    uint64_t key;        /* of a hit: in which order; else 0 */
    size_t first, count; /* words */
} said;

/* Whose bytes come next. */
typedef struct turn {
    size_t monitor;
    uint64_t first, end; /* of what it has ever sent */
} turn;

typedef struct softprobe_transport {
    es_transport base;
    es_softprobe *probe;
} softprobe_transport;

struct es_softprobe {
    es_softprobe_options options;
    uint32_t window_last; /* offset of its last byte */

    /* Of several monitors, each of which is one of these: all but the first have no more than what is below at
     * "each". */
    es_softprobe *first;
    es_softprobe **monitors; /* of the first: all of them, itself with them */
    size_t monitor_count;
    size_t waiting_monitors; /* locked, or with a hit */
    bool any_read_hits;
    bool ended; /* one of them has ended the monitoring */
    bool held;  /* what they say is kept until all have said it */
    said *said; /* at the event at hand, */
    size_t said_count, said_room;
    uint32_t *said_words;
    size_t said_word_count, said_word_room;
    turn *turns;
    size_t turn_first, turn_count, turn_room;
    size_t unread; /* bytes of all of them */

    /* pipeline */
    page **pages;
    uint32_t part_index; /* the one word not known whose lanes are counted */
    uint8_t part_lanes;
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
    uint64_t dropped_ever;
    size_t page_count;

    /* --- each --- */
    size_t number;               /* among the monitors */
    uint8_t **planes;            /* of several: flags of its planes by page, NULL: none */
    const es_target_rank *ranks; /* by statement of its image */
    size_t rank_count;
    bool counted; /* among waiting_monitors */
    bool locked, read_hits;
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

    uint64_t sent; /* bytes, ever */
    uint64_t hits, instructions_before;
};

static inline bool is_alone(const es_softprobe *probe)
{
    return probe->first->monitor_count == 1;
}

/* After `locked` or `hit_valid` have changed. */
static inline void note_waiting(es_softprobe *probe)
{
    bool waits = probe->locked || probe->hit_valid;
    if (waits != probe->counted)
        probe->first->waiting_monitors += waits ? 1 : SIZE_MAX;
    probe->counted = waits;
}

/* memory.c. Words of the window by index; those of pages that are not there are 0. Pages belong to the first. A page's
 * flags are those of all monitors' planes together; es_softprobe_planes are those of one. */
page *es_softprobe_page_new(es_softprobe *probe, uint32_t index);
static inline page *page_at(es_softprobe *probe, uint32_t index)
{
    page *at = probe->pages[index >> PAGE_LOG2];
    return at ? at : es_softprobe_page_new(probe, index);
}
uint8_t es_softprobe_planes(const es_softprobe *probe, uint32_t index);
/* From now on there are several, each with planes of its own: nothing is armed yet but what this one has. */
void es_softprobe_planes_new(es_softprobe *probe);
void es_softprobe_memory_new(es_softprobe *probe);
void es_softprobe_memory_free(es_softprobe *probe);
/* Regions of the soft core's map that are the window: PHANTOM, PLANE_DATA, PLANE_FETCH. *known: of phantom memory. */
uint32_t es_softprobe_array_read(const es_softprobe *probe, uint32_t address, bool *known);
void es_softprobe_array_write(es_softprobe *probe, uint32_t address, uint32_t data, unsigned lanes);
void es_softprobe_clear(es_softprobe *probe);

/* dispatch.c */
uint32_t es_softprobe_cell(const es_softprobe *probe, const hit *of);

/* out.c */
void es_softprobe_send(es_softprobe *probe, const uint32_t *words, size_t count);

/* order.c: of several. Takes a frame of an event; sends what was taken, in the order of one probe. */
void es_softprobe_say(es_softprobe *probe, const uint32_t *words, size_t count);
void es_softprobe_sort(es_softprobe *first);

/* beside.c: how many bytes of it may be read now: answers, and what is its turn to say. */
size_t es_softprobe_next_bytes(es_softprobe *probe);

/* events.c */
void es_softprobe_event_word(es_softprobe *probe, uint32_t word);
void es_softprobe_event_end(es_softprobe *probe);
void es_softprobe_event_head(es_softprobe *probe, uint32_t head);
void es_softprobe_event_hit(es_softprobe *probe, uint32_t told);

/* pipeline.c. Executes one record; whether it is a hit, which then is at the head of all whose it is. This, fifo.c and
 * feed.c are given the first. */
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
/* Until all soft cores wait and no record is left, or they stand still. False: one goes on and on. */
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
