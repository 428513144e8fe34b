/* The byte port of a simulated probe as a transport, for everything on the host that talks to probes. */
#ifndef ES_SIM_BYTE_PORT_H
#define ES_SIM_BYTE_PORT_H

#include "sim.h"
#include "transport/transport.h"

/* Reading advances the simulation until bytes wait, by at most timeout_ms of the target's time (so that runs do not
 * depend on the machine's speed), or until nothing is left to happen: then it returns 0. The es_sim stays the
 * caller's. */
es_transport *es_transport_sim(es_sim *sim);

#endif
