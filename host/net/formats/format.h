/* Nets as files: which format, reading, writing. */
#ifndef ES_NET_FORMAT_H
#define ES_NET_FORMAT_H

#include "base/text.h"
#include "net/model/net.h"

enum es_net_format {
    ES_NET_PNML, /* .pnml, .xml: pnml.h */
    ES_NET_TINA, /* .net: tina.h */
};

/* The format that goes with the ending of the path's name. Fails with ES_USAGE when there is none. */
bool es_net_format_of(const char *path, enum es_net_format *format, es_error *err);

/* Reads a net. NULL with an ES_USAGE error: "path:line:column: error: ..." where a place in the file is at fault. */
es_net *es_net_load(const char *path, es_error *err);

/* The net in that format, added to the text. Fails with ES_USAGE when the format cannot hold a name. */
bool es_net_print(const es_net *net, enum es_net_format format, es_text_buffer *out, es_error *err);

#endif
