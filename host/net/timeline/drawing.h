/* What the parts of the picture share. All positions are tenths of a pixel in whole numbers, so that the bytes
 * depend on nothing else. */
#ifndef ES_NET_TIMELINE_DRAWING_H
#define ES_NET_TIMELINE_DRAWING_H

#include "net/timeline/private.h"

#define LEFT 132 /* pixels for the lanes' labels */
#define RIGHT 24
#define TOP 84     /* title, legend, axis; without an overview */
#define BAR 24     /* height of a track */
#define BETWEEN 22 /* between the tracks of a lane: the lines that connect */
#define LANE_GAP 26
#define LANE (2 * BAR + BETWEEN + LANE_GAP)
#define WIDTH_MIN 900
#define WIDTH_MAX 12000
#define WIDTH_PER_BAR 30
#define LETTER 62 /* tenths of a pixel a letter of 10.5 px takes, at most on average */
#define FLAG_LINE 19
#define KEY_LINE 17

struct drawing {
    const es_net_timeline *t;
    es_text_buffer *out;
    es_arena *arena;
    es_net_bar *observed, *recovered; /* sorted */
    int64_t begin, end;               /* ticks at the edges */
    int64_t width, height;            /* pixels; width of the time axis */
    int64_t top;                      /* where the first lane begins */
    bool narrow;                      /* some stretches are too short to be seen */
};

static inline int64_t drawing_observed_y(const struct drawing *d, uint32_t lane)
{
    return d->top + (int64_t)lane * LANE;
}

static inline int64_t drawing_recovered_y(const struct drawing *d, uint32_t lane)
{
    return drawing_observed_y(d, lane) + BAR + BETWEEN;
}

/* The fill of the bars of a kind of event. */
const char *es_drawing_fill(uint32_t kind);

/* Tenths of a pixel as a number, after the text `before`. */
void es_drawing_tenths(es_text_buffer *out, const char *before, int64_t tenths);

/* How many characters of UTF-8 there are. */
int64_t es_drawing_letters(const char *text);

/* --- notes.c: what is around the lanes */
int64_t es_drawing_legend(struct drawing *d, bool draw); /* its width in pixels */
void es_drawing_number(struct drawing *d, int64_t x, int64_t y,
                       size_t number);              /* of a change; x in tenths of a pixel */
int64_t es_drawing_notes_height(struct drawing *d); /* pixels */
void es_drawing_notes(struct drawing *d);           /* below the lanes */

/* --- overview.c: the whole run above the excerpt */
int64_t es_drawing_overview_height(const struct drawing *d); /* pixels */
void es_drawing_overview(struct drawing *d);

#endif
