#include "fake_symbols.h"

#include "base/text.h"
#include "symbols/code.h"
#include "symbols/shadows.h"
#include "symbols/values.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const es_type t_int = {.kind = ES_TYPE_INT, .name = "int", .size = 4, .is_signed = true};
static const es_type t_uint = {.kind = ES_TYPE_INT, .name = "unsigned int", .size = 4};
static const es_type t_byte = {.kind = ES_TYPE_INT, .name = "uint8_t", .size = 1};
static const es_type t_short = {.kind = ES_TYPE_INT, .name = "short int", .size = 2, .is_signed = true};
static const es_type t_u64 = {.kind = ES_TYPE_INT, .name = "uint64_t", .size = 8};
static const es_type t_char = {.kind = ES_TYPE_CHAR, .name = "char", .size = 1};
static const es_type t_bool = {.kind = ES_TYPE_BOOL, .name = "_Bool", .size = 1};
static const es_type t_float = {.kind = ES_TYPE_FLOAT, .name = "float", .size = 4, .is_signed = true};
static const es_type t_double = {.kind = ES_TYPE_FLOAT, .name = "double", .size = 8, .is_signed = true};
static const es_type t_long_double = {.kind = ES_TYPE_FLOAT, .name = "long double", .size = 16, .is_signed = true};
static const es_type t_void_fn = {.kind = ES_TYPE_OTHER, .name = "void (void)"};
static const es_enumerator modes[] = {{"IDLE", 0}, {"ARMED", 1}, {"ALARM", 7}, {"LOW", -2}};
static const es_enumerator wides[] = {{"BIG", 0x80000000u}, {"HUGE", INT64_C(0x100000000)}};
static const es_type t_mode = {.kind = ES_TYPE_ENUM,
                               .name = "enum mode",
                               .size = 4,
                               .is_signed = true,
                               .enumerators = modes,
                               .enumerator_count = COUNT(modes)};
static const es_type t_wide = {
    .kind = ES_TYPE_ENUM, .name = "enum wide", .size = 4, .enumerators = wides, .enumerator_count = COUNT(wides)};
static const es_type t_row = {.kind = ES_TYPE_ARRAY, .name = "int[4]", .size = 16, .of = &t_int, .count = 4};
static const es_type t_letters = {.kind = ES_TYPE_ARRAY, .name = "char[4]", .size = 4, .of = &t_char, .count = 4};
static const es_type t_grid = {.kind = ES_TYPE_ARRAY, .name = "int[3][4]", .size = 48, .of = &t_row, .count = 3};
static const es_type t_open = {.kind = ES_TYPE_ARRAY, .name = "int[]", .of = &t_int};
static const es_member range_members[] = {{"lo", &t_short, 0, 0, 0}, {"hi", &t_short, 2, 0, 0}};
static const es_type t_range = {
    .kind = ES_TYPE_STRUCT, .size = 4, .members = range_members, .member_count = COUNT(range_members)};
static const es_member plant_members[] = {
    {"temp", &t_int, 0, 0, 0}, {NULL, &t_range, 4, 0, 0},   {"a", &t_uint, 8, 0, 3},      {"b", &t_uint, 8, 3, 7},
    {"c", &t_uint, 8, 10, 22}, {"array", &t_row, 12, 0, 0}, {"word", &t_uint, 28, 0, 32},
};
static const es_type t_plant = {.kind = ES_TYPE_STRUCT,
                                .name = "struct plant",
                                .size = 32,
                                .members = plant_members,
                                .member_count = COUNT(plant_members)};
static const es_type t_plant_p = {.kind = ES_TYPE_POINTER, .name = "struct plant *", .size = 4, .of = &t_plant};
static const es_member packed_members[] = {
    {"c", &t_char, 0, 0, 0},    {"i", &t_int, 1, 0, 0},      {"s", &t_short, 5, 0, 0},  {"f", &t_uint, 7, 4, 9},
    {"s2", &t_short, 10, 0, 0}, {"wide", &t_u64, 16, 3, 63}, {"w40", &t_u64, 24, 4, 40}};
static const es_type t_packed = {.kind = ES_TYPE_STRUCT,
                                 .name = "struct <unnamed>",
                                 .size = 32,
                                 .members = packed_members,
                                 .member_count = COUNT(packed_members)};

