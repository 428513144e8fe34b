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

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "symbols/symbols.h"

/* Where text stands. */
typedef struct es_source {
    const char *file;      /* file name, or "-e" */
    unsigned line, column; /* 1 based; column counts bytes */
} es_source;

/* A length of time: nanoseconds, or cycles of the target's bus clock. 0: none. */
typedef struct es_duration {
    uint64_t count;
    bool cycles;
} es_duration;

/* In cycles of a clock, rounded up; saturates at UINT64_MAX. */
uint64_t es_duration_cycles(es_duration duration, uint64_t hertz);

/* --- features: constructs beyond the smallest statements ---------------------------------------------------------- */

enum es_feature {
    ES_FEATURE_PATH,      /* references, enter, leave by a path of activations: es_path */
    ES_FEATURE_NESTED,    /* a path with f[k] */
    ES_FEATURE_RECURSIVE, /* a local of a recursive procedure, unless its path names all activations from main on */
    ES_FEATURE_INTERRUPT, /* a local of an interrupt handler */
    /* a local of optimised code that the stack holds for a part of its procedure only: es_variable.life */
    ES_FEATURE_LIFE,
    ES_FEATURE_SUBSTATE,   /* ES_EXPR_ACTIVE */
    ES_FEATURE_AT,         /* ES_EXPR_AT */
    ES_FEATURE_READ,       /* ES_EXPR_READ */
    ES_FEATURE_POINTER,    /* a reference through a pointer: es_reference.via */
    ES_FEATURE_INDEX,      /* a reference with an index that is not constant: es_reference.subscripts */
    ES_FEATURE_MISALIGNED, /* a reference that is not aligned, or a bit-field across words */
    ES_FEATURE_WIDE,       /* a 64-bit integer: references of 8 bytes, es_expr.type ES_VALUE_64 */
    ES_FEATURE_FLOAT,      /* float and double in comparisons and conversions (printing a float needs no feature) */
    ES_FEATURE_FLOAT_SUM,  /* + - * / of floats */
    ES_FEATURE_MULTIPLY,   /* ES_OP_MUL of what is not constant */
    ES_FEATURE_DIVIDE,     /* ES_OP_DIV, ES_OP_REM of what is not constant */
    ES_FEATURE_CHOICE,     /* ES_EXPR_CHOICE */
    ES_FEATURE_COUNTER,    /* ES_EXPR_COUNTER */
    ES_FEATURE_UNCHANGED,  /* ES_EXPR_UNCHANGED */
    ES_FEATURE_FOR,        /* es_condition.holds_for */
    ES_FEATURE_THEN,       /* ES_EVENT_THEN */
    ES_FEATURE_AND,        /* ES_EVENT_AND */
    ES_FEATURE_OR,         /* ES_EVENT_OR */
    ES_FEATURE_WITHIN,     /* es_event.within */
    ES_FEATURE_ELAPSED,    /* ES_EXPR_ELAPSED, ES_ITEM_ELAPSED */
    ES_FEATURE_AGE,        /* ES_EXPR_AGE, ES_ITEM_AGE */
    ES_FEATURE_EXPECT,     /* es_statement.expect */
    ES_FEATURE_PRINT,      /* ES_ITEM_COUNTER */
    ES_FEATURE_SET,        /* ES_ACTION_SET, ES_ACTION_DECREMENT */
    ES_FEATURE_ENABLE,     /* ES_ACTION_ENABLE, ES_ACTION_DISABLE, es_statement.disabled */
    ES_FEATURE_SNAPSHOT,   /* ES_ACTION_SNAPSHOT */
    ES_FEATURE_TRIGGER,    /* ES_ACTION_TRIGGER */
    ES_FEATURE_STOP,       /* ES_ACTION_STOP */
    ES_FEATURE_HALT,       /* ES_ACTION_HALT: needs the user's explicit flag besides */
    ES_FEATURE_COUNT,
};
#define ES_FEATURE(name) (UINT64_C(1) << ES_FEATURE_##name)
static_assert(ES_FEATURE_COUNT <= 64, "a set of features fits 64 bits");

/* Where a statement first uses a feature. */
typedef struct es_feature_use {
    enum es_feature feature;
    es_source source;
    size_t length;    /* of the text at source */
    const char *what; /* for messages: "fact\\n is a local of a recursive procedure (fact -> fact)"; NULL: the usual */
} es_feature_use;

/* --- paths of activations ----------------------------------------------------------------------------------------- */

