/* Monitoring statements as checked trees: what host/lang makes of text and host/image turns into tables and code.
 *
 * Everything hangs on the es_program and is valid until es_program_free. A statement in today's smallest form is one
 * predicate with actions; what goes beyond that is listed in es_statement.features, one bit per construct. Fields that
 * belong to constructs beyond are zero in trees without them.
 *
 * docs/statements.md has the meaning of every construct.
 */
#ifndef ES_LANG_STATEMENT_H
#define ES_LANG_STATEMENT_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "lang/action.h"
#include "lang/activations.h"
#include "lang/condition.h"
#include "lang/expression.h"
#include "lang/features.h"
#include "lang/source.h"
#include "symbols/symbols.h"

enum es_expect {
    ES_EXPECT_NONE,
    ES_EXPECT_NEVER,      /* each occurrence of the event fails the run */
    ES_EXPECT_EVENTUALLY, /* the run fails unless it occurs */
    ES_EXPECT_WITHIN,     /* the run fails unless it first occurs at most `expect_within` after monitoring began */
};

typedef struct es_statement {
    const char *name;
    es_source source;
    const char *text;         /* the statement as written, for messages */
    es_expr *predicate;       /* of an event that is a single WHEN without `for`; else NULL */
    es_reference *references; /* each distinct reference once, those of the predicate first. A union's members may share
                                 a place */
    size_t reference_count;
    size_t predicate_count; /* how many of them the predicate names: writes to these are the statement's events */
    es_area *areas;
    size_t area_count;
    es_action *actions;
    size_t action_count;
    const es_event_tree *event; /* what the statement waits for; never NULL from es_program_parse */
    uint64_t features;          /* all that are used: bits ES_FEATURE(...) */
    const es_feature_use *uses; /* each used feature once */
    size_t use_count;
    enum es_expect expect;
    es_duration expect_within;
    bool disabled; /* from the start, until another statement enables it */
} es_statement;

/* Where a task's own name stands in its control block, to which the pointer `task` points. */
typedef struct es_task_name {
    uint32_t offset; /* bytes from the control block's start */
    uint32_t size;   /* bytes of the array of characters, or of a pointer to a string; 0: it has no name */
    bool pointer;
} es_task_name;

/* All statements of a run, in the order given; index = statement number in hits. */
typedef struct es_program {
    es_statement *statements;
    size_t statement_count;
    const char **counters; /* names, distinct. A counter is an int and begins with 0 */
    size_t counter_count;
    /* of some of a program's statements alone (image/groups.h): by counter of the program that trees name, its number
     * among `counters`. NULL: they are the same */
    const size_t *counter_numbers;
    /* of static storage, 1, 2 or 4 bytes: names the running task; NULL: there are no tasks */
    const es_reference *task;
    const char *kernel; /* whose variable `task` is, when that was found and not named by the user; NULL: none */
    es_task_name task_name;
    const char **warnings; /* what the user should know, though it is no error; distinct */
    size_t warning_count;
    void *arena;                 /* private */
    const struct es_text *texts; /* copies, for messages */
    size_t text_count;
} es_program;

typedef struct es_text {
    const char *file; /* name shown in messages: a path, or "-e" */
    const char *text; /* NUL terminated */
} es_text;

static inline size_t es_program_counter(const es_program *program, size_t named)
{
    return program->counter_numbers ? program->counter_numbers[named] : named;
}

/* Parses and checks statements against the target's symbols. Errors: ES_USAGE with file:line:column, the source line, a
 * caret, and what to write instead. Statements without a name get "s1", "s2", ... Unnamed `-e 'x > 3'` (a bare
 * expression, no `when`, no braces) means `when x > 3 { print }`. */
bool es_program_parse(const es_symbols *symbols, const es_text *texts, size_t count, es_program *program,
                      es_error *err);
/* The same, but goes on after a wrong statement with the next one, up to 20 errors: *earlier gets the messages of all
 * of them but the last, each with a line's end, err the last. */
bool es_program_parse_all(const es_symbols *symbols, const es_text *texts, size_t count, es_program *program,
                          es_text_buffer *earlier, es_error *err);
void es_program_free(es_program *program);

/* Whether the target's program has a kernel of those that are known: then *program, without statements, says by
 * `task` and `kernel` how its tasks are told apart. */
bool es_program_kernel(const es_symbols *symbols, es_program *program);

/* Of what procedure an inlined copy begins at the address, by an enter() of the statement; NULL of none. */
const char *es_statement_inlined(const es_statement *statement, uint32_t address);

/* Fails with ES_USAGE, the place, this message and hint, when a statement uses the feature. */
bool es_program_refuse(const es_program *program, enum es_feature feature, const char *message, const char *hint,
                       es_error *err);

/* Whether something is so of one node of an expression. */
typedef bool es_expr_is(void *context, const es_expr *expr);

/* The first of an expression's nodes of which it is so, each before its condition, left and right part; NULL: of
 * none. */
const es_expr *es_expr_find(const es_expr *expr, es_expr_is *is, void *context);

/* The same over all conditions of a statement. */
const es_expr *es_statement_find(const es_statement *statement, es_expr_is *is, void *context);

/* The references that write(x) or read(x) names: one, or those of an area. */
size_t es_expr_members(const es_statement *statement, const es_expr *expr);
size_t es_expr_member(const es_statement *statement, const es_expr *expr, size_t k);

/* Whether a reference is a member of an area, 1 + its number. */
bool es_area_has(const es_statement *statement, size_t area, size_t reference);

/* What a statement of `cover` counts; NULL of any other. It tells each of the rows' addresses once, and no call path.
 */
const es_cover_rows *es_statement_cover(const es_statement *statement);

/* The stack of a statement of `stack`; NULL of any other. */
const es_stack *es_statement_stack(const es_statement *statement);

/* The k-th condition of a statement's event, from left to right; NULL: it has fewer. */
const es_condition *es_statement_condition(const es_statement *statement, size_t k);

/* The k-th of the locals of optimised code that statements name, es_variable.life; NULL: there are no more. */
const es_variable *es_program_life(const es_program *program, size_t k);

#endif
