/* A recording and the program that it was made of, as the commands that look at the past open them. */
#ifndef ES_CLI_PAST_H
#define ES_CLI_PAST_H

#include "isa/isa.h"
#include "replay/timeline.h"

typedef struct es_past_file {
    const char *program;
    es_symbols *symbols;
    es_timeline *timeline;
    const es_isa *isa;
    const char *arch; /* the extensions that the program was compiled for; NULL: it does not say */
    uint64_t hz;      /* the tap's clock */
} es_past_file;

/* False: nothing is open. */
bool es_past_file_open(es_past_file *file, const char *recording, const char *program, es_error *err);
void es_past_file_close(es_past_file *file);

#endif
