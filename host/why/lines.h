/* A slice in the words of the source: executions of lines, with what each made and of what. */
#ifndef ES_WHY_LINES_H
#define ES_WHY_LINES_H

#include "base/arena.h"
#include "why/slice.h"

typedef struct es_why_line es_why_line;

/* A value that went from one line to another, or came in from outside. */
typedef struct es_why_taken {
    const char *text;        /* "temp = 84"; "0x000003af read from 0x10000018" */
    const es_why_line *from; /* NULL: it came in here */
    const char *end;         /* from NULL: from where, in words: "an input: read from 0x10000018" */
} es_why_taken;

struct es_why_line {
    uint64_t moment;  /* before its first instruction */
    const char *time; /* of `moment` */
    const char *file; /* NULL: not known */
    unsigned line;
    const char *source;    /* the line's text, without blanks around it; NULL: it could not be read */
    const char *procedure; /* NULL: not known */
    uint32_t pc;           /* of its last instruction that counts */
    const char *made;      /* what others took of it: "temp = 84" */
    es_why_taken *values;  /* of what, the youngest first */
    size_t value_count;
    /* Lines with the branches that decided that it was executed, the youngest first: their values are what they
     * compared */
    const es_why_line **decisions;
    size_t decision_count;
    bool decides; /* it is such a line: nothing of it was taken */
    bool jumped;  /* ... whose branch did not go on after itself */
};

typedef struct es_why_lines {
    es_why_line **lines; /* the youngest first; the first one stands for what was asked for, without a place */
    size_t count;
    bool undecided; /* of some it is not known who decided */
} es_why_lines;

/* Of the arena. False: the replay failed. `asked`: what was asked for, as it is shown. */
bool es_why_lines_make(es_why_lines *lines, const es_why_slice *slice, es_timeline *timeline, const es_symbols *symbols,
                       const es_isa *isa, const char *asked, es_arena *arena, es_error *err);

#endif
