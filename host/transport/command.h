/* Commands to a probe's loader, over any transport: write and read words in the soft core's map, with answers checked
 * and repeated when lost. */
#ifndef ES_TRANSPORT_COMMAND_H
#define ES_TRANSPORT_COMMAND_H

#include "stream/event.h"
#include "transport/transport.h"

typedef struct es_link es_link;

/* Events that arrive are decoded and go to on_event, RESPONSE events excepted. on_event must not call functions of this
 * header with the same link. NULL when memory is short. */
es_link *es_link_new(es_transport *transport, es_event_fn *on_event, void *context);
void es_link_free(es_link *link);                                           /* does not close the transport */
void es_link_on_event(es_link *link, es_event_fn *on_event, void *context); /* to whom they go from now on */

#define ES_LINK_TRIES 5 /* a command that nobody answers is sent so often at least, 0.4 s apart */

/* Called when a command has been sent for the second time without an answer, and after each further try, with their
 * number: the user can be told that somebody waits. Returns whether to ask on where ES_LINK_TRIES are over. */
typedef bool es_link_waiting_fn(void *context, unsigned tries);
void es_link_on_waiting(es_link *link, es_link_waiting_fn *on_waiting, void *context);

/* The last command failed because the probe did not answer: it may stand still for a while. False: the connection
 * itself has failed. */
bool es_link_silent(const es_link *link);

/* Writes words at ascending addresses (any count; cut into frames). Fails with ES_PROBE when the probe does not answer
 * after several tries. A write whose answer was lost is sent again, so a word may be written twice in a row. */
bool es_link_write(es_link *link, uint32_t address, const uint32_t *words, size_t count, es_error *err);
bool es_link_read(es_link *link, uint32_t address, uint32_t *words, size_t count, es_error *err);

/* Reads and decodes what the probe sends, for at most timeout_ms. Returns 1 when bytes came, 0 none, -1 failure, -2 end
 * of stream. Asks for the path again (ES_MAIL_RESYNC) when the decoder wants it; where the probe
 * does not answer that, it is asked again later. */
int es_link_pump(es_link *link, int timeout_ms, es_error *err);

/* The probe's firmware is about to be started: its frames are numbered from 0 on. */
void es_link_restart(es_link *link);

/* The transport was opened again after its probe had been unplugged: what came of a frame before is no part of one now.
 * Frames that are missing between are counted as one gap (ES_GAP_LINK), unless a monitor that is loaded anew begins
 * with its HELLO. */
void es_link_reconnected(es_link *link);

/* Nothing more is awaited: tells of what was lost on the link and is not told yet. */
void es_link_finish(es_link *link);

/* Frames that came so far, and how many were damaged or missing. */
void es_link_totals(const es_link *link, uint64_t *frames, uint64_t *bad);

#endif
