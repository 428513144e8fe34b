/* Decoder of the event stream: frames to events with 64-bit time, whole paths, and losses told. */
#ifndef ES_STREAM_EVENT_H
#define ES_STREAM_EVENT_H

#include "base/error.h"
#include "stream/frame.h"

#define ES_PATH_MAX 256

enum es_event_kind {
    ES_EVENT_HELLO,
    ES_EVENT_HIT,
    ES_EVENT_MARK,
    ES_EVENT_GAP,
    ES_EVENT_COUNTERS,
    ES_EVENT_DONE,
    ES_EVENT_STATUS,
    ES_EVENT_FAULT,
    ES_EVENT_RESPONSE, /* of a command, not of the target */
    ES_EVENT_RECORD,   /* bytes of a core's input stream (docs/replay.md), numbered for themselves */
};

typedef struct es_event {
    enum es_event_kind kind;
    uint16_t sequence;
    uint64_t time;       /* HIT, MARK: tap clocks (of a mark its end); GAP: first lost */
    uint64_t time_last;  /* GAP: last lost, or ES_TIME_UNKNOWN */
    uint32_t lost;       /* GAP: how many */
    uint32_t lost_what;  /* GAP: ES_GAP_* , or ES_GAP_LINK: frames lost or damaged on the link (then times are those of
                             the hits or marks around them) */
    unsigned lost_cores; /* GAP: bit c: marks of core c were among them; 0: not known whose, or no marks */
    uint16_t statement;  /* HIT */
    uint16_t flags;      /* HIT: ES_HITF_* */
    uint32_t pc;         /* HIT; MARK: of its store */
    unsigned core;       /* MARK, RECORD */
    uint32_t id, value;  /* MARK */
    uint32_t counts;     /* MARK: ES_MARKED_*: clocks from its store, and from that one's fetch, to its end */
    uint32_t path[ES_PATH_MAX]; /* HIT: call sites, outermost first (bit 0: ES_SITE_INTERRUPT) */
    size_t path_count;
    uint32_t task; /* HIT: what the current-task pointer holds for the task on whose stack the target ran */
    /* HIT, with task_known: words from that address on, where tasks have names, and which are not known (bits); 0
     * words: nothing was sent */
    uint32_t task_name[ES_TASK_NAME_WORDS];
    size_t task_name_count;
    uint32_t task_name_unknown;
    bool task_known;       /* false in images without tasks, and after a loss on the link as path_known */
    bool path_known;       /* false after a loss on the link, until the whole path was sent again */
    const uint32_t *words; /* HIT: values; COUNTERS: values from first_index on; others: the words after the first */
    size_t word_count;
    uint32_t first_index; /* COUNTERS */
} es_event;

#define ES_GAP_LINK 100u
#define ES_TIME_UNKNOWN UINT64_MAX /* no hit or mark tells it */

typedef struct es_decoder es_decoder;
typedef void es_event_fn(void *context, const es_event *event);

es_decoder *es_decoder_new(es_event_fn *on_event, void *context);
void es_decoder_free(es_decoder *decoder);

/* Firmware is about to be started: its frames' numbers begin at 0, so that its HELLO is missed where it gets lost. */
void es_decoder_restart(es_decoder *decoder);

/* Decodes any bytes; calls on_event for each event found, in order. What was lost on the link is told before the next
 * hit or mark, whose time closes the gap, or before what else ends it. RECORD events are handed on as their frames
 * come: which of them are missing, their own numbers tell whoever takes them. */
void es_decoder_push(es_decoder *decoder, const uint8_t *bytes, size_t size);

/* The stream has ended: tells of a loss that nothing has closed. */
void es_decoder_finish(es_decoder *decoder);

/* True when a loss on the link made the path unknown: the owner should send ES_MAIL_RESYNC. Clears itself. */
bool es_decoder_wants_resync(es_decoder *decoder);

/* Totals: frames taken, frames damaged or missing on the link. */
void es_decoder_totals(const es_decoder *decoder, uint64_t *frames, uint64_t *bad);

#endif
