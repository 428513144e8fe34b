/* Statements in groups, of which each has a probe of its own (image/groups.h): what these say becomes what one probe
 * would say that has them all. Of one group alone nothing is in between. */
#ifndef ES_SESSION_GROUPS_H
#define ES_SESSION_GROUPS_H

#include "image/groups.h"
#include "session/session.h"
#include "transport/command.h"

struct session;

/* One group. */
typedef struct session_group {
    struct session *session;
    size_t number;
    es_link *link;
    es_target_rank *ranks; /* by statement */
    bool hello, done;
    uint32_t checksum;
    uint32_t *closing; /* its closing figures, ... */
    size_t closing_count, figures;
    uint32_t totals[5]; /* ... and what comes after them: es_event.words of DONE */
    size_t total_count;
} session_group;

/* Another link for each group after the first, whose link the session has; loads and sets each up as the first one is.
 * Where there is one group, nothing. */
bool es_session_groups_load(struct session *s, es_error *err);

/* The same for each: starts it, asks for its closing figures, writes a word of its image. `hello` of all are awaited
 * by the session. */
bool es_session_groups_start(struct session *s, es_error *err);
bool es_session_groups_flush(struct session *s, es_error *err);
bool es_session_groups_write(struct session *s, uint32_t address, const uint32_t *words, size_t count, es_error *err);

/* pump.c: es_link_pump of whose turn it is. */
int es_session_groups_pump(struct session *s, int timeout_ms, es_error *err);

/* groups.c */
void es_session_groups_finish(struct session *s); /* es_link_finish of all */
void es_session_groups_free(struct session *s);

#endif