static const es_type t_plant_pp = {.kind = ES_TYPE_POINTER, .name = "struct plant **", .size = 4, .of = &t_plant_p};
static const es_type t_node;
static const es_type t_node_p = {.kind = ES_TYPE_POINTER, .name = "struct node *", .size = 4, .of = &t_node};
static const es_member node_members[] = {
    {"next", &t_node_p, 0, 0, 0}, {"value", &t_short, 4, 0, 0}, {"row", &t_row, 8, 0, 0}};
static const es_type t_node = {.kind = ES_TYPE_STRUCT,
                               .name = "struct node",
                               .size = 24,
                               .members = node_members,
                               .member_count = COUNT(node_members)};
static const es_type t_byte_p = {.kind = ES_TYPE_POINTER, .name = "uint8_t *", .size = 4, .of = &t_byte};
static const es_type t_opaque = {.kind = ES_TYPE_STRUCT, .name = "struct opaque"};
static const es_type t_opaque_p = {.kind = ES_TYPE_POINTER, .name = "struct opaque *", .size = 4, .of = &t_opaque};
static const es_type t_void_p = {.kind = ES_TYPE_POINTER, .name = "void *", .size = 4};

static const es_procedure p_start = {"_start", 0x00, 0x20, false, false, false, false, NULL, 0};
static const es_procedure p_main = {"main", 0x100, 0x140, true, false, false, false, "src/thermostat.c", 50};
static const es_procedure p_clamp = {"clamp", 0x140, 0x180, true, false, false, false, "src/thermostat.c", 20};
static const es_procedure p_control = {"control", 0x180, 0x200, true, false, false, false, "src/thermostat.c", 30};
static const es_procedure p_fact = {"fact", 0x200, 0x240, true, false, false, true, "other.c", 5};
static const es_procedure p_even = {"even", 0x240, 0x280, true, false, false, true, "other.c", 9};
static const es_procedure p_isr = {"uart_isr", 0x280, 0x2C0, true, true, true, false, "isr.c", 3};
static const es_procedure p_same1 = {"a.c\\same", 0x2C0, 0x2D0, true, false, false, false, "a.c", 1};
static const es_procedure p_same2 = {"b.c\\same", 0x2D0, 0x2E0, true, false, false, false, "b.c", 1};
static const es_procedure p_mul = {"__mulsi3", 0x2E0, 0x300, false, false, false, false, NULL, 0};
static const es_procedure p_taken = {"callback1", 0x300, 0x310, true, false, true, false, "src/thermostat.c", 60};
static const es_procedure p_clone1 = {"cloned", 0x310, 0x320, true, false, false, false, "src/thermostat.c", 70};
static const es_procedure p_clone2 = {"cloned", 0x320, 0x330, true, false, false, false, "src/thermostat.c", 70};
static const es_procedure p_flat = {"flat", 0x330, 0x340, true, false, false, false, "src/thermostat.c", 80};
static const es_procedure *const procedures[] = {&p_start, &p_main,   &p_clamp,  &p_control, &p_fact,
                                                 &p_even,  &p_isr,    &p_same1,  &p_same2,   &p_mul,
                                                 &p_taken, &p_clone1, &p_clone2, &p_flat};
static const es_call_site calls[] = {
    {0x10, 4, &p_start, &p_main, false},     {0x110, 4, &p_main, &p_control, false},
    {0x114, 4, &p_main, &p_mul, false},      {0x118, 4, &p_main, &p_clamp, false},
    {0x120, 4, &p_main, &p_fact, false},     {0x128, 4, &p_main, NULL, false},
    {0x130, 4, &p_main, &p_clamp, false},    {0x138, 4, &p_main, &p_same1, true},
    {0x190, 4, &p_control, &p_clamp, false}, {0x210, 4, &p_fact, &p_even, false},
    {0x250, 4, &p_even, &p_fact, false},
};

