/* The text of a CTF trace's metadata, in TSDL. */
#ifndef ES_STORE_CTF_METADATA_H
#define ES_STORE_CTF_METADATA_H

#include "base/text.h"
#include "store/ctf.h"

void es_ctf_metadata(const es_ctf_options *options, es_text_buffer *out);

#endif
