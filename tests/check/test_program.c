/* The program graph against real runs: every step of the reference target's retired instructions is an edge of the
 * graph, takes at least the clocks that the graph says, and stores where the graph says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/target/program.h"
#include "check_main.h"
#include "sim.h"

static const char *const programs[] = {
    "examples/thermostat-O0",          "examples/thermostat-Og",
    "examples/thermostat-O2",          "examples/recursion-O0",
    "examples/recursion-O2",           "examples/interrupts-O0",
    "examples/interrupts-Og",          "examples/interrupts-O2",
    "tests/check/plain/thermostat-O2", /* without compressed instructions */
    "tests/check/plain/recursion-O0",  "tests/check/plain/interrupts-O2",
};
enum { PROGRAMS = sizeof programs / sizeof *programs, CODE_HALVES = 0x10000, STACK = 4096, STEPS = 400000 };

typedef struct walk {
    const es_check_program *program;
    size_t *node_of;     /* by half a word's address: node + 1 */
    size_t stack[STACK]; /* nodes that calls come back to */
    struct {
        uint32_t pc;
        size_t from;
    } resume[16]; /* what interrupts came after */
    size_t depth, interrupts;
    es_retired last;
    uint64_t steps, tight;
    bool any;
} walk;

static size_t node_of(const walk *w, uint32_t pc)
{
    return pc / 2 < CODE_HALVES && w->node_of[pc / 2] ? w->node_of[pc / 2] - 1 : CHECK_NONE;
}

static bool is_entry(const walk *w, size_t procedure, size_t node)
{
    return w->program->procedures[procedure].node_count && w->program->procedures[procedure].first_node == node;
}

/* Whether an edge leads from one node to the other; keeps the stack of calls. */
static bool follows(walk *w, size_t from, size_t to)
{
    const es_check_node *node = &w->program->nodes[from];
    for (size_t e = node->first_edge; e < node->first_edge + node->edge_count; e++) {
        const es_check_edge *edge = &w->program->edges[e];
        if (edge->kind == CHECK_EDGE_NEXT && edge->to == to)
            return true;
        if (edge->kind == CHECK_EDGE_CALL && is_entry(w, edge->callee, to)) {
            ck_assert(w->depth < STACK);
            w->stack[w->depth++] = edge->to;
            return true;
        }
        if (edge->kind == CHECK_EDGE_TAIL && is_entry(w, edge->callee, to))
            return true;
        if (edge->kind == CHECK_EDGE_EXIT && w->depth && w->stack[w->depth - 1] == to) {
            w->depth--;
            return true;
        }
    }
    return false;
}

static void check_store(const walk *w, size_t node, const es_retired *r)
{
    const es_store *store = w->program->nodes[node].store;
    ck_assert_msg((store != NULL) == (r->mem_wmask != 0), "0x%08x: a store or none", r->pc);
    if (store && store->kind == ES_STORE_CONSTANT)
        ck_assert_msg((store->address & ~3u) == r->mem_addr, "0x%08x stores to 0x%08x", r->pc, r->mem_addr);
}

static void on_retired(void *context, const es_retired *r)
{
    walk *w = context;
    size_t to = node_of(w, r->pc);
    ck_assert_msg(to != CHECK_NONE, "0x%08x is no node", r->pc);
    if (w->any) {
        const es_retired *l = &w->last;
        size_t from = node_of(w, l->pc);
        const es_check_node *node = &w->program->nodes[from];
        check_store(w, from, l);
        uint64_t took = r->fetch_cycle - l->fetch_cycle;
        ck_assert_msg(took >= node->clocks, "0x%08x took %u clocks, at least %u said", l->pc, (unsigned)took,
                      node->clocks);
        w->tight += took == node->clocks;
        w->steps++;
        if (r->interrupt) {
            ck_assert(w->program->procedures[w->program->nodes[to].procedure].interrupt);
            w->resume[w->interrupts % 16].pc = l->next_pc;
            w->resume[w->interrupts++ % 16].from = from;
        } else if (l->insn == 0x30200073) {
            ck_assert_uint_eq(r->pc, w->resume[--w->interrupts % 16].pc);
            ck_assert(follows(w, w->resume[w->interrupts % 16].from, to));
        } else {
            ck_assert_msg(follows(w, from, to), "no edge from 0x%08x to 0x%08x", l->pc, r->pc);
        }
    }
    w->last = *r;
    w->any = true;
}

START_TEST(real_runs)
{
    char path[256];
    es_error err = {0};
    snprintf(path, sizeof path, "%s/%s.elf", TESTS_BUILD, programs[_i]);
    es_symbols *symbols = es_symbols_open(path, &err);
    ck_assert_msg(symbols != NULL, "%s", err.text);
    es_arena *arena = es_arena_new();
    es_check_timing timing = es_check_timing_of_target(0);
    es_check_program program;
    es_check_program_build(&program, arena, symbols, &timing);
    ck_assert_msg(program.flaw == NULL, "%s", program.flaw);
    static walk w;
    memset(&w, 0, sizeof w);
    w.program = &program;
    w.node_of = calloc(CODE_HALVES, sizeof *w.node_of);
    for (size_t i = 0; i < program.node_count; i++)
        w.node_of[program.nodes[i].address / 2] = i + 1;
    es_sim_config config = {.world = ES_SIM_BARE, .seed = 1, .on_retired = on_retired, .context = &w};
    es_sim *sim = es_sim_new(&config, &err);
    ck_assert_msg(sim != NULL, "%s", err.text);
    const es_segment *segments;
    size_t count = es_symbols_segments(symbols, &segments);
    for (size_t i = 0; i < count; i++)
        ck_assert(es_sim_load(sim, segments[i].address, segments[i].bytes, segments[i].size));
    es_sim_start_target(sim);
    while (w.steps < STEPS && es_sim_step(sim, 10000, 0) == ES_SIM_RUNNING)
        ;
    ck_assert_msg(w.steps > 1000, "%u steps", (unsigned)w.steps);
    ck_assert_msg(w.tight * 100 > w.steps * 99, "%u of %u steps take what is said", (unsigned)w.tight,
                  (unsigned)w.steps);
    es_sim_free(sim);
    free(w.node_of);
    es_arena_free(arena);
    es_symbols_close(symbols);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("program");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 120);
    tcase_add_loop_test(all, real_runs, 0, PROGRAMS);
    suite_add_tcase(suite, all);
    return check_main(suite);
}