/* Where the code of each line begins. main's first call by address is its second by line. */
static const struct {
    uint32_t address;
    const char *file;
    unsigned line;
} lines[] = {
    {0x100, "src/thermostat.c", 50},
    {0x10C, "src/thermostat.c", 55},
    {0x118, "src/thermostat.c", 53},
    {0x11C, "src/thermostat.c", 56},
    {0x128, "src/thermostat.c", 57},
    {0x130, "src/thermostat.c", 58},
    {0x13C, "src/thermostat.c", 59},
    {0x140, "src/thermostat.c", 20},
    {0x150, "src/thermostat.c", 22},
    {0x15C, "lib/inline.h", 4},
    {0x160, "src/thermostat.c", 24},
    {0x170, "src/thermostat.c", 22},
    {0x180, "src/thermostat.c", 30},
    {0x18C, "src/thermostat.c", 35},
    {0x200, "other.c", 5},
    {0x240, "lib/other.c", 9},
    {0x2C0, NULL, 0},
    {0x330, "src/thermostat.c", 80},
    {0x340, NULL, 0},
};

#define THERMOSTAT "src/thermostat.c"
#define STATIC(name, type, address) \
    { \
        name, type, NULL, THERMOSTAT, 10, ES_PLACE_STATIC, address, 0, NULL, NULL, NULL \
    }
#define MANY(file) \
    { \
        "many", &t_int, NULL, file, 1, ES_PLACE_STATIC, 0x30000 + 4 * __COUNTER__, 0, NULL, NULL, NULL \
    }
#define LOCAL(name, type, procedure, file, offset, line) \
    { \
        name, type, procedure, file, line, ES_PLACE_FRAME, 0, offset, NULL, NULL, NULL \
    }

static const es_life_span spilled_spans[] = {{0x190, 0x1A0}};
static const es_life spilled_life = {spilled_spans, 1, "thermostat.c:35", "is in register s1 in thermostat.c:33-36",
                                     "compile this file with -O0"};

static const es_variable variables[] = {
    STATIC("temp", &t_int, 0x20000),
    STATIC("level", &t_uint, 0x20004),
    STATIC("mode", &t_mode, 0x20008),
    STATIC("byte_", &t_byte, 0x2000C),
    STATIC("delta16", &t_short, 0x2000E),
    STATIC("key", &t_char, 0x20010),
    STATIC("on", &t_bool, 0x20011),
    STATIC("ratio", &t_float, 0x20014),
    STATIC("precise", &t_double, 0x20018),
    STATIC("ticks", &t_u64, 0x20020),
    STATIC("p", &t_plant_p, 0x20028),
    STATIC("grid", &t_grid, 0x20040),
    STATIC("open_array", &t_open, 0x20070),
    STATIC("plant", &t_plant, 0x20080),
    STATIC("packed", &t_packed, 0x20120),
    STATIC("wide", &t_wide, 0x200B0),
    STATIC("callback", &t_void_fn, 0x200B4),
    STATIC("at", &t_int, 0x200B8),
    STATIC("expect", &t_int, 0x200BC),
    STATIC("state", &t_int, 0x200C0),
    {"state", &t_int, NULL, "other.c", 3, ES_PLACE_STATIC, 0x200C4, 0, NULL, NULL, NULL},
    {"twice", &t_int, NULL, "other.c", 4, ES_PLACE_STATIC, 0x200C8, 0, NULL, NULL, NULL},
    {"twice", &t_int, NULL, "other.c", 4, ES_PLACE_STATIC, 0x200C8, 0, NULL, NULL,
     NULL}, /* described twice, one place */
    {"gone", &t_int, NULL, "other.c", 6, ES_PLACE_NONE, 0, 0, "the compiler removed it: compile with -O0", NULL, NULL},
    LOCAL("lo", &t_int, &p_clamp, THERMOSTAT, -20, 20),
    LOCAL("x", &t_int, &p_clamp, THERMOSTAT, -24, 20),
    LOCAL("both", &t_int, &p_clamp, THERMOSTAT, -28, 21),
    {"calls", &t_int, &p_clamp, "src/thermostat.c", 22, ES_PLACE_STATIC, 0x200D0, 0, NULL, NULL, NULL},
    LOCAL("delta", &t_int, &p_control, THERMOSTAT, -20, 31),
    LOCAL("both", &t_int, &p_control, THERMOSTAT, -24, 32),
    LOCAL("temp", &t_int, &p_control, THERMOSTAT, -28, 33),
    LOCAL("nested", &t_int, &p_control, THERMOSTAT, -32, 34),
    LOCAL("nested", &t_int, &p_control, THERMOSTAT, -36, 38),
    LOCAL("crooked", &t_int, &p_control, THERMOSTAT, -37, 39),
    {"fast", &t_int, &p_control, "src/thermostat.c", 33, ES_PLACE_NONE, 0, 0,
     "is in register a5 in thermostat.c:33-36: compile this file with -O0", NULL, NULL},
    {"spilled", &t_int, &p_control, "src/thermostat.c", 34, ES_PLACE_FRAME, 0, -56, NULL, &spilled_life, NULL},
    LOCAL("pl", &t_plant_p, &p_clamp, THERMOSTAT, -32, 21),
    LOCAL("value", &t_int, &p_taken, THERMOSTAT, -20, 61),
    STATIC("big", &t_long_double, 0x200F8),
    {"lost", &t_int, NULL, "other.c", 7, ES_PLACE_FRAME, 0, -20, NULL, NULL, NULL},
    {"unseen", &t_int, NULL, "other.c", 8, ES_PLACE_NONE, 0, 0, NULL, NULL, NULL},
    {"untyped", NULL, NULL, "other.c", 8, ES_PLACE_STATIC, 0x200FC, 0, NULL, NULL, NULL},
    MANY("1.c"),
    MANY("2.c"),
    MANY("3.c"),
    MANY("4.c"),
    MANY("5.c"),
    MANY("6.c"),
    MANY("7.c"),
    MANY("8.c"),
    MANY("9.c"),
    STATIC("opaque", &t_opaque_p, 0x20100),
    STATIC("letters", &t_letters, 0x20160),
    STATIC("c1", &t_int, 0x20104),
    STATIC("c12", &t_int, 0x20108),
    STATIC("c123", &t_int, 0x2010C),
    STATIC("index", &t_int, 0x200E0),
    STATIC("node", &t_node_p, 0x200E4),
    STATIC("bytes", &t_byte_p, 0x200E8),
    STATIC("anything", &t_void_p, 0x200EC),
    STATIC("pp", &t_plant_pp, 0x200F0),
    LOCAL("n", &t_int, &p_fact, "other.c", -20, 5),
    LOCAL("seen", &t_int, &p_isr, "isr.c", -20, 4),
};

