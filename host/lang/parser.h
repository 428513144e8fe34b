/* What the files of the statement parser share. Private to host/lang.
 *
 * Every function that can fail tells its error itself, once, and returns NULL or false; callers only pass that on.
 * Checking happens while parsing: a tree that exists is a checked one.
 */
#ifndef ES_LANG_PARSER_H
#define ES_LANG_PARSER_H

#include "base/arena.h"
#include "base/names.h"
#include "base/text.h"
#include "lang/lexer.h"
#include "lang/statement.h"

#define ES_LANG_NESTING_MAX 64  /* parentheses and prefix operators inside each other */
#define ES_LANG_DEPTH_MAX 256   /* of an expression's tree; bounds the recursion of whoever walks it */
#define ES_LANG_EVENTS_MAX 32   /* of a compound event's tree */
#define ES_LANG_PROBLEMS_MAX 20 /* errors that are told at once */

/* A place in the text: for messages about something longer than a token. */
typedef struct es_span {
    es_source source;
    const char *start;
} es_span;

/* A name that is looked up when all statements are there. */
typedef struct es_late_name {
    size_t statement, action;
    const char *name, *text;
    es_source source;
    size_t length;
} es_late_name;

typedef struct es_parser {
    const es_symbols *symbols;
    es_arena *arena;
    es_program *program;
    es_statement *statement; /* being parsed */
    es_error *err;
    es_lexer lexer;
    es_token token;           /* the next one, not yet taken */
    const char *previous_end; /* end of the last token taken */
    unsigned nesting;
    unsigned choices;             /* ?: begun and not yet at their ':' : there it ends an operand and is no path's */
    const es_path *factored;      /* inside of PATH:{ }: that path; else NULL */
    struct es_known_names *known; /* what es_names_counter and the like have looked at already */
    const char **counters;        /* names that actions of any statement count, whether parsed yet or not */
    size_t counter_count;
    es_late_name *late;
    size_t late_count;
    bool no_tasks;              /* `tasks none` */
    bool ranges;                /* elements 3..9 may stand in a reference here */
    const es_cover_rows *cover; /* the statement of `cover` that is being made: what its at() and its action mean */
    const es_stack *stack;      /* the same of `stack` */
    struct es_spot {            /* where each of the statement's references was first written */
        es_source source;
        size_t length;
        const char *feature_text; /* what to say where it needs a feature */
    } * spots;
    const es_snapshot **texts; /* that the action at hand prints */
    size_t text_count;
    const char **problems; /* the errors so far */
    size_t problem_count;
    bool gives_up;           /* there are too many */
    es_text_buffer *earlier; /* gets all of them but the last; NULL: parsing ends with the first */
} es_parser;

/* Of counters that actions of any statement count, of the program's counters, of its statements: how many have been
 * looked at, and their numbers. */
typedef struct es_known_names {
    es_names counted, counters, statements;
    size_t counted_count, counter_count, statement_count;
} es_known_names;

/* A node and what only the checker needs to know of it. Every es_expr of a tree is the first member of one of these. */
typedef struct es_node {
    es_expr expr;
    const es_type *pointer;  /* the type of a pointer; NULL: none */
    const char *start, *end; /* its text */
    unsigned depth;
    bool by_number; /* names a path by call numbers: = may be written for == */
    bool compares;  /* its operator is a comparison, with no parentheses around it */
} es_node;

/* --- parser.c: tokens, errors, nesting ---------------------------------------------------------------------------- */
es_span es_parser_here(const es_parser *parser);           /* where the next token stands */
void es_parser_take(es_parser *parser);                    /* goes on to the next token */
es_token es_parser_peek(const es_parser *parser);          /* the token after the next */
bool es_parser_at_sign(const es_parser *parser, int sign); /* is the next token this sign? */
bool es_token_is(const es_token *token, const char *name); /* is it this name? */
bool es_token_is_sign(const es_token *token, int sign);
const char *es_parser_token_text(es_parser *parser); /* a copy of the next token */

