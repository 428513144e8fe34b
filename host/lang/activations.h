/* Paths of activations: by which way a procedure was called. */
#ifndef ES_LANG_ACTIVATIONS_H
#define ES_LANG_ACTIVATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/symbols.h"

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

#endif
