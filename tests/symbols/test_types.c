/* Types: kinds, names, members, enumerators; offsets and sizes against the tables that the compiler put into the
 * program. */
#include <string.h>

#include "check_main.h"
#include "common.h"

static const es_member *member_named(const es_type *type, const char *name)
{
    for (size_t i = 0; i < type->member_count; i++) {
        if (type->members[i].name && strcmp(type->members[i].name, name) == 0)
            return &type->members[i];
    }
    return NULL;
}

static const es_member *need(const es_type *type, const char *name)
{
    const es_member *member = member_named(type, name);
    ck_assert_msg(member, "%s has no member %s", type->name, name);
    return member;
}

static const es_type *type_of(const es_symbols *symbols, const char *name)
{
    return test_variable(symbols, NULL, name)->type;
}

START_TEST(names_and_kinds)
{
    static const struct {
        const char *variable, *name;
        enum es_type_kind kind;
        uint32_t size;
        bool is_signed;
    } expected[] = {
        {"plant", "struct plant", ES_TYPE_STRUCT, 48, false},
        {"mode", "enum mode", ES_TYPE_ENUM, 4, true},
        {"paint", "colour", ES_TYPE_ENUM, 4, false},
        {"matrix", "int [2][3][4]", ES_TYPE_ARRAY, 96, false},
        {"vectors", "vector [5]", ES_TYPE_ARRAY, 60, false},
        {"pair_pointer", "pair *", ES_TYPE_POINTER, 4, false},
        {"text", "const char *", ES_TYPE_POINTER, 4, false},
        {"operation", "int (*)(int)", ES_TYPE_POINTER, 4, false},
        {"on_event", "handler *", ES_TYPE_POINTER, 4, false},
        {"row_pointer", "int (*)[4]", ES_TYPE_POINTER, 4, false},
        {"letter", "char", ES_TYPE_CHAR, 1, false},
        {"signed_letter", "signed char", ES_TYPE_CHAR, 1, true},
        {"byte", "uint8_t", ES_TYPE_INT, 1, false},
        {"wide", "int64_t", ES_TYPE_INT, 8, true},
        {"wider", "long long unsigned int", ES_TYPE_INT, 8, false},
    };
    es_symbols *symbols = test_open(test_programs[_i]);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const es_type *type = type_of(symbols, expected[i].variable);
        /* GCC may resolve the typedef itself */
        if (strcmp(expected[i].variable, "vectors") == 0 && type->name[0] == 'i')
            ck_assert_str_eq(type->name, "int [5][3]");
        else
            ck_assert_str_eq(type->name, expected[i].name);
        ck_assert_msg(type->kind == expected[i].kind, "kind of %s", expected[i].variable);
        ck_assert_msg(type->size == expected[i].size, "size of %s: %u", expected[i].variable, type->size);
        ck_assert_msg(type->is_signed == expected[i].is_signed, "sign of %s", expected[i].variable);
    }
    es_symbols_close(symbols);
}
END_TEST

START_TEST(arrays_and_pointers)
{
    es_symbols *symbols = test_open(test_programs[_i]);
    const es_type *matrix = type_of(symbols, "matrix");
    ck_assert_uint_eq(matrix->count, 2);
    ck_assert_uint_eq(matrix->of->count, 3);
    ck_assert_str_eq(matrix->of->name, "int [3][4]");
    ck_assert_uint_eq(matrix->of->of->count, 4);
    ck_assert_uint_eq(matrix->of->of->size, 16);
    ck_assert_int_eq(matrix->of->of->of->kind, ES_TYPE_INT);
    const es_type *vectors = type_of(symbols, "vectors");
    ck_assert_uint_eq(vectors->count, 5);
    ck_assert_uint_eq(vectors->of->count, 3);
    ck_assert_ptr_eq(need(type_of(symbols, "plant"), "next")->type->of, type_of(symbols, "plant"));
    ck_assert_str_eq(type_of(symbols, "pair_pointer")->of->name, "pair");
    ck_assert_int_eq(type_of(symbols, "pair_pointer")->of->kind, ES_TYPE_STRUCT);
    ck_assert_int_eq(type_of(symbols, "operation")->of->kind, ES_TYPE_OTHER);
    const es_type *top = type_of(symbols, "__stack_top");
    ck_assert_int_eq(top->kind, ES_TYPE_ARRAY);
    ck_assert_uint_eq(top->count, 0);
    ck_assert_uint_eq(type_of(symbols, "incomplete")->count, 4);
    es_symbols_close(symbols);
}
END_TEST

static uint32_t check_table(const es_symbols *symbols, const es_type *type, const char *table,
                            const char *const *members)
{
    uint32_t address;
    ck_assert(es_symbols_value(symbols, table, &address));
    for (size_t i = 0; members[i]; i++, address += 8) {
        const es_member *member = need(type, members[i]);
        ck_assert_msg(member->offset == test_word(symbols, address), "offset of %s", members[i]);
        ck_assert_msg(member->type->size == test_word(symbols, address + 4), "size of %s", members[i]);
        ck_assert_uint_eq(member->bit_size, 0);
    }
    return test_word(symbols, address);
}

