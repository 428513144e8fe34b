/* A picture of a recovery: for each process what was observed above what would have been, changes of behaviour marked.
 * SVG, or HTML around it. The same events give the same bytes. */
#ifndef ES_NET_TIMELINE_H
#define ES_NET_TIMELINE_H

#include "base/text.h"
#include "net/recovery/recovery.h"

#define ES_NET_TIMELINE_EVENTS_MAX 5000u /* observed, and recovered ones; what comes later is counted and left out */

typedef struct es_net_timeline es_net_timeline;

/* Takes events whose observed or recovered time is in from .. to. Of a run of which that is everything
 * (-ES_NET_TICKS_MAX, ES_NET_TICKS_MAX) and that is longer than a screen, an excerpt is drawn, with an overview of
 * the whole above it. The net must outlive the timeline. */
es_net_timeline *es_net_timeline_new(const es_net *net, int64_t from, int64_t to);
void es_net_timeline_free(es_net_timeline *timeline); /* NULL is fine */

/* Both in the order of es_net_recovery's calls. `observation->mark` is what was measured. */
void es_net_timeline_observed(es_net_timeline *timeline, const es_net_observation *observation);
void es_net_timeline_recovered(es_net_timeline *timeline, const es_net_recovered *event);
void es_net_timeline_change(es_net_timeline *timeline, const es_net_change *change);
void es_net_timeline_order(es_net_timeline *timeline, const es_net_order_change *change);

/* Adds the picture to the text. */
void es_net_timeline_svg(const es_net_timeline *timeline, es_text_buffer *out);
void es_net_timeline_html(const es_net_timeline *timeline, es_text_buffer *out);

/* "totally", "possibly", "pasted", "lost". */
const char *es_net_class_name(enum es_net_class certainty);

#endif
