/* Turns a checked program into what the probe needs: the monitor image and the bytes for phantom memory. */
#ifndef ES_IMAGE_IMAGE_H
#define ES_IMAGE_IMAGE_H

#include <stdbool.h>

#include "base/text.h"
#include "lang/statement.h"

/* What the probe at hand offers; read from its registers. */
typedef struct es_probe_limits {
    uint32_t memory_size;              /* bytes of soft core memory */
    uint32_t window_base, window_size; /* phantom window in target addresses */
    /* clock that the tap's time counts: what turns ns and ms into clocks; es_probe_info_limits leaves it 0 */
    uint64_t bus_hz;
    uint32_t lacks; /* ES_LACKS_*: what statements cannot have here */
    bool running;   /* the target may be anywhere when monitoring begins: its path and locals are unknown */
    bool start_up;  /* what start-up code writes is an event, too */
    bool times;     /* hits tell the four times: three more words after their values (es_image_times) */
    bool tracker;   /* it deals with plain calls and returns, and with untrue writes, by itself */
    bool unsure;    /* what the target writes may be unknown to the probe: it is replayed */
    bool narrow;    /* the bus has 8 or 16 bits: what the program stores in a word may come as several writes */
} es_probe_limits;

#define ES_LACKS_READS 1u       /* the bitstream has no hits on data reads */
#define ES_LACKS_OUTPUTS 2u     /* ... no pins for `trigger` and `halt` */
#define ES_LACKS_TIME 4u        /* ... no REG_TIME_NOW */
#define ES_LACKS_COMPRESSED 32u /* the bitstream takes instructions of four bytes only */
#define ES_LACKS_FETCHES 16u    /* what a fetch proves: the processor fetches ahead of what it executes */
#define ES_LACKS_LEAVE 8u       /* the user has not said that the target may be halted */

/* Why fetches tell nothing of what is executed, and what to do: to be said after what cannot be had. */
typedef struct es_blindness {
    const char *why, *remedy;
} es_blindness;

/* Of a program on the probe at hand; NULL: fetches tell it all. */
const es_blindness *es_image_blindness(const es_probe_limits *limits, const es_symbols *symbols);

/* A word that is armed, all the time or while an activation exists. One for each frame that puts a word there. */
typedef struct es_image_key {
    uint32_t address;          /* in the target */
    bool fetch;                /* in the fetch plane, else in the data plane */
    const es_procedure *frame; /* a word of its frame; NULL: armed all the time */
    int32_t cfa_offset;        /* where in the frame */
} es_image_key;

/* A pointer that statements follow. */
typedef struct es_image_pointer {
    const es_procedure
        *frame;  /* its variable is a local of this procedure, `address` from the canonical frame address; NULL: not */
    size_t base; /* 1 + the pointer through whose value the variable is reached, `address` from there; 0: none */
    uint32_t address; /* else: in the target */
    uint32_t size;    /* bytes of what it points to */
    /* no pointer but an element of an array at `address`; frame, base and size as of a variable that points to it */
    bool element;
    bool bounded; /* ... it is nowhere when its index is not one of the array's */
} es_image_pointer;

/* By es_mi_slot: what its words are, whose address moves. */
typedef struct es_image_slot {
    const es_procedure *frame; /* locals of this procedure; NULL: what a pointer leads to: */
    size_t pointer;
} es_image_slot;

/* What one printed value of a hit means: where it comes from in the statement's references. */
typedef struct es_image {
    uint8_t *bytes;    /* to be loaded at ES_IMAGE_BASE */
    size_t size;       /* multiple of 4 */
    uint32_t checksum; /* HELLO frames repeat it */
    /* for people, tests and host/check */
    size_t keys_data, keys_fetch, keys_read, nodes; /* keys_read: data words armed for reads; not among `keys` */
    es_image_key *keys;                             /* all words that are ever armed */
    size_t key_count;
    es_image_pointer *pointers; /* by es_mi_pointer */
    size_t pointer_count;
    es_image_slot *slots;
    size_t slot_count;
    uint16_t *deadlines; /* routines that ask for one deadline each; NULL: none */
    size_t deadline_count;
} es_image;

/* Fails with ES_USAGE when the statements need more than the probe has: says what is too many and which limit is
 * met. */
bool es_image_build(const es_symbols *symbols, const es_program *program, const es_probe_limits *limits,
                    es_image *image, es_error *err);
void es_image_free(es_image *image);