enum es_step_kind {
    ES_STEP_NAME,   /* an activation of `procedure`, directly on the one before: called by it, or interrupting it */
    ES_STEP_CALL,   /* an activation of `procedure`, made by the call instruction at `site`, or one of `sites` */
    ES_STEP_ANY,    /* *: any number of activations, also none */
    ES_STEP_NESTED, /* the `nest`-th (>= 1) of the activations of `procedure`: the first stands where NAME would, the
                     * others further in, each the next one. After ANY they count from its outer end: *:f[1] is the
                     * outermost activation of f */
};

#define ES_PATH_DEPTH_MAX 256 /* es_path_depth of no path is more */

typedef struct es_step {
    enum es_step_kind kind;
    const es_procedure *procedure;
    /* `procedure` and what else the compiler has made of the same source ("f.constprop.0"): an activation of any of
     * them is meant. 0: there is only `procedure` */
    const es_procedure *const *copies;
    size_t copy_count;
    uint32_t site;
    const uint32_t *sites; /* CALL: ascending, where it is any of them; `site` is the first */
    size_t site_count;     /* 0: there is only `site` */
    unsigned nest;
} es_step;

/* Denotes an activation: steps[0] stands for the outermost activation that counts (main's, or ANY), the last for the
 * one that is meant, which is never ANY. A path beginning with main begins at the bottom of the stack. Where several
 * activations on the stack match, the innermost of them is meant. */
typedef struct es_path {
    const char *text; /* as written, factoring undone: "1:3:1" */
    const es_step *steps;
    size_t count;
    /* not NULL: within the activation that the steps denote, any of these inlined copies in it is meant. No path of a
     * statement's expressions, triggers and references is such a one: the parser makes of it what is asked of cells */
    const es_inlined_copy *const *copies;
    size_t copy_count;
    const struct es_path *other; /* another way in which it can be meant, as of copies in several procedures */
} es_path;

/* One activation of a stack, outermost first. */
typedef struct es_activation {
    const es_procedure *procedure;
    uint32_t site; /* address of the instruction that called it; 0: interrupt, or not known */
} es_activation;

/* Which of the activations the path denotes: index of the innermost one that it matches, or depth when there is none.
 * The reference for what paths mean. */
size_t es_path_find(const es_path *path, const es_activation *stack, size_t depth);

/* Whether an activation of the procedure is of those that a step means, but for the call that made it; how many
 * procedures a step means, and the i-th of them. */
bool es_step_means(const es_step *step, const es_procedure *procedure);
size_t es_step_copies(const es_step *step);
const es_procedure *es_step_copy(const es_step *step, size_t i);
/* Calls by which a step says that its activation was made; 0: by any. Whether a call may be it. */
size_t es_step_sites(const es_step *step);
uint32_t es_step_site(const es_step *step, size_t i);
bool es_step_is_by(const es_step *step, uint32_t site);
/* Whether two steps say so of the same calls. */
bool es_step_same_sites(const es_step *a, const es_step *b);

/* Whose activation a path denotes, of several copies the first; the step that says so; whether it is any of it, *:f. */
const es_procedure *es_path_end(const es_path *path);
const es_step *es_path_last(const es_path *path);
bool es_path_is_any(const es_path *path);

/* Does every stack that has an activation of `inner` have one of `outer` too, because the one goes on where the other
 * ends? True for equal paths. */
bool es_path_continues(const es_path *inner, const es_path *outer);

/* Activations of the shortest stack that a path matches: how deep a tree of potential activations has to be for it. */
unsigned es_path_depth(const es_path *path);

/* The n-th call (from 1) that a procedure's source makes: call instructions by line, then by address; those that the
 * compiler puts in for arithmetic (callees whose name begins with "__") are not counted. NULL: it has fewer. */
const es_call_site *es_lang_call(const es_symbols *symbols, const es_procedure *caller, unsigned number);
/* The number of a call; 0: not counted, or no call of its caller. */
unsigned es_lang_call_number(const es_symbols *symbols, const es_call_site *site);

/* --- places in the source ----------------------------------------------------------------------------------------- */

/* Code of a line. Execution is at it when it comes to one of the addresses. */
typedef struct es_position {
    const char *text; /* "control.c:42", "1:1:2\\5" */
    const char *file;
    unsigned line;
    const uint32_t *addresses; /* where the line's code begins: ascending, each the first of a row of instructions */
    size_t count;              /* >= 1 */
    const char *inlined;       /* the procedure of whose inlined copies these are the beginnings; NULL none */
} es_position;

