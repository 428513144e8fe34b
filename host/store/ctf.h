/* Writes traces in the Common Trace Format 1.8: a directory with `metadata` and one file a stream, as babeltrace2 and
 * Trace Compass read them.
 *
 * Streams hold events in the order of their times. Packets are about ES_CTF_PACKET_SIZE bytes at most (unless one event
 * is larger). A loss has a packet of its own, so that it stands between the right events. */
#ifndef ES_STORE_CTF_H
#define ES_STORE_CTF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define ES_CTF_PACKET_SIZE 65536u
#define ES_CTF_STREAMS_MAX 256u

enum es_ctf_type { ES_CTF_U64, ES_CTF_I64, ES_CTF_F64, ES_CTF_STRING, ES_CTF_ENUM };

typedef struct es_ctf_field {
    const char *name; /* letters, digits and _ ; not beginning with a digit */
    enum es_ctf_type type;
    const char *const *labels; /* ES_CTF_ENUM: names of 0, 1, ...; NULL ends */
} es_ctf_field;

typedef struct es_ctf_class {
    const char *name; /* any text */
    const es_ctf_field *fields;
    size_t field_count;
} es_ctf_class;

/* A value: the member that goes with the field's type; `u` holds an enumerator's number (0 to 255). */
typedef union es_ctf_value {
    uint64_t u;
    int64_t i;
    double f;
    const char *s; /* without NUL bytes; NULL is "" */
} es_ctf_value;

typedef struct es_ctf_options {
    uint64_t clock_hz;           /* ticks of all times, a second */
    int64_t offset_s;            /* seconds since 1970 at time 0; 0 where it is not known */
    const es_ctf_class *classes; /* copied is nothing: all must outlive the trace */
    size_t class_count;
    const char *const *env; /* name, value, name, value, ..., NULL: reported about the trace as a whole; may be NULL */
} es_ctf_options;

typedef struct es_ctf es_ctf;

/* Makes the directory (its parent must be there) and the metadata. The directory may exist when it is empty, hidden
 * files aside. NULL with ES_OUTPUT. */
es_ctf *es_ctf_create(const char *directory, const es_ctf_options *options, es_error *err);

/* Adds an event. `stream` below ES_CTF_STREAMS_MAX, `time` not before the last one of that stream (ES_USAGE), `class`
 * below class_count; values in the order of the class's fields. Fails with ES_OUTPUT when a file cannot be written. */
bool es_ctf_event(es_ctf *ctf, unsigned stream, uint64_t time, unsigned class, const es_ctf_value *values,
                  es_error *err);

/* Says that `count` events of the stream were lost up to `time`, after the last event. */
bool es_ctf_lost(es_ctf *ctf, unsigned stream, uint64_t time, uint64_t count, es_error *err);

/* Time of the stream's last event or loss, 0 when there was none. */
uint64_t es_ctf_last_time(const es_ctf *ctf, unsigned stream);

/* Writes all out: a reader sees everything up to here. */
bool es_ctf_flush(es_ctf *ctf, es_error *err);

/* Writes all out and frees. `err` may be NULL. */
bool es_ctf_close(es_ctf *ctf, es_error *err);

#endif
