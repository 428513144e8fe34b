/* How a run goes, as figures that fit into one line. */
#ifndef ES_TERMINAL_FIGURES_H
#define ES_TERMINAL_FIGURES_H

#include "base/text.h"
#include "record/record.h"

typedef struct es_figures {
    uint64_t hits, lost;
    uint64_t time;                     /* the target's */
    uint64_t waiting;                  /* bytes that have come and are not shown yet */
    double wall_seconds;               /* since monitoring began */
    double rate;                       /* hits a second, of late */
    double speed;                      /* of a simulated target: clocks a second, of late */
    uint64_t hits_before, time_before; /* private: at the record of progress before */
} es_figures;

/* Takes hits, losses, progress and the summary. */
void es_figures_take(es_figures *figures, const es_record *record);

/* 12, 1.2k, 34M */
void es_figures_number(es_text_buffer *out, double number);

/* Adds the parts that fit `room` columns, the most important first: "1204 hits  0 lost  340/s  12.3 KiB wait  12.3456
 * ms" */
void es_figures_text(es_text_buffer *out, const es_figures *figures, const es_schema *schema, size_t room);

#endif
