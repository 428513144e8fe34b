/* The textual .net format of the TINA toolbox, also pleasant to write by hand:
 *
 *   net buffer
 *   tr produce [4,4] idle -> filled         # transition, delay, input places -> output places
 *   pl idle : {waits for work} (1)          # place, label, initial tokens
 *   pr produce > consume                    # at the same time, produce goes first
 *
 * Comments that begin with "# earshot:" hold what TINA has no words for, so that both tools read the same file:
 *
 *   # earshot: monitor produce 3 5          a monitor: its mark takes 3 ticks, never more than 5; both may be left out
 *   # earshot: untimed consume ...
 *   # earshot: fixed fly ...              always takes its delay, in every run
 *   # earshot: idle pass ...             asking again: changes nothing else, and takes the same time in every run
 *   # earshot: steady take ...           takes the same time in every run after the same step
 *   # earshot: signal bell ...            places whose tokens carry nothing
 *   # earshot: process 0 {producer} produce ...    number, name or {}, transitions
 *   # earshot: order consume produce ...    which go first at the same time; those not named come last
 *   # earshot: route p -> t5 if p6 and not p7 from t1 t2 last t3 to t4     a rule; without `if`: the rest
 *   # earshot: start p -> t4                where the initial token of p is routed to
 *   # earshot: source produce {main.c:12}
 *   # earshot: tick {clock}
 *
 * Names are letters, digits, _ and ', or anything in braces (\ before { } \ there). [d,d] is a delay of d ticks; no
 * interval and [0,w[ are 0. Refused with the reason: other intervals, read, inhibitor and stopwatch arcs, priorities
 * that form a ring. */
#ifndef ES_NET_TINA_H
#define ES_NET_TINA_H

#include "base/text.h"
#include "net/model/net.h"

/* Reads a net from `size` bytes; `file` is its name in messages. NULL with an ES_USAGE error that begins with
 * "file:line:column: error: ". */
es_net *es_tina_read(const char *file, const char *bytes, size_t size, es_error *err);

/* Adds the net in this format to the text. Fails with ES_USAGE when an id or a name holds a NUL or a newline. */
bool es_tina_write(const es_net *net, es_text_buffer *out, es_error *err);

#endif
