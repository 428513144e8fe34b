/* Nets drawn by graphviz: places as circles with their tokens, transitions as bars with their delays, monitors filled,
 * routing in words. */
#ifndef ES_NET_SHOW_H
#define ES_NET_SHOW_H

#include "base/text.h"
#include "net/analysis/conditions.h"
#include "net/model/net.h"

typedef struct es_net_show_options {
    const es_net_findings *findings; /* transitions to monitor in addition are drawn as such; NULL: none */
    bool across;                     /* from left to right instead of downwards */
    bool apart; /* each process by itself, one below the other, with copies (dashed) of the places that it shares */
} es_net_show_options;

#define ES_NET_SHOW_TOGETHER 60u /* so many places are drawn as one net by default */

/* Adds the net as text in graphviz's language, for `dot`. */
void es_net_show_dot(const es_net *net, const es_net_show_options *options, es_text_buffer *out);

/* Runs `dot` on such a text and adds the SVG. Fails with ES_OUTPUT when dot is not there or fails. */
bool es_net_show_svg(const es_text_buffer *dot, es_text_buffer *svg, es_error *err);

#endif
