/* The code of one word: what a write to it, or to some of its lanes, has to run. */
#ifndef ES_IMAGE_TABLES_WORD_CODE_H
#define ES_IMAGE_TABLES_WORD_CODE_H

#include "image/plan/plan.h"
#include "image/tables/layout.h"

#define WORD_SETS_MAX 10 /* sets of neighbouring lanes in a word */

/* The writes to one word that are of the same bytes. */
typedef struct word_set {
    const plan_write *write; /* the first one */
} word_set;

typedef struct word_plan {
    const plan_write *first, *statements, *end; /* covers stand before `statements` */
    word_set sets[WORD_SETS_MAX];
    size_t set_count;
    bool across;      /* some variable lies across words: a write of all lanes need not complete it */
    bool old;         /* some statement takes an old value */
    bool falls;       /* the last statement's routine comes right after the word's code: */
    unsigned routine; /* label there */
} word_plan;

/* Labels at which a word's code is entered. */
typedef struct word_entries {
    uint32_t first, second; /* all of the word was written; some of it */
    bool nothing;           /* there is nothing to do when all of it was */
} word_entries;

/* Generates the code of a word into b->code. */
word_entries es_word_generate(image_builder *b, const word_plan *word);

#endif
