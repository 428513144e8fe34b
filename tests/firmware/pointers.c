#include "pointers.h"

static const es_member members[] = {
    {"words", &tree_int, 0, 0, 0}, {"value", &tree_int, VALUE, 0, 0}, {"half", &tree_short, 16, 0, 0}};
static const es_type object = {
    .kind = ES_TYPE_STRUCT, .name = "struct object", .size = 32, .members = members, .member_count = 3};
const es_type pointer_to_object = {.kind = ES_TYPE_POINTER, .name = "struct object *", .size = 4, .of = &object};
const es_type pointer_to_char = {.kind = ES_TYPE_POINTER, .name = "char *", .size = 4, .of = &tree_uchar};
const es_type pointer_to_short = {.kind = ES_TYPE_POINTER, .name = "short *", .size = 4, .of = &tree_short};

void statement_value(uint32_t variable)
{
    es_reference refs[] = {tree_static(&pointer_to_object, variable), tree_through(&tree_int, 0, VALUE)};
    es_statement *statement = tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(1), tree_const(5)), refs, 2, 1);
    statement->actions[0].items[0].index = 1;
}

unsigned plane(uint32_t address)
{
    return m->data_plane[address / 4];
}
