/* Reading Trace Compass's XML: what the parts of the reader share. */
#ifndef ES_INFER_XML_H
#define ES_INFER_XML_H

#include "infer/machine.h"
#include "net/formats/pnml_tree.h"

typedef struct es_infer_xml {
    es_infer_model *model;
    es_infer_machine *machine;
    es_arena *arena;
    es_pnml_tree tree;
    const es_pnml_node *handler, *pattern, *fsm;
    const char *key;     /* the attribute that is; NULL: none */
    const char *initial; /* of the fsm: its state */
    es_infer_test tests[ES_INFER_TESTS_MAX];
    es_infer_update updates[ES_INFER_VARIABLES_MAX];
    uint32_t test_count, update_count, key_field;
    bool unknown; /* part of the condition has no meaning here */
    es_error *err;
} es_infer_xml;

/* The attribute `value` of an element, or "". */
const char *es_infer_xml_value(const es_pnml_node *node);

/* The attribute of the scenario that a list of stateAttribute elements names, or NULL. */
const char *es_infer_xml_attribute(const es_pnml_node *parent);

/* Which attribute of the scenario tests compare with a field of events, so that it tells which scenario they are for;
 * NULL: none. */
const char *es_infer_xml_key(const es_pnml_node *handler);

/* Whether an attribute `event` names an event: "a|b*c", in which * stands for anything. NULL or "": all events. */
bool es_infer_xml_names(const char *names, const char *event);

/* A stateValue as an operand. *meant: it has a meaning here. Fails with ES_USAGE. */
bool es_infer_xml_operand(es_infer_xml *r, const es_pnml_node *node, es_infer_operand *operand, bool *meant);

/* An attribute of the scenario as an operand. Fails with ES_USAGE. */
bool es_infer_xml_variable(es_infer_xml *r, const es_pnml_node *at, const char *name, es_infer_operand *operand);

/* Adds the condition of a <test> to r->tests. Fails with ES_USAGE. */
bool es_infer_xml_test(es_infer_xml *r, const es_pnml_node *test);

#endif
