/* The input stream of a recording. */
#ifndef ES_REPLAYED_RECORDED_H
#define ES_REPLAYED_RECORDED_H

#include "replay/recording.h"
#include "replayed/replayed.h"

extern const es_replayed_stream es_recorded_stream;

/* Its context. Takes the reader over. */
void *es_recorded_new(es_recording_reader *reader);

#endif
