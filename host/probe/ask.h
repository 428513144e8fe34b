/* Asking a probe what it is, when nothing else is wanted of it. */
#ifndef ES_PROBE_ASK_H
#define ES_PROBE_ASK_H

#include "base/text.h"
#include "probe/boot.h"

/* Reads the probe's registers and closes the transport. It takes two seconds where nothing answers. Fails with ES_PROBE
 * when there is no answer, or not one of a probe that this program can use; info->id is then what it said, or 0. */
bool es_probe_ask(es_transport *transport, es_probe_info *info, es_error *err);

/* What the words say: "version 1: 32-bit bus, window 0x00000000 to 0x0003ffff, FIFO of 4096, reads, outputs, time". */
void es_probe_info_text(es_text_buffer *out, const es_probe_info *info);

#endif
