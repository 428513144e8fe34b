/* What the parts of the .net reader share. */
#ifndef ES_NET_TINA_PRIVATE_H
#define ES_NET_TINA_PRIVATE_H

#include "net/formats/tina_lexer.h"
#include "net/model/net.h"

typedef struct es_tina_reader {
    es_tina_lexer lexer;
    es_net *net;
    es_arena *scratch;
    es_tina_lexer *notes; /* lines for earshot: the lexer as it stands after "# earshot:" */
    size_t note_count;
    uint32_t (*pairs)[2]; /* pr: which goes before which */
    size_t pair_count;
} es_tina_reader;

/* True when the current token is a name or one in braces. */
bool es_tina_is_name(const es_tina_reader *reader);

/* True when the current token is this mark. */
bool es_tina_is_mark(const es_tina_reader *reader, char mark);

/* A decimal number, the current token, up to `most`; K and M after it multiply. Moves on. */
bool es_tina_number(es_tina_reader *reader, const char *what, int64_t most, int64_t *value);

/* Reads the lines for earshot, when nodes and arcs are known and the net was finished once. `has_order` tells whether
 * one gave the order. */
bool es_tina_read_notes(es_tina_reader *reader, bool *has_order);

#endif