/* Instead of an image: the monitor IR of all its code, as text, after a pass (es_ir_pass). Appends to out. */
bool es_image_dump(const es_symbols *symbols, const es_program *program, const es_probe_limits *limits,
                   const char *pass, es_text_buffer *out, es_error *err);

/* The firmware that goes with this host: bytes to be loaded at ES_MEM_BASE (multiple of 4), linked into the host from
 * firmware/. */
const uint8_t *es_firmware(size_t *size);

/* A program for the same place that drops hits for as long as it runs. */
const uint8_t *es_firmware_drain(size_t *size);

/* Whether hits of the statement are sent to the host. Else they are only counted. */
bool es_image_reports(const es_statement *statement);

/* The figures that the firmware ends with: the program's counters, how often each statement was true, and what
 * follows. */
size_t es_image_figures(const es_program *program);

/* Of a statement that is an expectation. */
typedef struct es_image_expected {
    bool hit;           /* it had a hit that is certain, ... */
    uint64_t first;     /* ... the first one at this bus clock */
    uint32_t uncertain; /* hits that are not */
    uint32_t unknown;   /* evaluations that met what is not known */
    bool disabled;      /* in the end */
} es_image_expected;

/* Of all statements. */
typedef struct es_image_doubts {
    uint32_t
        nobodys;  /* evaluations that could not be made, of locals or at a return, nobody knows of which statement */
    bool paths;   /* the call path was unknown for a time */
    uint64_t end; /* monitoring went on until this bus clock at least */
} es_image_doubts;

/* What all figures say; expected: one for each statement; of what is no expectation `unknown` alone. */
es_image_doubts es_image_expected_read(const es_program *program, const uint32_t *figures, es_image_expected *expected);

/* Whether hits of a statement depend on the call path: on locals, a path, a return. */
bool es_image_needs_path(const es_statement *statement);

/* How the words of a HIT frame are to be read: the k-th value of a statement. The count is all items of print actions
 * and statistics in order. */
size_t es_image_value_count(const es_statement *statement);
const es_print_item *es_image_value(const es_statement *statement, size_t k);
/* Words of the frame that a value takes, low word first: 2 for what has 64 bits, more for ES_ITEM_WHICH, none for
 * ES_ITEM_BACKTRACE, else 1; and those of all values and snapshots. */
size_t es_image_value_words(const es_statement *statement, const es_print_item *item);
size_t es_image_words(const es_statement *statement);

/* Where values of a hit are not known, its frame ends with so many words more, whose bits say which: bit k % 32 of
 * word k / 32 the k-th value. The value's own words are then what memory holds. Frames without these words know all
 * values. */
size_t es_image_unknown_words(const es_statement *statement);

/* Of an item that tells which members of an area the event has written or read (ES_ITEM_WHICH): its words hold where
 * that is, from the area's first member on, and the memory there. */
#define ES_IMAGE_PARTS_MAX 32u
typedef struct es_image_part {
    size_t reference; /* the statement's */
    bool known;       /* its value is */
    uint64_t value;   /* of a bit-field its bits alone */
} es_image_part;

/* The members, in the area's order. Returns how many: none when the event was an access to something else. */
size_t es_image_which(const es_statement *statement, const es_print_item *item, const uint32_t *words,
                      es_image_part parts[ES_IMAGE_PARTS_MAX]);

/* Snapshots follow the values: for each, in the order of the actions, its target address where that is known at the
 * event only (0: its pointer leads nowhere that is known), and its words, 32 at a time with a word after them whose
 * bits tell which of them are not known. */
size_t es_image_snapshot_count(const es_statement *statement);
const es_snapshot *es_image_snapshot(const es_statement *statement, size_t k);
size_t es_image_snapshot_words(const es_snapshot *snapshot);

typedef struct es_image_bytes {
    uint32_t address;               /* of the first byte, in the target */
    bool found;                     /* false: the pointer leads nowhere, ... */
    const char *why;                /* ... and what is to be said of that */
    uint8_t bytes[256], known[256]; /* known: 0 or 1, of each byte */
} es_image_bytes;

void es_image_snapshot_read(const es_snapshot *snapshot, const uint32_t *words, es_image_bytes *out);

/* The times of a hit, in clocks of the tap as its own: when its statement's evaluation began (recognition), when its
 * actions began and ended. The last ES_IMAGE_TIMES words of a frame hold their low halves, in this order, where
 * es_probe_limits.times was set. */
#define ES_IMAGE_TIMES 3u
static inline uint64_t es_image_time(uint64_t occurrence, uint32_t low)
{
    return occurrence + (uint32_t)(low - (uint32_t)occurrence);
}

#endif
