/* earshot infer: what its files have in common. */
#ifndef ES_CLI_INFER_PRIVATE_H
#define ES_CLI_INFER_PRIVATE_H

#include "infer/content.h"
#include "infer/infer.h"
#include "infer/source.h"

#define ES_INFER_FILES_MAX 16u

typedef struct es_infer_request {
    const char *trace, *statistics; /* statistics: another trace that they are taken from; NULL: the trace itself */
    const char *files[ES_INFER_FILES_MAX];
    unsigned file_count;
    enum es_infer_method method;
    bool hidden, told, check_only, json, learn;
    const char *key;     /* of a machine that is learned, or of a program's calls */
    const char *elf;     /* --program: what statements are about */
    bool statements;     /* --statements: `trace` is a program, or a file of statements */
    const char *ctf;     /* where inferred events are written to; NULL: nowhere */
    const char *picture; /* where a picture is written to, as .svg or .html; NULL: nowhere */
    uint32_t alternatives, scenarios_max;
} es_infer_request;

typedef struct es_infer_program es_infer_program;

typedef struct es_infer_counts {
    uint64_t segments, told, solved, too_long, unsolved, lost; /* lost: events of the most likely alternatives */
} es_infer_counts;

/* Reads a list of events, or a trace in CTF where the path is a directory. */
bool es_infer_read(const char *path, es_infer_words *words, const es_infer_sink *sink, es_error *err);

/* Fails with ES_USAGE where the second reading would find nothing: a pipe. What is not there, reading it says. */
bool es_infer_can_read_twice(const char *path, es_error *err);

/* Seconds with nine decimals, as babeltrace2 --clock-seconds has them. */
void es_infer_add_time(es_text_buffer *out, int64_t ns);

/* Loads the machines of all files. *program: of the one that is an ELF; NULL: there is none. */
bool es_infer_load_machines(const es_infer_request *request, es_infer_model *model, es_infer_program **program,
                            es_error *err);

/* Whether --program says what a file of statements is about. Fails with ES_USAGE. */
bool es_infer_has_program(const es_infer_request *request, const char *path, es_error *err);

/* Checks the request's trace, infers what was lost in it, and prints, draws and writes all that is asked for. */
bool es_infer_run(const es_infer_request *request, es_infer_model *model, es_infer_program *program, es_error *err);

/* Whether a file's name ends so. */
bool es_infer_is_ending(const char *path, const char *ending);

/* Prints a result as text, or as a line of JSON. */
void es_infer_print_text(const es_infer_model *model, const es_infer_contents *contents, const es_infer_result *result);
void es_infer_print_json(const es_infer_model *model, const es_infer_contents *contents, const es_infer_result *result);

/* Prints the totals: of the trace, and of what was inferred (NULL: nothing was to be). */
void es_infer_print_totals(const es_infer_totals *totals, const es_infer_counts *counts, bool hidden, bool json);

/* The same as text: a line, or two. */
void es_infer_summary(es_text_buffer *out, const es_infer_totals *totals, const es_infer_counts *counts);

/* The inferred events as a trace in CTF of their own. NULL with ES_OUTPUT. */
typedef struct es_infer_ctf es_infer_ctf;
es_infer_ctf *es_infer_ctf_new(const char *directory, const char *trace, es_error *err);
void es_infer_ctf_add(es_infer_ctf *ctf, const es_infer_model *model, const es_infer_result *result, uint64_t number);
bool es_infer_ctf_close(es_infer_ctf *ctf, es_error *err); /* writes and frees; NULL is fine */

/* --learn: prints a machine made from the trace. */
bool es_infer_learn_machine(const es_infer_request *request, es_error *err);

#endif