/* What `cover` counts: places where a statement of a line begins, by address. */
typedef struct es_cover_row {
    uint32_t address;
    const char *file;
    unsigned line;
    const es_procedure *procedure; /* whose code it is */
} es_cover_row;

typedef struct es_cover_rows {
    const char *pattern; /* as written: "control.c" */
    es_cover_row *rows;
    size_t count;
    es_position position; /* all of their addresses */
} es_cover_rows;

/* A stack whose use `stack` tells: its bytes, which grow down. */
typedef struct es_stack {
    const char *name; /* as written: "worker.stack"; the main stack's is "main" */
    uint32_t low, size;
    size_t counter; /* of the most bytes that were in use */
} es_stack;

/* --- state variables ---------------------------------------------------------------------------------------------- */

typedef struct es_expr es_expr;

/* Several references that a statement takes as one: an array, a struct, elements 3 to 9. */
typedef struct es_area {
    const char *text;      /* as the user wrote it: "buf[0..63]" */
    const size_t *members; /* their indices among the statement's references, in the order of their declaration */
    size_t count;          /* >= 1 */
} es_area;

/* A variable index: adds index * stride bytes to the address. Out of 0 .. count - 1 the variable does not exist. */
typedef struct es_subscript {
    const es_expr *index; /* a 32-bit value */
    uint32_t stride;
    uint32_t count; /* elements; 0: not bounded (through a pointer) */
} es_subscript;

/* A reference to (part of) a state variable, resolved to one scalar of 1, 2, 4 or 8 bytes. It exists while
 *  - an activation of `frame` (on `path` if there is one) does,
 *  - the pointer it goes through exists and is not 0,
 *  - its subscripts are in range.
 * When it does not exist a predicate that needs it cannot be evaluated. */
typedef struct es_reference {
    const char *text;             /* as the user wrote it: "plant.temp[2]"; with the prefix where it was factored out */
    const es_variable *variable;  /* NULL: goes through a pointer */
    const es_type *type;          /* of the scalar */
    const es_procedure *frame;    /* NULL: address is absolute. Else the procedure whose frame holds it: address is the
                                     offset from its CFA */
    uint32_t address;             /* aligned to size (8: to 4) unless ES_FEATURE_MISALIGNED; two's complement when it is
                                     an offset */
    uint8_t size;                 /* bytes of the scalar, or of a bit-field's storage unit: 1, 2, 4 or 8 */
    uint8_t bit_offset, bit_size; /* bit-field; bit_size 0: none */
    const es_path *path; /* NULL: of a local: whichever way its procedure was called (the innermost activation) */
    bool via;            /* through a pointer: `address` is an offset from the value of references[base] */
    size_t base;         /* < this reference's own index */
    const es_subscript *subscripts;
    size_t subscript_count;
} es_reference;

/* --- expressions -------------------------------------------------------------------------------------------------- */

enum es_expr_kind {
    ES_EXPR_CONST,     /* value */
    ES_EXPR_REFERENCE, /* references[index] of the statement */
    ES_EXPR_OLD,    /* value of references[index] before the event; equals the value where the event did not write it */
    ES_EXPR_ENTER,  /* 1 at the event "procedure entered" (on path if there is one), else 0 */
    ES_EXPR_LEAVE,  /* 1 at the event "procedure left" (on path if there is one), else 0 */
    ES_EXPR_WRITE,  /* 1 when the event is a write to references[index], else 0 */
    ES_EXPR_UNARY,  /* op lhs: '-' '~' '!' */
    ES_EXPR_BINARY, /* lhs op rhs */
    /* beyond the smallest statements: see the feature of each */
    ES_EXPR_READ,      /* 1 when the event is a read of references[index], else 0 */
    ES_EXPR_AT,        /* 1 when the event is execution coming to position (in an activation of path if there is one) */
    ES_EXPR_ACTIVE,    /* 1 while an activation of path exists; with `exact`, while it is the innermost of all */
    ES_EXPR_UNCHANGED, /* 1 at the event "references[index] has kept its value for duration": once, until it changes
                          again */
    ES_EXPR_AGE,       /* time since the last write to references[index] before this event: an ES_VALUE_TIME */
    ES_EXPR_ELAPSED,   /* time since the compound event began: an ES_VALUE_TIME */
    ES_EXPR_COUNTER,   /* value of counter `index`, an int */
    ES_EXPR_CONVERT, /* lhs converted to type and is_signed as C does: widened by its own sign, float to double, ... */
    ES_EXPR_CHOICE,  /* condition ? lhs : rhs; only the one that is chosen is evaluated */
};