bool fake_without_main;

const es_symbols *fake_symbols(void)
{
    return NULL;
}

size_t es_symbols_find(const es_symbols *symbols, const es_procedure *procedure, const char *name,
                       const es_variable **found, size_t max)
{
    (void)symbols;
    size_t count = 0;
    for (int locals = procedure ? 1 : 0; locals < 2; locals++)
        for (size_t i = 0; i < COUNT(variables); i++) {
            bool fits =
                procedure ? variables[i].procedure == procedure : (variables[i].procedure != NULL) == (locals == 1);
            if (!fits || strcmp(variables[i].name, name) != 0)
                continue;
            if (count < max)
                found[count] = &variables[i];
            count++;
        }
    return count;
}

const es_enumerator *es_symbols_enumerator(const es_symbols *symbols, const char *name, const es_type **type)
{
    (void)symbols;
    const es_type *const types[] = {&t_mode, &t_wide};
    for (size_t t = 0; t < COUNT(types); t++)
        for (size_t i = 0; i < types[t]->enumerator_count; i++)
            if (strcmp(types[t]->enumerators[i].name, name) == 0) {
                *type = types[t];
                return &types[t]->enumerators[i];
            }
    return NULL;
}

size_t es_symbols_procedures(const es_symbols *symbols, const es_procedure *const **all)
{
    (void)symbols;
    *all = procedures;
    return COUNT(procedures);
}

const es_procedure *es_symbols_procedure_named(const es_symbols *symbols, const char *name)
{
    const es_procedure *found[1];
    return es_symbols_procedures_named(symbols, NULL, name, found, 1) ? found[0] : NULL;
}

const es_procedure *es_symbols_procedure_at(const es_symbols *symbols, uint32_t address)
{
    (void)symbols;
    for (size_t i = 0; i < COUNT(procedures); i++)
        if (address >= procedures[i]->low && address < procedures[i]->high)
            return procedures[i];
    return NULL;
}

