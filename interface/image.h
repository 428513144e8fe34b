/* The monitor image: static tables and predicate code that the host builds and the firmware walks. Included by both.
 *
 * Little endian on both sides. Every address in a table is an absolute soft core address that fits 16 bits
 * (`uint16_t` named *_at or said
 * so), because the soft core's memory ends at 64 KiB; 0 means none. Target addresses are 32 bits wide. The image is
 * loaded at
 * ES_IMAGE_BASE. Behind it, at header.ram_at, lies memory that the firmware clears at its start: counters, totals,
 * frame cells, pending lanes.
 */
#ifndef ES_INTERFACE_IMAGE_H
#define ES_INTERFACE_IMAGE_H

#include <stdint.h>

#define ES_MI_MAGIC 0x494D5345u /* "ESMI" */
#define ES_MI_VERSION 2u
#define ES_MI_ADDRESS_END 0x10000u /* addresses in tables are below */
#define ES_MI_ROWS 256u            /* rows of an address map */
#define ES_MI_ROW_SHIFT 10u        /* target address >> this = column */
#define ES_MI_STACK_DEPTH 64u      /* activations that the firmware's shadow stack holds */
#define ES_MI_EVENTS_MAX 16u       /* distinct events that one statement tells apart */

/* An address map by row displacement: bits 9:2 of a target address choose the row, the bits above choose the column.
 * rows[row] + 2 * column is the soft core address of a 16-bit cell (the row's displacement and the window's base are
 * folded
 * into rows[], modulo 2^32). Only armed words are ever looked up, so cells carry no key. */
struct es_mi_map {
    uint32_t rows[ES_MI_ROWS];
};

struct es_mi_header {
    uint32_t magic, version;
    uint32_t size;            /* bytes from the header's start, a multiple of 4 */
    uint32_t checksum;        /* es_mi_checksum over all words, this one taken as 0 */
    uint32_t window_base;     /* target address of phantom offset 0 */
    uint16_t ram_at;          /* words to clear ... */
    uint16_t ram_words;       /* ... and how many */
    uint16_t fetch_arms_at;   /* arm list of the fetch plane */
    uint16_t fetch_arm_count;
    uint16_t data_arms_at;    /* arm list of the data plane */
    uint16_t data_arm_count;
    uint16_t counters_at;     /* in RAM: uint32_t per counter, then uint32_t total per statement */
    uint16_t counter_count;
    uint16_t statement_count;
    uint16_t root_at;         /* procedure of the entry symbol, or 0 */
    uint16_t root_node_at;    /* NP before the first call, or 0 */
    uint16_t unknown_at;      /* in RAM: uint32_t, evaluations that met unknown memory */
};

/* What stands at ES_IMAGE_BASE; everything else is reached through addresses. */
struct es_mi_image {
    struct es_mi_header header;
    /* cell: address of an es_mi_trigger list, plus 1 when its entries are es_mi_frame_trigger */
    struct es_mi_map data;
    struct es_mi_map fetch; /* cell: ES_MI_CELL_* */
};

/* Arm lists: ascending words, each uint16_t the distance in words from the one before (the first: from the window's
 * base).
 * Bit 15: with lock (data plane). Distance ES_MI_ARM_SKIP: move on without arming. */
#define ES_MI_ARM_LOCK 0x8000u
#define ES_MI_ARM_SKIP 0x7FFFu

/* Cells of the fetch map: the address of an es_mi_procedure plus ENTRY where a procedure without mret starts, or
 * plus BACK at a return point that the
 * procedure contains; plus neither: the address of an es_mi_fetch. */
#define ES_MI_CELL_ENTRY 1u
#define ES_MI_CELL_BACK 2u

/* An armed code word that is several things at once, or has to do with mret. */
struct es_mi_fetch {
    uint16_t enter_at;  /* es_mi_procedure that starts here */
    uint16_t inside_at; /* es_mi_procedure that contains this return point */
    uint16_t is_mret;   /* the instruction is mret */
    uint16_t reserved;
};

#define ES_MI_PROCEDURE_INTERRUPT 0x0001u /* contains mret */

struct es_mi_procedure {
    uint32_t size;      /* bytes of code */
    uint16_t flags;     /* ES_MI_PROCEDURE_* */
    uint16_t column;    /* PPAT: 2 * its column in the child map; 0: in no node */
    uint16_t enter_at;  /* list of es_mi_control: statements to evaluate when it is entered */
    uint16_t leave_at;  /* ... when it is left */
};

/* PPAT node. child: cell at row_at + procedure.column holds the address of a node, which is a child when its
 * parent_at says so. */
struct es_mi_node {
    uint32_t cfa;       /* phantom address of the activation's canonical frame address */
    uint16_t parent_at;
    uint16_t row_at;
    uint16_t frame_at;  /* es_mi_frame, 0: no local of this procedure is referenced */
    uint16_t reserved;
};

/* The referenced locals of a procedure. */
struct es_mi_frame {
    uint16_t cell_at;       /* RAM: uint32_t, phantom address of the active CFA or 0; pending words follow it */
    uint16_t pending_words; /* words to clear behind the cell on entry */
    uint16_t word_count;
    uint16_t reserved;
    int32_t words[];        /* offset from the CFA; bits 1:0 = value for the data plane */
};

#define ES_MI_LAST 0x01u  /* last entry of its list */
#define ES_MI_ALONE 0x02u /* no other entry of the list is of the same statement */
/* no statement: once all of `lanes` are written, the word becomes known. Only in frame triggers, never with
 * ES_MI_ALONE, before all entries without it; the word is armed with lock. */
#define ES_MI_COVER 0x04u

/* MSEL: statements to evaluate when a variable in an armed word was written; ascending statements. */
struct es_mi_trigger {
    uint16_t statement_at; /* 0 with ES_MI_COVER */
    uint16_t events;     /* event bits for the statement's routine when this fires */
    uint16_t pending_at; /* RAM: uint8_t, lanes already written while the variable is incomplete; never 0 */
    uint8_t lanes;       /* lanes of the variable; ES_MI_COVER: of the frame's referenced locals in the word */
    uint8_t flags;       /* ES_MI_LAST, ES_MI_ALONE, ES_MI_COVER */
};

/* The same for a word of the stack: fires only while the frame is exactly there. */
struct es_mi_frame_trigger {
    struct es_mi_trigger trigger;
    uint16_t cell_at;
    uint16_t reserved;
    uint32_t cfa;
};

/* Statements to evaluate on a control event. */
struct es_mi_control {
    uint16_t statement_at;
    uint16_t events;
    uint16_t flags;      /* ES_MI_LAST */
    uint16_t reserved;
};

/* MSL. Routines are leaf code with registers a0-a7, t0-t6:
 *   evaluate (a0 = event bits, a1 = ES_REG_BASE): when the predicate is true and every value to be printed is known,
 * counts the hit and runs the
 *            `count` actions, and returns the address of `print` when there is something to send. Else 0. An
 * evaluation that met unknown memory is
 *            counted at header.unknown_at. Nothing is evaluated while a frame that it needs does not exist;
 *   print    (a0 = event bits, a1 = ES_REG_BASE): appends the values to the event frame and ends it. */
struct es_mi_statement {
    uint16_t evaluate_at;
    uint16_t number;
    uint32_t frame_word; /* HIT frame's first word without the sequence number */
};
#define ES_MI_FRAME_WORDS(frame_word) (((frame_word) >> 8) + 1) /* words in all */

/* Adds a word to the image's checksum. */
static inline uint32_t es_mi_checksum(uint32_t sum, uint32_t word)
{
    return (sum << 5 | sum >> 27) + word;
}

#endif
