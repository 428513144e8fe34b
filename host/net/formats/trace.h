/* Traces of nets: JSON Lines, one object a line. What `earshot net simulate` writes and `earshot net recover` reads.
 *
 *   {"event":"firing","transition":"t3","time":12,"mark":2}     a firing; "number" and others may be there too
 *   {"event":"gap","processes":[0,2]}                           marks of these processes were lost; of all without
 * "processes"
 *   {"event":"time","time":200}                                 all before this time has been told
 *   {"event":"end","complete":true}                             the trace ends; complete: the program too
 *
 * "mark" is what monitoring added to this firing; without it the net's calibrated mark is taken. Times are whole ticks.
 * Lines of other events (hits, console, summaries) are passed over, so that they may stand in the same stream. */
#ifndef ES_NET_TRACE_H
#define ES_NET_TRACE_H

#include <stdio.h>

#include "base/json.h"
#include "net/model/engine.h"
#include "net/recovery/recovery.h"

#define ES_NET_TRACE_LINE_MAX (1u << 20) /* bytes */

enum es_net_record_kind { ES_NET_RECORD_FIRING, ES_NET_RECORD_GAP, ES_NET_RECORD_TIME, ES_NET_RECORD_END };

typedef struct es_net_record {
    enum es_net_record_kind kind;
    uint64_t line;            /* of the file, from 1 */
    uint32_t transition;      /* firing */
    int64_t time;             /* firing, time */
    int64_t mark;             /* firing: ES_NET_UNKNOWN when not given */
    const int32_t *processes; /* gap; valid until the next record is read */
    size_t process_count;
    bool complete; /* end */
} es_net_record;

typedef struct es_net_trace es_net_trace;

/* Opens a trace; "-" is standard input. NULL with an ES_USAGE error. The net must outlive the trace. */
es_net_trace *es_net_trace_open(const char *path, const es_net *net, es_error *err);
/* The same for an open file, which es_net_trace_close closes unless it is stdin. `name` is for messages. */
es_net_trace *es_net_trace_from(FILE *file, const char *name, const es_net *net);

void es_net_trace_close(es_net_trace *trace); /* NULL is fine */

/* Reads the next record. False at the end, where *at_end is set, and with an ES_USAGE error, "path:line:column: error:
 * ...". */
bool es_net_trace_next(es_net_trace *trace, es_net_record *record, bool *at_end, es_error *err);

/* The same for the firings that come next, `most` of them at most, as far as they have been read from the file and are
 * written as es_net_trace_write does; `serial` is the line. Returns how many; 0 says nothing of what comes. */
size_t es_net_trace_firings(es_net_trace *trace, es_net_observation *firings, size_t most);

/* Writes the line of a firing, without newline. "calibrated", the net's mark, is there where the measured one differs
 * from it. */
void es_net_trace_write(es_json *json, const es_net *net, const es_net_firing *firing);

#endif