enum es_op {
    /* clang-format off */
    ES_OP_NEG, ES_OP_NOT, ES_OP_LOGNOT,
    ES_OP_ADD, ES_OP_SUB, ES_OP_AND, ES_OP_OR, ES_OP_XOR,
    ES_OP_SHL, ES_OP_SHR,                               /* SHR: arithmetic when the node is signed */
    ES_OP_EQ, ES_OP_NE, ES_OP_LT, ES_OP_LE, ES_OP_GT, ES_OP_GE, /* compared as signed or unsigned by operand_signed */
    ES_OP_LOGAND, ES_OP_LOGOR,
    ES_OP_MUL, ES_OP_DIV, ES_OP_REM, /* of signed or unsigned by is_signed; by 0: cannot be evaluated */
    /* clang-format on */
};

/* What a node's value is. */
enum es_value_type {
    ES_VALUE_32, /* an integer of 32 bits: all there is in the smallest statements */
    ES_VALUE_64, /* an integer of 64 bits */
    ES_VALUE_FLOAT,
    ES_VALUE_DOUBLE,
    ES_VALUE_TIME, /* a length of time, unsigned */
};

/* C's integer promotions and usual arithmetic conversions (int and long 32 bits, long long 64) are already done: both
 * operands of an operator have the same type and size, but shifts, whose right operand is 32 bits and counts modulo the
 * left one's size. && || ! and ?: take operands of any type and ask whether they differ from 0. Comparisons give an
 * int; their operands' type is lhs->type. */
struct es_expr {
    enum es_expr_kind kind;
    enum es_op op;
    bool is_signed;      /* of the result */
    bool operand_signed; /* comparisons: how the operands compare */
    bool exact;          /* ACTIVE */
    enum es_value_type type;
    uint32_t value; /* CONST of type 32 */
    union {
        uint64_t wide;    /* of type 64 */
        double number;    /* FLOAT, DOUBLE */
        es_duration time; /* TIME */
    } constant;           /* CONST of another type */
    es_duration duration; /* UNCHANGED */
    size_t index;         /* REFERENCE, OLD, WRITE, READ, UNCHANGED, AGE; COUNTER: into the program's counters */
    size_t area;          /* WRITE, READ: 1 + an area of the statement, any of whose members is meant; 0: just one */
    const es_procedure *procedure;   /* ENTER, LEAVE */
    const es_path *path;             /* ENTER, LEAVE, AT, ACTIVE */
    const es_position *position;     /* AT */
    const struct es_snapshot *shown; /* what a bare print shows instead of what the parts name; NULL: that */
    es_expr *lhs, *rhs, *condition;
    es_source source;
};

/* --- events of interest, evaluation condition --------------------------------------------------------------------- */

enum es_trigger_kind {
    ES_TRIGGER_WRITE, /* of references[index] */
    ES_TRIGGER_READ,  /* of references[index] */
    ES_TRIGGER_ENTER, /* of procedure, on path if there is one */
    ES_TRIGGER_LEAVE,
    ES_TRIGGER_AT,        /* position, in an activation of path if there is one */
    ES_TRIGGER_UNCHANGED, /* references[index] for duration */
};

/* An event at which a predicate has to be evaluated. */
typedef struct es_trigger {
    enum es_trigger_kind kind;
    size_t index;
    const es_procedure *procedure;
    const es_path *path;
    const es_position *position;
    es_duration duration;
} es_trigger;

/* A primitive event: occurs when one of the triggers happens, all of `exists` do, and the expression is not 0. Triggers
 * at which the expression is surely 0 are left out. */
typedef struct es_condition {
    const char *text; /* as written, with its `for` */
    es_expr *expr;
    const es_trigger *triggers;
    size_t trigger_count;
    /* Plattner's evaluation condition: there must be an activation of each. None of them follows from another. Names
     * that are not on a path stand here as *:f. */
    const es_path *const *exists;
    size_t exists_count;
    /* `for`: occurs when the expression has not been 0 for that long; once, until it was 0 again */
    es_duration holds_for;
} es_condition;

enum es_event_tree_kind {
    ES_EVENT_WHEN, /* condition */
    ES_EVENT_THEN, /* first, then second, and in between no other event of those that the statement names */
    ES_EVENT_AND,  /* both, in any order; occurs with the later */
    ES_EVENT_OR,   /* either */
};

