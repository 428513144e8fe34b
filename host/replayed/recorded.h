/* The input stream of a recording. */
#ifndef ES_REPLAYED_RECORDED_H
#define ES_REPLAYED_RECORDED_H

#include "replay/recording.h"
#include "replayed/replayed.h"

extern const es_replayed_stream es_recorded_stream; /* its context is an es_recording_reader, which it takes over */

#endif
