/* What the files of `earshot predict` share. */
#ifndef ES_CLI_PREDICT_PRIVATE_H
#define ES_CLI_PREDICT_PRIVATE_H

#include "cli/cli.h"
#include "predict/answers.h"

enum { PREDICT_VALUES = 128, PREDICT_MACHINES = 4096 };

/* Values of one option: all of them are combined with all of the others. */
typedef struct predict_list {
    uint32_t values[PREDICT_VALUES];
    size_t count;
} predict_list;

typedef struct predict_request {
    const char *program, *recording;
    predict_list cores, wait, ports, latency, bell, kernel;
    es_predict_speed speeds[PREDICT_VALUES];
    const char *speed_texts[PREDICT_VALUES];
    size_t speed_count;
    es_predict_machine base; /* what is the same for all */
    const char *keep, *save, *svg, *html, *net, *function;
    bool json, verify, costs, points, scheduled; /* scheduled: by a scheduler that was named */
    bool own_latency;                            /* none was named: as in the recorded run */
} predict_request;

/* One machine of those that are asked about. */
typedef struct predict_case {
    es_predict_machine machine;
    const char *speed;
    uint64_t makespan;
    es_predict_bounds bounds;
    es_predict_result result;
} predict_case;

typedef struct predict_job {
    const predict_request *request;
    const es_symbols *symbols;
    const es_predict_trace *trace;
    const es_predict_steps *steps;
    predict_case *cases;
    size_t count;
    char *way;                    /* of a trace from hits: how much they have told; NULL: of no such one */
    bool whole;                   /* the program came to its end in the recording */
    uint64_t alone;               /* makespan on one core, else as the first case */
    es_predict_critical critical; /* with one case */
    struct predict_change *changes;
    size_t change_count;
} predict_job;

/* Something that could be changed, and what it would bring. */
typedef struct predict_change {
    const char *what;
    uint64_t makespan;
} predict_change;

extern const char es_predict_usage[];

/* From the command's arguments. help: nothing but the usage is asked for. ES_USAGE. */
bool es_predict_request_take(predict_request *q, int argc, char **argv, bool *help, es_error *err);

/* "4", "1,2,4", "1..16", "0..100:20"; each in [least, most]. */
bool es_predict_list_parse(const char *option, const char *text, uint32_t least, uint32_t most, predict_list *list,
                           es_error *err);

/* With one case: which changes of the machine pay most, the best first. Their words are the arena's. */
bool es_predict_find_changes(predict_job *job, es_arena *texts, es_error *err);

/* A machine in words, as "4 cores, ports one, latency 20", and whether single clocks decide there. */
void es_predict_machine_text(es_text_buffer *out, const predict_case *c);

/* Speed-ups over cores, or with one case who has run when; and a page with it. */
void es_predict_draw_curve(const predict_job *job, es_text_buffer *out);
bool es_predict_draw_gantt(const predict_job *job, es_text_buffer *out, es_error *err);
bool es_predict_draw_page(const predict_job *job, es_text_buffer *out, es_error *err);

/* Both nets on all machines: ES_EXPECTATION where they differ. */
bool es_predict_verify(const predict_job *job, es_error *err);
bool es_predict_keeps(void *job, uint32_t block); /* for es_predict_reduce: what --keep says */
bool es_predict_check_kept(const predict_job *job, es_error *err);

/* The statements of --points. */
bool es_predict_print_points(const es_symbols *symbols, es_error *err);

/* --svg, --html and --net: the files that were asked for. */
bool es_predict_write_files(const predict_job *job, es_error *err);
bool es_predict_write_net(const predict_request *request, const es_symbols *symbols, es_error *err);

void es_predict_print_text(const predict_job *job);
void es_predict_print_json(const predict_job *job);
void es_predict_print_costs(const es_predict_trace *trace);

/* Whether PREDICT_UNSEEN is to be said; where anybody may do anybody's work, more than that is said. */
static inline bool es_predict_is_unseen(const es_predict_trace *trace)
{
    return trace->depends & ES_PREDICT_UNSEEN && !(trace->depends & ES_PREDICT_ON_ANYBODY);
}

/* What is said of a prediction from hits: a restriction that only executing a recording removes. */
#define PREDICT_UNSEEN \
    "hits do not tell whether branches hang on what other threads have written: if they do, even the bounds may be " \
    "wrong (a recording tells)"

#endif
