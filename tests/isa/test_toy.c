/* Analyses of the target's code over a program in an instruction set that nobody has (toy.h). */
#include <string.h>

#include "check/target/aims.h"
#include "check/target/loops.h"
#include "check_main.h"
#include "isa/flow.h"
#include "symbols/internal.h"
#include "toy.h"

enum { START = 0x100, MAIN = 0x200, COUNT = 0x300, TAIL = 0x400, HANDLER = 0x500, END = 0x600, PLACE = 0x2000 };

static uint8_t code[END];
static uint32_t at;
static es_symbols symbols;
static symbols_procedure procedures[5];

static void put(enum toy_op op, unsigned a, int b, int c)
{
    const uint8_t bytes[] = {(uint8_t)op, (uint8_t)a, (uint8_t)b, (uint8_t)c};
    memcpy(code + at, bytes, sizeof bytes);
    at += 4;
}

static void put_set(unsigned reg, unsigned number)
{
    put(TOY_SET, reg, (int)(number >> 8), (int)(number & 0xFF));
}

static void put_jump(enum toy_op op, uint32_t to)
{
    int words = ((int)to - (int)at) / 4;
    put(op, 0, words >> 8, words & 0xFF);
}

/* main calls count with 5, and keeps an address in a register that callees keep, and one in a register that they need
 * not keep, where RISC-V's do. */
static void put_main(void)
{
    at = MAIN;
    put(TOY_ADD, 14, 14, -16);
    put(TOY_STORE, 9, 14, 12);
    put_set(4, 5);
    put_set(10, PLACE + 4);
    put_set(8, PLACE + 8);
    put_jump(TOY_CALL, COUNT);
    put(TOY_STORE, 4, 14, 8);
    put(TOY_STORE, 4, 10, 0);
    put(TOY_STORE, 4, 8, 0);
    put(TOY_LOAD, 9, 14, 12);
    put(TOY_ADD, 14, 14, 16);
    put(TOY_RETURN, 0, 0, 0);
}

static void put_others(void)
{
    at = START;
    put_set(14, 0x3000);
    put_jump(TOY_CALL, MAIN);
    put_jump(TOY_GO, at);
    at = COUNT; /* up to its argument; then the tail call */
    put_set(7, PLACE);
    put_set(5, 0);
    put(TOY_ADD, 5, 5, 1);
    put(TOY_STORE, 5, 7, 0);
    put(TOY_LESS, 5, 4, -2);
    put_jump(TOY_GO, TAIL);
    at = TAIL; /* a jump to where RISC-V's return addresses are */
    put_set(1, HANDLER);
    put(TOY_SUM, 2, 4, 4);
    put(TOY_RETURN, 0, 0, 0);
    at = HANDLER;
    put(TOY_STORE, 3, 14, -4);
    put(TOY_RESUME, 0, 0, 0);
}

static void add_procedure(symbols_procedure *p, const char *name, uint32_t low, uint32_t high)
{
    *p = (symbols_procedure){.public = {.name = name, .low = low, .high = high}, .index = symbols.procedures.count};
    SYMBOLS_PUSH(&symbols, &symbols.procedures, &p->public);
    SYMBOLS_PUSH(&symbols, &symbols.ranges, (symbols_range){low, high, p});
}

static void start(void)
{
    memset(code, 0, sizeof code);
    symbols = (es_symbols){.arena = es_arena_new(), .isa = &toy, .entry = START, .path = "toy"};
    put_main();
    put_others();
    SYMBOLS_PUSH(&symbols, &symbols.loads, (symbols_load){0, END, code, true});
    SYMBOLS_PUSH(&symbols, &symbols.segments, (es_segment){0, END, code, true, false});
    add_procedure(&procedures[0], "start", START, START + 12);
    add_procedure(&procedures[1], "main", MAIN, MAIN + 48);
    add_procedure(&procedures[2], "count", COUNT, COUNT + 24);
    add_procedure(&procedures[3], "tail", TAIL, TAIL + 12);
    add_procedure(&procedures[4], "handler", HANDLER, HANDLER + 8);
    es_symbols_find_calls(&symbols);
}

static void finish(void)
{
    es_arena_free(symbols.arena);
}

START_TEST(calls_and_frames)
{
    const es_call_site *sites;
    ck_assert_uint_eq(es_symbols_calls(&symbols, &sites), 3);
    ck_assert_str_eq(sites[0].callee->name, "main");
    ck_assert_str_eq(sites[1].caller->name, "main");
    ck_assert_str_eq(sites[1].callee->name, "count");
    ck_assert(!sites[1].is_tail);
    ck_assert_str_eq(sites[2].callee->name, "tail");
    ck_assert(sites[2].is_tail);
    uint32_t bytes;
    ck_assert(es_symbols_frame_size(&symbols, &procedures[1].public, &bytes));
    ck_assert_uint_eq(bytes, 16);
    ck_assert(procedures[4].public.is_interrupt && !procedures[1].public.is_interrupt);
    ck_assert(es_symbols_traps(&symbols));
    es_switch *switches;
    ck_assert_uint_eq(es_symbols_switches(&symbols, symbols.arena, &switches), 0);
}
END_TEST

