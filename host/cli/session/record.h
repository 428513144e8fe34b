/* A transport that keeps a copy of everything the probe sends in a file, as it comes: before it is decoded. */
#ifndef ES_CLI_RECORD_H
#define ES_CLI_RECORD_H

#include "transport/transport.h"

/* Takes `inner` over; closing closes both. Fails with ES_USAGE when the file cannot be written; inner stays the
 * caller's then. */
es_transport *es_transport_record(es_transport *inner, const char *path, es_error *err);

#endif
