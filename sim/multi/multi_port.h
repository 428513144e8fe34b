/* The byte port of the multi-core target's probe as a transport. */
#ifndef ES_MULTI_PORT_H
#define ES_MULTI_PORT_H

#include "multi.h"
#include "transport/transport.h"

/* The target stalls while the host reads and writes: only es_multi_step advances it. Reading lets the probe work until
 * bytes wait or nothing is left for it to do. The es_multi, which must have a probe, stays the caller's. */
es_transport *es_transport_multi(es_multi *multi);

#endif