START_TEST(members_lie_where_the_compiler_says)
{
    es_symbols *symbols = test_open(test_programs[_i]);
    const es_type *plant = type_of(symbols, "plant"), *tight = type_of(symbols, "tight");
    ck_assert_uint_eq(
        check_table(symbols, plant, "plant_table",
                    (const char *[]){"temp", "mode", "limits", "next", "name", "exact", "rough", "valid", NULL}),
        plant->size);
    ck_assert_uint_eq(check_table(symbols, tight, "tight_table", (const char *[]){"head", "value", "tail", NULL}),
                      tight->size);
    ck_assert_str_eq(need(plant, "temp")->type->name, "int16_t [3]");
    ck_assert_str_eq(need(plant, "next")->type->name, "struct plant *");
    ck_assert_str_eq(need(plant, "mode")->type->name, "enum mode");
    ck_assert_int_eq(need(plant, "valid")->type->kind, ES_TYPE_BOOL);
    ck_assert_int_eq(need(plant, "exact")->type->kind, ES_TYPE_FLOAT);
    ck_assert_uint_eq(need(plant, "exact")->type->size, 8);
    ck_assert_int_eq(need(plant, "rough")->type->kind, ES_TYPE_FLOAT);
    /* the anonymous union, and the anonymous struct in it */
    const es_member *nameless = NULL;
    for (size_t i = 0; i < plant->member_count; i++)
        if (!plant->members[i].name)
            nameless = &plant->members[i];
    ck_assert_ptr_nonnull(nameless);
    ck_assert_uint_eq(nameless->offset, need(plant, "next")->offset + 4);
    ck_assert_uint_eq(need(nameless->type, "word")->offset, 0);
    ck_assert_ptr_null(nameless->type->members[1].name);
    ck_assert_uint_eq(need(nameless->type->members[1].type, "second")->offset, 2);
    es_symbols_close(symbols);
}
END_TEST

/* The program has one constant per bit-field in which only that field's bits are set. */
static void check_bits(const es_symbols *symbols, const es_type *type, const char *name, const char *constant)
{
    const es_member *member = need(type, name);
    uint32_t address;
    ck_assert(es_symbols_value(symbols, constant, &address));
    for (uint32_t byte = 0; byte < type->size; byte++) {
        uint32_t word = test_word(symbols, (address + byte) & ~3u) >> 8 * ((address + byte) & 3) & 0xFF;
        uint32_t expected = 0;
        for (unsigned bit = 0; bit < member->bit_size; bit++) {
            unsigned at = member->offset * 8 + member->bit_offset + bit;
            if (at / 8 == byte)
                expected |= 1u << at % 8;
        }
        ck_assert_msg(word == expected, "%s: byte %u of %s is %02x, expected %02x", constant, byte, name, word,
                      expected);
    }
    ck_assert_uint_le((unsigned)member->bit_offset + member->bit_size, member->type->size * 8);
    if (type->size % 4 == 0)
        ck_assert_uint_eq(member->offset % member->type->size, 0);
}

START_TEST(bit_fields_lie_where_the_compiler_puts_them)
{
    es_symbols *symbols = test_open(test_programs[_i]);
    const es_type *bits = type_of(symbols, "bits");
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char constant[16];
        snprintf(constant, sizeof constant, "bits_%s", names[i]);
        check_bits(symbols, bits, names[i], constant);
    }
    ck_assert_uint_eq(need(bits, "c")->bit_size, 22);
    ck_assert_uint_eq(need(bits, "h")->bit_size, 1);
    check_bits(symbols, type_of(symbols, "tight"), "x", "tight_x");
    check_bits(symbols, type_of(symbols, "tight"), "y", "tight_y");
    es_symbols_close(symbols);
}
END_TEST

START_TEST(enumerators)
{
    es_symbols *symbols = test_open(test_programs[_i]);
    static const struct {
        const char *name;
        int64_t value;
        const char *type;
    } expected[] = {
        {"OFF", 0, "enum mode"}, {"IDLE", 3, "enum mode"},   {"ARMED", 4, "enum mode"},  {"BROKEN", -2, "enum mode"},
        {"GREEN", 200, NULL},    {"BLUE", 0x80000001, NULL}, {"SECOND_LIMIT", 12, NULL},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const es_type *type;
        const es_enumerator *found = es_symbols_enumerator(symbols, expected[i].name, &type);
        if (!found && strcmp(expected[i].name, "SECOND_LIMIT") == 0)
            continue; /* no variable has its type: some compilers leave it out */
        ck_assert_msg(found, "no %s", expected[i].name);
        ck_assert_int_eq(found->value, expected[i].value);
        ck_assert_int_eq(type->kind, ES_TYPE_ENUM);
        if (expected[i].type)
            ck_assert_str_eq(type->name, expected[i].type);
    }
    ck_assert_ptr_null(es_symbols_enumerator(symbols, "PURPLE", NULL));
    const es_type *mode = type_of(symbols, "mode");
    ck_assert_uint_eq(mode->enumerator_count, 4);
    ck_assert_str_eq(mode->enumerators[2].name, "ARMED");
    es_symbols_close(symbols);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("types");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, names_and_kinds, 0, TEST_PROGRAMS);
    tcase_add_loop_test(all, arrays_and_pointers, 0, TEST_PROGRAMS);
    tcase_add_loop_test(all, members_lie_where_the_compiler_says, 0, TEST_PROGRAMS);
    tcase_add_loop_test(all, bit_fields_lie_where_the_compiler_puts_them, 0, TEST_PROGRAMS);
    tcase_add_loop_test(all, enumerators, 0, TEST_PROGRAMS);
    suite_add_tcase(suite, all);
    return check_main(suite);
}
