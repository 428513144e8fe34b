/* The simulated target, as sessions run it; its context is an es_sim. */
#ifndef ES_ACCESS_SIMULATED_H
#define ES_ACCESS_SIMULATED_H

#include "session/target.h"

extern const es_session_target es_simulated_target;

#endif
