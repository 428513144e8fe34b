/* What `earshot top` shows: figures of a run by statement, gathered by the thread that gives the records, looked at by
 * another one. Of bounded size, and taking a record never waits for who looks, but for the moment of a copy. */
#ifndef ES_TERMINAL_MODEL_H
#define ES_TERMINAL_MODEL_H

#include "record/record.h"
#include "terminal/figures.h"

#define ES_TOP_SAMPLES 32 /* of a sparkline */
#define ES_TOP_TEXT 160   /* bytes of a statement's last values */

/* A statement's. */
typedef struct es_top_row {
    uint64_t hits;
    double rate;              /* hits a second, of late */
    uint64_t last;            /* time of the last hit */
    char values[ES_TOP_TEXT]; /* as of the last hit */
    double
        samples[ES_TOP_SAMPLES]; /* of its first value that is a number, or else hits in each interval; oldest first */
    size_t sample_count;
    bool samples_values; /* they are values */
    bool has_worst;
    uint64_t
        worst; /* clocks: the longest elapsed or age that was told; else, with times, from event to the actions' end */
} es_top_row;

/* What can be looked at: a copy. */
typedef struct es_top_view {
    const es_schema *schema; /* valid until the model is freed; NULL: not begun */
    es_top_row *rows;        /* by statement */
    es_figures figures;
    char note[ES_TOP_TEXT]; /* the latest for the user */
    bool over;              /* the summary is there, or the run has ended without one */
} es_top_view;

typedef struct es_model es_model;

es_model *es_model_new(bool utf8);
void es_model_free(es_model *model);

void es_model_take(es_model *model, const es_record *record);
void es_model_end(es_model *model);

/* Copies into *view, whose rows are made when the run has begun; es_top_view_free frees them. */
void es_model_look(es_model *model, es_top_view *view);
void es_top_view_free(es_top_view *view);

#endif
