/* What machines look at of a CTF event: found once for each class of events. */
#ifndef ES_CLI_INFER_CTF_FIELDS_H
#define ES_CLI_INFER_CTF_FIELDS_H

#include <babeltrace2/babeltrace.h>

#include "infer/machine.h"

typedef struct es_infer_ctf_fields es_infer_ctf_fields;

es_infer_ctf_fields *es_infer_ctf_fields_new(es_infer_words *words);
void es_infer_ctf_fields_free(es_infer_ctf_fields *fields);

/* Name (ES_INFER_NONE: no machine knows it) and fields of an event. `to->values` counts until the next call. */
void es_infer_ctf_fields_read(es_infer_ctf_fields *fields, const bt_event *event, es_infer_event *to);

/* The field of a packet's context that all events of its stream have from there alone, such as cpu_id; ES_INFER_NONE:
 * no machine looks at one. */
uint32_t es_infer_ctf_fields_of_packet(const es_infer_ctf_fields *fields, const bt_stream_class *stream);

/* Its value in a packet. False: it has none. */
bool es_infer_ctf_fields_packet_value(es_infer_ctf_fields *fields, const bt_packet *packet, uint32_t field,
                                      es_infer_value *value);

#endif
