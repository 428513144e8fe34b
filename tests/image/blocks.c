#include "blocks.h"

#include <stdio.h>
#include <string.h>

#include "check_main.h"
#include "probe_defs.h"
#include "trees.h"

es_procedure procedures[PROCEDURES_MAX];
int frames[PROCEDURES_MAX];
es_call_site sites[8 * PROCEDURES_MAX];
es_symbols symbols;
es_probe_limits limits;
es_program program;
es_image image;
es_error err;
static const es_procedure *list[PROCEDURES_MAX];

void setup(void)
{
    symbols = (es_symbols){.procedures = list, .sites = sites, .frame_sizes = frames, .stack_top = 0x40000};
    limits = (es_probe_limits){.memory_size = ES_MEM_SIZE, .window_size = 0x80000, .bus_hz = 10000000};
    memset(&program, 0, sizeof program);
}

void add_procedures(size_t count)
{
    static char names[PROCEDURES_MAX][24];
    for (size_t i = 0; i < count; i++) {
        snprintf(names[i], sizeof names[i], "p%zu", i);
        procedures[i] =
            (es_procedure){.name = names[i], .low = (uint32_t)i * 0x100, .high = (uint32_t)i * 0x100 + 0x100};
        list[i] = &procedures[i];
        frames[i] = 16;
    }
    symbols.procedure_count = count;
}

void add_call(size_t caller, int callee, bool tail)
{
    static uint32_t slot[PROCEDURES_MAX];
    if (symbols.site_count == 0)
        memset(slot, 0, sizeof slot);
    sites[symbols.site_count++] = (es_call_site){procedures[caller].low + 4 * ++slot[caller], 4, &procedures[caller],
                                                 callee < 0 ? NULL : &procedures[callee], tail};
}

void watch_local(size_t procedure)
{
    es_reference local = tree_local(&tree_int, &procedures[procedure], -4);
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(0)), &local, 1, 1);
}

bool build(void)
{
    return es_image_build(&symbols, &program, &limits, &image, &err);
}

void refused(const char *part)
{
    ck_assert(!build());
    ck_assert_uint_eq(err.code, ES_USAGE);
    ck_assert_msg(strstr(err.text, part) != NULL, "'%s' is not in: %s", part, err.text);
    ck_assert_ptr_null(image.bytes);
}

const struct es_mi_header *header(void)
{
    return (const struct es_mi_header *)image.bytes;
}