/* Error at the next token, about the span from `from` to the last token taken, or about a node. All return false. */
bool es_parser_fail(es_parser *parser, const char *hint, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool es_parser_fail_from(es_parser *parser, es_span from, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool es_parser_fail_node(es_parser *parser, const es_node *node, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Error about a token that cannot follow an expression; `wanted` says in words what could. Returns false. */
bool es_parser_fail_after_expression(es_parser *parser, const char *wanted);

/* One more level of nesting; false with an error when there are too many. Undo with parser->nesting--. */
bool es_parser_nest(es_parser *parser);

/* --- event.c: a whole predicate: conditions joined by then, and, or, with `for` and `within` ---------------------- */
es_event_tree *es_parse_event(es_parser *parser);

/* --- expression.c ------------------------------------------------------------------------------------------------- */
/* Parses an expression up to the first token that cannot go on with it. */
es_node *es_parse_expression(es_parser *parser);

/* --- characters.c: texts ------------------------------------------------------------------------------------------ */
/* Does name == "idle" stand here, or !=, or becomes? */
bool es_at_text_comparison(const es_parser *parser);
es_node *es_parse_text_comparison(es_parser *parser);

/* --- profile.c ---------------------------------------------------------------------------------------------------- */
/* Does `profile control.c`, `profile plant_*` stand here? Makes a statement for each procedure that is meant; `parse`
 * parses one at the next token. */
bool es_at_profile(const es_parser *parser);
bool es_parse_profile(es_parser *parser, bool (*parse)(es_parser *parser));
/* Does this word stand here, and a pattern of files or procedures after it? */
bool es_at_pattern(const es_parser *parser, const char *word);
/* Takes the pattern, up to the next blank or ; */
const char *es_take_pattern(es_parser *parser);
/* Whether a file is called so, or its path ends so. */
bool es_is_file_of_pattern(const char *file, const char *pattern);
/* Parses one statement of a text of one's own, at the place of the next token. */
bool es_parse_made(es_parser *parser, const char *text, bool (*parse)(es_parser *parser));

/* --- heap.c ------------------------------------------------------------------------------------------------------- */
/* Does `heap` stand here, or `heap pool_get, pool_put`? Makes a statement for each procedure that allocates or
 * frees. */
bool es_at_heap(const es_parser *parser);
bool es_parse_heap(es_parser *parser, bool (*parse)(es_parser *parser));
/* A statement begins with these tokens: notes the counter that `heap` counts with, if it is one. */
void es_heap_counters(es_parser *parser, const es_token *token, const es_token *next);

/* --- stack.c ------------------------------------------------------------------------------------------------------ */
/* Does `stack` stand here, or `stack worker_stack, idle_stack`? Makes a statement for each stack that is meant. */
bool es_at_stack(const es_parser *parser);
bool es_parse_stack(es_parser *parser, bool (*parse)(es_parser *parser));
/* A statement begins with these tokens: notes the counters that `stack` counts with, if it is one. */
void es_stack_counters(es_parser *parser, const es_token *token, const es_token *next);

/* --- cover.c ------------------------------------------------------------------------------------------------------ */
/* Does `cover control.c`, `cover plant_*` stand here? Makes a statement for all lines that are meant. */
bool es_at_cover(const es_parser *parser);
bool es_parse_cover(es_parser *parser, bool (*parse)(es_parser *parser));

/* --- operand.c: names, keywords like enter(f) --------------------------------------------------------------------- */
es_node *es_parse_word(es_parser *parser); /* the next token is a name */

/* --- number.c ----------------------------------------------------------------------------------------------------- */
es_node *es_parse_number(es_parser *parser, bool negated);
/* Takes a length of time: 5ms, 1.5us, 100 cycles. `after` in words: what it stands after. */
bool es_parse_duration(es_parser *parser, const char *after, es_duration *duration);

/* --- action.c ----------------------------------------------------------------------------------------------------- */
bool es_parse_actions(es_parser *parser);

/* --- print.c ------------------------------------------------------------------------------------------------------ */
/* A new action of the statement, the last one. */
es_action *es_add_action(es_parser *parser, enum es_action_kind kind, es_source source);
/* Does nothing follow an action's last word? */
bool es_at_action_end(const es_parser *parser);
void es_add_default_print(es_parser *parser);
bool es_parse_print(es_parser *parser);
/* One value that print can show. *value: its number among the values of a hit; ES_NO_VALUE of `path`. */
bool es_parse_item(es_parser *parser, es_action *action, size_t *value);

/* --- statistic.c: hist(x), stats(x), count by x ------------------------------------------------------------------- */
bool es_at_statistic(const es_parser *parser);
bool es_parse_statistic(es_parser *parser);

/* --- node.c, binary.c, typing.c: nodes with C's conversions applied and constants folded. NULL on errors, told ---- */
es_node *es_node_new(es_parser *parser, es_span span,
                     enum es_expr_kind kind); /* an int of kind, up to the last token */
es_node *es_node_constant(es_parser *parser, es_span span, uint32_t value, bool is_signed);
es_node *es_node_wide(es_parser *parser, es_span span, uint64_t value, bool is_signed);
es_node *es_node_number(es_parser *parser, es_span span, double value, bool is_float);
es_node *es_node_time(es_parser *parser, es_span span, es_duration time);
es_node *es_node_reference(es_parser *parser, es_span span, size_t index, bool old);
es_node *es_node_unary(es_parser *parser, es_span span, int sign, es_node *operand);
es_node *es_node_binary(es_parser *parser, const es_token *sign, es_node *lhs, es_node *rhs);
es_node *es_node_choice(es_parser *parser, es_node *condition, es_node *lhs, es_node *rhs);
es_node *es_node_becomes(es_parser *parser, const es_token *keyword, es_node *lhs, es_node *rhs);
/* To an integer of `bytes` (1, 2, 4, 8), to bool (0), or to FLOAT or DOUBLE. */
es_node *es_node_cast(es_parser *parser, es_span span, es_node *operand, enum es_value_type type, unsigned bytes,
                      bool is_signed);

/* --- convert.c ---------------------------------------------------------------------------------------------------- */
es_node *es_node_convert(es_parser *parser, es_node *node, enum es_value_type type, bool is_signed);
/* Brings two operands to C's common type. False with an error for types that cannot be combined. */
bool es_node_common(es_parser *parser, const es_token *sign, es_node **lhs, es_node **rhs, bool *is_signed);
/* Comparisons with constants as narrow as they can be without changing the result. */
void es_node_narrow(es_parser *parser, enum es_op op, es_node **lhs, es_node **rhs, bool *is_signed);

/* --- fold.c: a op b for constants of the same type ---------------------------------------------------------------- */
uint64_t es_fold(enum es_op op, uint64_t a, uint64_t b, bool as_signed, unsigned bits);
double es_fold_number(enum es_op op, double a, double b);
int es_fold_compare(enum es_op op, double a, double b);

/* --- reference.c -------------------------------------------------------------------------------------------------- */
/* Parses and resolves a reference at the next token; adds it to the statement unless it is there already.
 * *text: as written, without blanks, factoring undone. */
bool es_parse_reference(es_parser *parser, size_t *index, const char **text);
/* Whether a parenthesis begins a reference here: (*p)[i], (*p).x. */
bool es_at_parenthesized_place(const es_parser *parser);
/* The reference that goes on after `path\` was taken. */
bool es_parse_reference_on(es_parser *parser, es_span from, const es_path *path, size_t *index, const char **text);
/* &x: the address of a variable of static storage. */
es_node *es_parse_address(es_parser *parser);
/* Any object, for a snapshot. */
bool es_parse_object(es_parser *parser, es_reference *place, uint32_t *bytes, const char **text);

/* --- text.c ------------------------------------------------------------------------------------------------------- */
/* The text from `start` to the last token taken, without comments, and with blanks between words only. */
const char *es_text_since(es_parser *parser, const char *start);

/* --- area.c ------------------------------------------------------------------------------------------------------- */
/* write(x), read(x): one reference, or all of an array, a struct, a range of elements. *area: 1 + its number among the
 * statement's, *index its first member; 0: it is the reference `index`. */
bool es_parse_accessed(es_parser *parser, size_t *index, size_t *area);
/* The area of the statement that is written here. */
bool es_parse_area(es_parser *parser, const char *keyword, size_t *index, const char **text);

/* --- cast.c ------------------------------------------------------------------------------------------------------- */
/* Does a cast to a pointer stand here: (struct msg *), (uint8_t *)? */
bool es_at_pointer_cast(const es_parser *parser);

/* --- member.c ----------------------------------------------------------------------------------------------------- */
/* Has the procedure a variable of that name, or in C++ its object a member? */
bool es_names_local(const es_parser *parser, const es_procedure *procedure, const char *name);

/* --- names.c: what names mean ------------------------------------------------------------------------------------- */
bool es_names_variable(const es_parser *parser, const char *name);
bool es_names_counter(const es_parser *parser, const char *name);
/* Index of a counter, which is added when it is new. */
size_t es_counter(es_parser *parser, const char *name);
/* The number of the statement with a name among the first `count`; ES_NO_NAME: none has it. */
size_t es_statement_named(const es_parser *parser, const char *name, size_t count);
/* Does a file's name with a \ after it stand here: file.c\, "file name"\? */
bool es_at_file(const es_parser *parser);
/* Takes it, up to the \ which is taken too. */
const char *es_take_file(es_parser *parser);
/* Does a procedure's name stand here, with its file perhaps? next: what follows it. */
bool es_at_procedure(const es_parser *parser, es_token next[2]);

/* --- path.c ------------------------------------------------------------------------------------------------------- */
/* Does a path stand here: a:b, 1:2, *:f, f[k], 1\x? */
bool es_at_path(es_parser *parser);
/* Takes a path up to a \ or what ends it. With *block set it ended in :{ which is not taken. */
const es_path *es_parse_path(es_parser *parser, bool *block);
/* The path *:f. */
const es_path *es_any_path(es_parser *parser, const es_procedure *procedure);

/* --- copied.c: paths that lead to inlined copies ------------------------------------------------------------------ */
/* Whose local variables a path means. */
const es_procedure *es_path_owner(const es_parser *parser, const es_path *path);
/* enter, leave (kind) of what a path denotes, and whether there is an activation of it; NULL with an error. */
es_node *es_path_event(es_parser *parser, es_span from, enum es_expr_kind kind, const es_path *path);
es_node *es_path_active(es_parser *parser, es_span from, const es_path *path, bool exact);
/* Of a path whose local is meant that has copies: the activation in which they are, NULL for any, and the variable
 * becomes that of these copies. False with an error. */
bool es_path_variable(es_parser *parser, es_span from, const es_path **path, const es_variable **variable);
/* Refuses statements by number where a path means copies. */
bool es_path_has_statements(es_parser *parser, es_span from, const es_path *path);

/* --- calls.c ------------------------------------------------------------------------------------------------------ */
/* Whether one procedure may be called while the other is active, as far as calls tell: by it, or further in. */
bool es_leads_to(es_parser *parser, const es_procedure *from, const es_procedure *to);

/* --- entered.c: inlined copies of what names mean ----------------------------------------------------------------- */
#define ES_COPIES_MAX 4096
/* The inlined copies of what a name means, ES_COPIES_MAX at most; 0 also when that may be several procedures. *alone:
 * it has no code of its own, but perhaps a rest of it. */
size_t es_find_copies(const es_parser *parser, const char *file, const char *name, const es_inlined_copy **copies,
                      bool *alone);
const es_inlined_copy **es_named_copies(es_parser *parser, const char *file, const char *name, size_t *count);
/* leave(name) of what is nowhere but in inlined copies: refused, with an error. False: it is not. */
bool es_refuse_leave(es_parser *parser, es_span from, const char *file, const char *name);
/* Warns of what enter or leave means. own: the procedure's own code is meant, too. */
void es_warn_of_event(es_parser *parser, enum es_expr_kind kind, const char *name, bool own,
                      const es_inlined_copy *const *copies, size_t count);
/* Whether the procedure has inlined copies. */
bool es_has_copies(const es_parser *parser, const es_procedure *procedure);
/* Warns where `what` (a path, a local) is about a procedure that has inlined copies, too. */
void es_warn_of_copies(es_parser *parser, const es_procedure *procedure, const char *what);
/* Something that the user should know though it is no error; each text once. */
void es_parser_warn(es_parser *parser, const char *text);

/* --- cell.c ------------------------------------------------------------------------------------------------------- */
/* Whether a reference is to a cell of inlined copies' activations. */
bool es_is_copies_cell(const es_reference *reference);
/* A reference to a cell that is no variable of the program's; its index. */
size_t es_refer_to_cell(es_parser *parser, es_span from, const es_variable *cell);

/* --- copies.c: where procedures and their inlined copies begin and end -------------------------------------------- */
/* enter or leave (kind) of any of these, on the path; NULL: on any. */
es_node *es_enter_any(es_parser *parser, es_span from, enum es_expr_kind kind, const es_procedure *const *found,
                      size_t count, const es_path *path);
/* enter(name), leave(name) (kind) of inlined copies: warns of what they mean. False with an error. *made NULL: they are
 * no events. *alone: the procedure has no code of its own, from its beginning on. */
bool es_inlined_event(es_parser *parser, es_span from, enum es_expr_kind kind, const char *file, const char *name,
                      es_node **made, bool *alone);
/* enter or leave (kind) of these copies in activations that the path denotes (NULL: in any); those without known
 * entries are left out. Reorders them. NULL without an error: none is left. */
es_node *es_copies_event(es_parser *parser, es_span from, enum es_expr_kind kind, const char *name, const es_path *path,
                         const es_inlined_copy **copies, size_t count);
/* ... whether any is active. */
es_node *es_copies_active(es_parser *parser, es_span from, const char *name, const es_path *path,
                          const es_inlined_copy **copies, size_t count);

/* --- position.c --------------------------------------------------------------------------------------------------- */
/* at(...)'s argument, or the statement number after `path\`. */
const es_position *es_parse_line(es_parser *parser);
/* 0x876: an instruction by its address. NULL: an error has been told. */
bool es_at_instruction(const es_parser *parser);
const es_position *es_parse_instruction(es_parser *parser);
const es_position *es_statement_position(es_parser *parser, es_span from, const es_path *path, unsigned number);

/* --- condition.c: events of interest and evaluation condition ----------------------------------------------------- */
/* Fills statement->event's conditions; says when a predicate can never be evaluated. */
bool es_finish_events(es_parser *parser, es_event_tree *event);
/* --- tasks.c ------------------------------------------------------------------------------------------------------ */
/* Does `tasks VARIABLE` stand here? Takes it; fills program->task. */
bool es_at_tasks(const es_parser *parser);
bool es_parse_tasks(es_parser *parser);
bool es_parse_task(es_parser *parser); /* the variable alone */

/* --- kernels.c ---------------------------------------------------------------------------------------------------- */
/* Where nothing was said of tasks: fills program->task and kernel when the program has a usual kernel's variable. */
void es_find_kernel(es_parser *parser);
/* Fills program->task_name, of program->task. */
void es_find_task_name(es_program *program);

/* --- recover.c: errors -------------------------------------------------------------------------------------------- */
/* Goes on to what follows the statement that began with the token `first`, which the lexer reads on after. */
void es_skip_statement(es_parser *parser, const es_lexer *lexer, const es_token *first);
/* Notes the error that was told last; should parsing go on? */
bool es_note_problem(es_parser *parser);
/* At the end: hands the errors out; true when there are none. */
bool es_tell_problems(es_parser *parser);

/* --- uses.c: fills statement->features and uses ------------------------------------------------------------------- */
void es_find_uses(es_parser *parser);

/* --- shadow.c: what only the replay sees (symbols/shadows.h) ------------------------------------------------------ */
/* The procedure whose locals a name stands before: as es_resolve_procedure, and on the replay also one that was inlined
 * everywhere. */
const es_procedure *es_resolve_owner(es_parser *parser, es_span from, const char *file, const char *name);
/* The procedure whose locals a name after a path means: of clones, on the replay, the one that stands for all. NULL
 * with an error. */
const es_procedure *es_resolve_path_owner(es_parser *parser, es_span from, const es_path *path);
/* Of a variable with a cell: whether the path can be meant, which may be NULL. *anywhere: then it exists while any
 * activation of its procedure does. */
bool es_check_shadow(es_parser *parser, es_span from, const es_variable *variable, const es_path *path, bool *anywhere);
/* Does result(f) or reg(a0) stand here? Takes it; NULL with an error. */
bool es_at_shadow(const es_parser *parser);
const es_variable *es_parse_shadow(es_parser *parser);

/* --- resolve.c ---------------------------------------------------------------------------------------------------- */
/* The variable that a name means. `qualifier` is NULL, a procedure's name, or (is_file) a file's. Tells its error about
 * the span. */
const es_variable *es_resolve_variable(es_parser *parser, es_span from, const char *qualifier, bool is_file,
                                       const char *name);
/* A local of the procedure; `line` 0, or the line of its declaration, and then `which` 0 or the how-manieth of those
 * that the line declares, from 1. */
const es_variable *es_resolve_local(es_parser *parser, es_span from, const es_procedure *procedure, const char *name,
                                    unsigned line, unsigned which);
/* --- procedure.c -------------------------------------------------------------------------------------------------- */
/* The procedure that a name means, in a file or (file NULL) anywhere; NULL with an error when it is not one. */
const es_procedure *es_resolve_procedure(es_parser *parser, es_span from, const char *file, const char *name);
/* Where one procedure is meant, and there are several: says so, and returns false. */
bool es_refuse_several(es_parser *parser, es_span from, const es_procedure *const *found, size_t count);
/* The same, but all copies that the compiler made of one procedure of the source: of constructors and destructors, of
 * what stands in headers. At most ES_PROCEDURES_MAX; 0 with an error. */
#define ES_PROCEDURES_MAX 64
size_t es_resolve_procedures(es_parser *parser, es_span from, const char *file, const char *name,
                             const es_procedure **found);
/* --- observable.c ------------------------------------------------------------------------------------------------- */
/* Fails when the variable has no place in memory. *feature_text: what to say about it where locals of recursive
 * procedures or interrupt handlers are not known. */
bool es_check_observable(es_parser *parser, es_span from, const es_variable *variable, const char **feature_text);
/* --- suggest.c ---------------------------------------------------------------------------------------------------- */
/* "a" or "an", as goes before a word. */
const char *es_article(const char *word);

#endif
