/* Which part of a trace a command is for: options that all commands on traces have. */
#ifndef ES_CLI_COMMANDS_TRACE_PART_H
#define ES_CLI_COMMANDS_TRACE_PART_H

#include "base/arena.h"
#include "cli/option.h"
#include "store/trace.h"

/* Who has an option: bits of es_option.commands. */
#define ES_OF_READ 256u
#define ES_OF_EXPORT 512u
#define ES_OF_REPORT 1024u
#define ES_OF_TRACE_STATS 2048u

/* As given. A command with options of its own begins its structure with this one. */
typedef struct es_trace_part {
    es_arena *arena;
    uint64_t from_ns, to_ns; /* to_ns 0: to the end */
    const char **statements, **tasks;
    size_t statement_count, task_count;
} es_trace_part;

/* The table, for es_option_set.tables. */
extern const es_option es_trace_part_table[];

void es_trace_part_begin(es_trace_part *part);
void es_trace_part_end(es_trace_part *part);

/* What it is of a trace; valid as long as the part. Fails with ES_USAGE where there is no such statement, or no hit in
 * such a task, and says which there are. */
bool es_trace_part_filter(es_trace_part *part, es_trace_reader *reader, es_trace_filter *filter, es_error *err);

/* Says on stderr what who looks at the trace must know of it: a torn end, chunks that were removed, no summary. */
void es_trace_part_tell(const es_trace_reader *reader, const char *directory);

#endif