typedef struct es_event_tree es_event_tree;
struct es_event_tree {
    enum es_event_tree_kind kind;
    const es_condition *condition; /* WHEN */
    const es_event_tree *first, *second;
    es_duration within; /* lifetime: from its first event to its last; 0: not limited */
    unsigned depth;     /* of the tree, 1 for WHEN */
};

/* --- actions ------------------------------------------------------------------------------------------------------ */

enum es_action_kind {
    ES_ACTION_PRINT, /* a hit with the values of items; a bare `print` has been expanded to all the predicate reads, so
                        none means none */
    ES_ACTION_COUNT, /* increment counter */
    /* beyond the smallest statements */
    ES_ACTION_SET,       /* counter = value */
    ES_ACTION_DECREMENT, /* counter */
    ES_ACTION_ENABLE,    /* statement number `statement` */
    ES_ACTION_DISABLE,
    ES_ACTION_SNAPSHOT,  /* the bytes of `snapshot` */
    ES_ACTION_TRIGGER,   /* a pulse on pin */
    ES_ACTION_STOP,      /* end of monitoring */
    ES_ACTION_HALT,      /* halts the target */
    ES_ACTION_STATISTIC, /* the values of items go to the host, which shows them aggregated: `statistic` */
};

enum es_item_kind {
    ES_ITEM_VALUE,     /* references[index], or its old value */
    ES_ITEM_ELAPSED,   /* time since the compound event began */
    ES_ITEM_AGE,       /* time since the last write to references[index] before the event */
    ES_ITEM_COUNTER,   /* counter index, after the actions before this one */
    ES_ITEM_WHICH,     /* which members of areas[index] the event has written or read, and their values */
    ES_ITEM_BACKTRACE, /* the call path with places and inlined copies; nothing of it is in a hit's words */
};

typedef struct es_print_item {
    const char *name; /* as shown: the reference's text, or "old(x)" */
    size_t index;     /* into references, counters, areas */
    bool old;
    bool aggregated; /* statistics alone ask for it */
    enum es_item_kind kind;
} es_print_item;

enum es_statistic_kind {
    ES_STATISTIC_HIST,    /* how often the value lay between which powers of two */
    ES_STATISTIC_STATS,   /* how many, least, mean, most, percentiles */
    ES_STATISTIC_COUNT,   /* how many hits */
    ES_STATISTIC_PROFILE, /* calls of a procedure and how long they take, by hits at its beginnings and ends */
    ES_STATISTIC_COVER,   /* which lines ran: each of `rows` is told once */
    ES_STATISTIC_STACK,   /* how much of a stack was in use: each write that is deeper than all before is told */
};

enum es_statistic_by { ES_BY_NOTHING, ES_BY_PATH, ES_BY_TASK, ES_BY_PLACE, ES_BY_VALUE };

#define ES_NO_VALUE SIZE_MAX

/* Hits aggregated, apart for each path, task, place in the source or value. */
typedef struct es_statistic {
    enum es_statistic_kind kind;
    enum es_statistic_by by;
    const char *name;           /* as written: "hist(elapsed) by path" */
    size_t value;               /* number of the value among those of a hit (es_image_value); COUNT: ES_NO_VALUE */
    size_t key;                 /* VALUE: number of the value by which; else ES_NO_VALUE */
    unsigned top;               /* so many of them are shown, those with the most; 0: all */
    uint32_t entry;             /* PROFILE: address of the procedure's first instruction */
    const es_cover_rows *cover; /* COVER */
    const es_stack *stack;      /* STACK */
} es_statistic;

/* Bytes of memory. */
typedef struct es_snapshot {
    const char *name;   /* as shown: the reference's text, or "memory(0x20000,64)" */
    es_reference place; /* where they begin, as of a reference; size is 0, type NULL for a range of memory */
    uint32_t bytes;     /* >= 1 */
    bool is_text;       /* shown as characters up to a 0, as a value is; place.type is NULL */
} es_snapshot;

typedef struct es_action {
    enum es_action_kind kind;
    es_print_item *items; /* PRINT, STATISTIC */
    size_t item_count;
    size_t counter;                /* COUNT, SET, DECREMENT: index into the program's counters */
    int32_t value;                 /* SET */
    size_t statement;              /* ENABLE, DISABLE: index into the program's statements */
    const es_snapshot *snapshot;   /* SNAPSHOT */
    const es_statistic *statistic; /* STATISTIC */
    unsigned pin;                  /* TRIGGER */
    es_source source;
} es_action;

/* --- statements --------------------------------------------------------------------------------------------------- */

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
