/* XML to a small tree, through libxml2, for PNML. Hardened: nothing is loaded from anywhere, documents that declare
 * entities or default attributes are refused, sizes are limited. */
#ifndef ES_NET_PNML_TREE_H
#define ES_NET_PNML_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

#define ES_PNML_SIZE_MAX (128u << 20)   /* bytes of a file */
#define ES_PNML_ELEMENTS_MAX (4u << 20) /* without those that are skipped */

typedef struct es_pnml_attribute {
    const char *name, *value; /* name without prefix */
} es_pnml_attribute;

typedef struct es_pnml_node {
    const char *name; /* without prefix */
    /* of an element without children: what is between its tags, without blanks around it; "" when nothing */
    const char *text;
    const es_pnml_attribute *attributes;
    uint32_t attribute_count;
    uint32_t line, column; /* of its '<', both from 1 */
    struct es_pnml_node *children, *next;
} es_pnml_node;

typedef struct es_pnml_tree {
    const char *file; /* for messages */
    es_pnml_node *root;
} es_pnml_tree;

/* Parses `size` bytes. Elements `graphics`, and `toolspecific` of other tools than Earshot, are left out with all that
 * is in them. Fails with ES_USAGE and a message that begins with "file:line:column: error: ". */
bool es_pnml_parse(const char *file, const char *bytes, size_t size, es_arena *arena, es_pnml_tree *tree,
                   es_error *err);

/* The first child of that name, or NULL; node may be NULL. */
const es_pnml_node *es_pnml_child(const es_pnml_node *node, const char *name);

/* The next one of the same name after this child, or NULL. */
const es_pnml_node *es_pnml_next(const es_pnml_node *child);

/* The attribute's value, or NULL; node may be NULL. */
const char *es_pnml_attribute_of(const es_pnml_node *node, const char *name);

/* A copy of the text without blanks around it. */
const char *es_pnml_trimmed(es_arena *arena, const char *text);

/* Stores "file:line:column: error: formatted" with ES_USAGE and returns false. */
bool es_pnml_fail(const es_pnml_tree *tree, const es_pnml_node *node, es_error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