/* C's names only; that of a static procedure stands after its file's. */
size_t es_symbols_procedures_named(const es_symbols *symbols, const char *file, const char *name,
                                   const es_procedure **found, size_t max)
{
    size_t count = 0;
    (void)symbols;
    for (size_t i = 0; i < COUNT(procedures); i++) {
        const char *own = strrchr(procedures[i]->name, '\\');
        bool named = strcmp(own ? own + 1 : procedures[i]->name, name) == 0 || strcmp(procedures[i]->name, name) == 0;
        bool there = !file || (procedures[i]->file && es_file_matches(procedures[i]->file, file));
        if (!named || !there || (fake_without_main && procedures[i] == &p_main))
            continue;
        if (count++ < max)
            found[count - 1] = procedures[i];
    }
    return count;
}

bool es_symbols_spells(const es_symbols *symbols, const char *text, size_t length)
{
    (void)symbols;
    return length > 5 && strncmp(text, "Ring<", 5) == 0; /* so that the fuzzer comes by C++'s names */
}

enum es_structor es_symbols_structor(const es_symbols *symbols, const es_procedure *procedure)
{
    (void)symbols, (void)procedure;
    return ES_STRUCTOR_NONE;
}

const char *es_symbols_unit(const es_symbols *symbols, const es_procedure *procedure)
{
    (void)symbols;
    return procedure->file;
}

bool es_symbols_same_source(const es_symbols *symbols, const es_procedure *a, const es_procedure *b)
{
    (void)symbols;
    return a->file && b->file && a->line == b->line && strcmp(a->file, b->file) == 0;
}

const char *es_symbols_linkage(const es_symbols *symbols, const es_procedure *procedure)
{
    (void)symbols, (void)procedure;
    return NULL;
}

const char *es_symbols_scoped(const es_symbols *symbols, const es_variable *variable)
{
    (void)symbols, (void)variable;
    return NULL;
}

const es_type *es_symbols_type(const es_symbols *symbols, const char *name, bool *ambiguous)
{
    static const es_type *const types[] = {&t_plant, &t_node, &t_int, &t_byte, &t_u64, &t_mode};
    (void)symbols;
    *ambiguous = strcmp(name, "state_t") == 0;
    for (size_t i = 0; i < COUNT(types); i++)
        if (strcmp(types[i]->name, name) == 0)
            return types[i];
    return NULL;
}

size_t es_symbols_calls(const es_symbols *symbols, const es_call_site **sites)
{
    (void)symbols;
    *sites = calls;
    return COUNT(calls);
}

bool es_symbols_line(const es_symbols *symbols, uint32_t address, const char **file, unsigned *line)
{
    (void)symbols;
    size_t row = COUNT(lines);
    while (row > 0 && lines[row - 1].address > address)
        row--;
    if (row == 0 || !lines[row - 1].file)
        return false;
    *file = lines[row - 1].file;
    *line = lines[row - 1].line;
    return true;
}

bool es_symbols_is_part(const es_procedure *procedure)
{
    (void)procedure;
    return false;
}

bool es_symbols_are_clones(const es_procedure *a, const es_procedure *b)
{
    (void)a, (void)b;
    return false;
}

size_t es_symbols_copies(const es_symbols *symbols, const char *file, const char *name, const es_inlined_copy **copies,
                         size_t max)
{
    (void)symbols, (void)file, (void)name, (void)copies, (void)max;
    return 0;
}

size_t es_symbols_inlined_at(const es_symbols *symbols, uint32_t address, const es_inlined_copy **copies, size_t max)
{
    (void)symbols, (void)address, (void)copies, (void)max;
    return 0;
}

/* All rows begin statements. */
size_t es_symbols_statements(const es_symbols *symbols, const char *file, unsigned line, uint32_t low, uint32_t high,
                             uint32_t *addresses, size_t max)
{
    (void)symbols;
    size_t count = 0;
    for (size_t i = 0; i < COUNT(lines); i++)
        if (lines[i].address >= low && lines[i].address < high && lines[i].line == line && lines[i].file &&
            strcmp(lines[i].file, file) == 0) {
            if (count < max)
                addresses[count] = lines[i].address;
            count++;
        }
    return count;
}

