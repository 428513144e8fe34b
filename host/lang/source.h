/* What trees say of the text that they were made of: where it stands, and lengths of time as they are written. */
#ifndef ES_LANG_SOURCE_H
#define ES_LANG_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
