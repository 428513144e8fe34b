/* What the parts of the PNML reader share. */
#ifndef ES_NET_PNML_PRIVATE_H
#define ES_NET_PNML_PRIVATE_H

#include "net/formats/pnml_tree.h"
#include "net/model/net.h"

enum es_pnml_kind { ES_PNML_PLACE, ES_PNML_TRANSITION, ES_PNML_PLACE_REFERENCE, ES_PNML_TRANSITION_REFERENCE };

/* A node of the net by its XML id. */
typedef struct es_pnml_entry {
    const char *id;
    enum es_pnml_kind kind;
    uint32_t index;    /* in the net; of a reference: ES_NET_NONE */
    const char *other; /* a reference: the id it refers to */
    const es_pnml_node *node;
} es_pnml_entry;

typedef struct es_pnml_reader {
    es_pnml_tree tree;
    es_arena *scratch;
    es_net *net;
    es_pnml_entry *entries; /* in document order, then sorted by id */
    size_t entry_count;
    const es_pnml_node **arcs;
    size_t arc_count;
    es_error *err;
} es_pnml_reader;

/* The node that the id stands for, after all references; NULL when it leads nowhere. */
const es_pnml_entry *es_pnml_follow(const es_pnml_reader *reader, const char *id);

/* Follows references. NULL with an error at `user` when there is no such node, or it is of the other kind. */
const es_pnml_entry *es_pnml_find(es_pnml_reader *reader, const es_pnml_node *user, const char *id,
                                  enum es_pnml_kind kind);

/* Earshot's own section in a node, or NULL. */
const es_pnml_node *es_pnml_tool(const es_pnml_node *node);

/* A decimal number from `least` to `most`, else an error at `user` that calls it `what`. */
bool es_pnml_number(es_pnml_reader *reader, const es_pnml_node *user, const char *what, const char *text, int64_t least,
                    int64_t most, int64_t *value);

/* The sections of all nodes, once nodes and arcs are in the net. */
bool es_pnml_read_tools(es_pnml_reader *reader, const es_pnml_node *net);

#endif