void es_symbols_each_statement(const es_symbols *symbols, uint32_t low, uint32_t high,
                               void (*each)(void *context, const es_begin_row *row), void *context)
{
    (void)symbols;
    for (size_t i = 0; i < COUNT(lines); i++)
        if (lines[i].address >= low && lines[i].address < high && lines[i].file)
            each(context, &(es_begin_row){lines[i].address, lines[i].file, lines[i].line});
}

const char *es_symbols_missing(const es_symbols *symbols, const es_procedure *procedure, const char *file,
                               const char *name)
{
    (void)symbols, (void)procedure, (void)file;
    return strcmp(name, "undescribed") == 0 ? "compile the file that defines it with -g" : NULL;
}

const char *es_symbols_inlined(const es_symbols *symbols, const char *name)
{
    (void)symbols;
    return strcmp(name, "tiny") == 0
               ? "it was inlined into control (src/thermostat.c:35): compile that file with -fno-inline"
               : NULL;
}

/* Names that differ in one letter at most by being longer or other: enough for the messages. */
size_t es_symbols_near(const es_symbols *symbols, const char *name, bool with_procedures, const char **near, size_t max)
{
    (void)symbols;
    size_t count = 0;
    for (size_t i = 0; i < COUNT(variables) && count < max; i++)
        if (strncmp(variables[i].name, name, 3) == 0 && (count == 0 || strcmp(near[count - 1], variables[i].name) != 0))
            near[count++] = variables[i].name;
    for (size_t i = 0; with_procedures && i < COUNT(procedures) && count < max; i++)
        if (strncmp(procedures[i]->name, name, 3) == 0)
            near[count++] = procedures[i]->name;
    return count;
}

bool es_symbols_big_endian(const es_symbols *symbols)
{
    (void)symbols;
    return false;
}

bool es_symbols_stack_top(const es_symbols *symbols, uint32_t *address)
{
    (void)symbols;
    *address = 0x30000;
    return true;
}

bool es_symbols_value(const es_symbols *symbols, const char *name, uint32_t *value)
{
    (void)symbols;
    *value = 0x400;
    return strcmp(name, "__stack_size") == 0;
}

/* Without a replay: what is not in memory has no cells. */
bool es_symbols_uses_shadows(const es_symbols *symbols)
{
    (void)symbols;
    return false;
}

bool es_symbols_in_clones(const es_symbols *symbols, const es_variable *variable)
{
    (void)symbols, (void)variable;
    return false;
}

void es_symbols_name_variable(const es_symbols *symbols, const es_variable *named)
{
    (void)symbols, (void)named;
}

const es_variable *es_symbols_result_shadow(const es_symbols *symbols, const es_procedure *const *returning,
                                            size_t count, const char **why)
{
    (void)symbols, (void)returning, (void)count, (void)why;
    return NULL;
}

const es_variable *es_symbols_copies_shadow(const es_symbols *symbols, const es_inlined_copy *const *copies,
                                            size_t count, enum es_shadow_copies what, const char *text,
                                            const char **why)
{
    (void)symbols, (void)copies, (void)count, (void)what, (void)text, (void)why;
    return NULL;
}

const es_variable *es_symbols_variable_of_copies(const es_symbols *symbols, const es_variable *variable,
                                                 const es_inlined_copy *const *copies, size_t count)
{
    (void)symbols, (void)copies, (void)count;
    return variable;
}

const es_variable *es_symbols_register_shadow(const es_symbols *symbols, const char *name, const char **why)
{
    (void)symbols, (void)name, (void)why;
    return NULL;
}

const es_variable *es_symbols_stack_shadow(const es_symbols *symbols, bool peak, const char **why)
{
    (void)symbols, (void)peak, (void)why;
    return NULL;
}

const char *es_symbols_contradiction(const es_symbols *symbols, const es_variable *variable)
{
    (void)symbols, (void)variable;
    return NULL;
}

size_t es_symbols_inlined_procedures(const es_symbols *symbols, const es_procedure *const **inlined)
{
    (void)symbols, (void)inlined;
    return 0;
}

/* Its code is of instructions of 2 bytes. */
bool es_symbols_insn(const es_symbols *symbols, uint32_t address, es_insn *insn)
{
    (void)symbols;
    *insn = (es_insn){.kind = ES_INSN_OTHER, .size = 2};
    return address % 2 == 0;
}