START_TEST(stores_by_what_callees_keep)
{
    const es_store *stores;
    size_t count;
    ck_assert(es_symbols_stores(&symbols, &procedures[1].public, &stores, &count));
    ck_assert_uint_eq(count, 4);
    ck_assert_int_eq(stores[0].kind, ES_STORE_FRAME);
    ck_assert_int_eq(stores[0].cfa_offset, -4);
    ck_assert_int_eq(stores[1].kind, ES_STORE_FRAME);
    ck_assert_int_eq(stores[1].cfa_offset, -8);
    ck_assert_int_eq(stores[2].kind, ES_STORE_CONSTANT);
    ck_assert_uint_eq(stores[2].address, PLACE + 4);
    ck_assert_int_eq(stores[3].kind, ES_STORE_UNKNOWN);
    const es_store *kept;
    uint32_t end;
    ck_assert_uint_eq(es_symbols_prologue(&symbols, &procedures[1].public, &kept, &end), 1);
    ck_assert_uint_eq(end, MAIN + 20); /* the call */
}
END_TEST

START_TEST(the_program_as_a_graph)
{
    es_check_program program;
    es_check_timing timing = es_check_timing_of_target(0);
    es_check_program_build(&program, symbols.arena, &symbols, &timing);
    ck_assert_ptr_null(program.flaw);
    ck_assert_uint_eq(program.entry, 0);
    size_t kinds[4] = {0};
    for (size_t i = 0; i < program.edge_count; i++)
        kinds[program.edges[i].kind]++;
    ck_assert_uint_eq(kinds[CHECK_EDGE_CALL], 2);
    ck_assert_uint_eq(kinds[CHECK_EDGE_TAIL], 1);
    ck_assert_uint_eq(kinds[CHECK_EDGE_EXIT], 3); /* of main, tail and handler */
    es_check_aims aims;
    es_check_aims_find(&aims, symbols.arena, &program);
    const value *argument = &aims.arguments[2 * ES_CHECK_ARGUMENTS];
    ck_assert_int_eq(argument->kind, VALUE_NUMBER);
    ck_assert_int_eq(argument->low, 5);
    ck_assert_int_eq(argument->high, 5);
    es_check_loops_find(&program, &aims, true);
    ck_assert_uint_eq(program.counted_count, 1); /* the one at the end of start has no bound */
    ck_assert_uint_eq(program.nodes[program.counted[0].head].procedure, 2);
    ck_assert_uint_eq(program.counted[0].rounds, 4); /* comes back after 1 to 4 */
}
END_TEST

/* Depths of a place in the code: the most steps from the first one, at most 9. */
static es_flow depths;

static bool deeper(void *context, size_t place, void *into, const void *from, bool first)
{
    unsigned *depth = into, other = *(const unsigned *)from;
    (void)context, (void)place;
    other = other < 9 ? other : 9;
    if (!first && other <= *depth)
        return false;
    *depth = other;
    return true;
}

static void go_deeper(void *context, size_t place)
{
    es_insn insn = es_isa_decode(&toy, *(const uint32_t *)(const void *)(code + COUNT + 4 * place));
    es_ways ways = es_insn_ways(insn, COUNT + 4 * (uint32_t)place);
    unsigned next = *(const unsigned *)es_flow_state(&depths, place) + 1;
    (void)context;
    if (ways.next && place + 1 < depths.count)
        es_flow_reach(&depths, place + 1, &next);
    if (ways.jumps && ways.target - COUNT < 4 * depths.count)
        es_flow_reach(&depths, (ways.target - COUNT) / 4, &next);
}

START_TEST(a_fixed_point)
{
    for (int order = 0; order < 2; order++) {
        unsigned nothing = 0;
        depths = (es_flow){
            .count = 6, .state_size = sizeof(unsigned), .join = deeper, .follow = go_deeper, .in_order = order};
        es_flow_begin(&depths);
        es_flow_reach(&depths, 0, &nothing);
        es_flow_run(&depths);
        const unsigned expected[] = {0, 1, 9, 9, 9, 9};
        ck_assert_mem_eq(depths.states, expected, sizeof expected);
        es_flow_reset(&depths);
        ck_assert(!depths.reached[0] && *(const unsigned *)es_flow_state(&depths, 3) == 0);
        es_flow_end(&depths);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("toy");
    TCase *all = tcase_create("all");
    tcase_add_checked_fixture(all, start, finish);
    tcase_add_test(all, calls_and_frames);
    tcase_add_test(all, stores_by_what_callees_keep);
    tcase_add_test(all, the_program_as_a_graph);
    tcase_add_test(all, a_fixed_point);
    suite_add_tcase(suite, all);
    return check_main(suite);
}
