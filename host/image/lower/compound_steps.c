#include "image/lower/compound_steps.h"

#include <string.h>

#include "image/lower/compound.h"
#include "ir/interpret.h"

#define RAM_AT 0x8000u /* anywhere */
#define HIT_AT 0x10000000u
#define RAM_WORDS (4u + 2u * ES_COMPOUND_TIMES_MAX)
#define INSNS_MAX 100000u /* in one run: the code has no loops */

typedef struct step_code {
    es_ir_code code;
} step_code;

/* What lies around the code while it runs. */
typedef struct world {
    uint32_t ram[RAM_WORDS];
    uint64_t now;
} world;

static uint32_t *word_at(world *w, uint32_t address)
{
    static uint32_t none;
    none = 0;
    uint32_t index = (address - RAM_AT) / 4;
    return index < RAM_WORDS ? &w->ram[index] : &none;
}

static uint32_t load(void *context, uint32_t address, unsigned bytes)
{
    world *w = context;
    (void)bytes;
    if (address == HIT_AT + ES_REG_HIT_TIME)
        return (uint32_t)w->now;
    if (address == HIT_AT + ES_REG_TIME_HIGH)
        return (uint32_t)(w->now >> 32);
    return *word_at(w, address);
}

static void store(void *context, uint32_t address, unsigned bytes, uint32_t value)
{
    (void)bytes;
    *word_at(context, address) = value;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): as es_ir_world has it */
static void call(void *context, const es_ir_insn *insn, uint32_t registers[ES_IR_VIRTUAL])
{
    (void)context, (void)insn, (void)registers; /* it calls nothing */
}

/* Flags that an event alone sets and asks for. */
static uint32_t passing(const compound_node *node)
{
    if (node->kind == ES_EVENT_WHEN)
        return 0;
    uint32_t own = node->kind == ES_EVENT_AND ? node->flag << 2 : node->kind == ES_EVENT_OR ? node->flag * 3 : 0;
    return own | passing(node->first) | passing(node->second);
}

static void find_limits(es_compound_steps *steps, const compound_node *node)
{
    if (node->kind == ES_EVENT_WHEN)
        return;
    find_limits(steps, node->first);
    find_limits(steps, node->second);
    if (!node->within)
        return;
    steps->limited++;
    steps->within = node->within;
}

bool es_compound_steps_begin(es_compound_steps *steps, const es_statement *statement, uint64_t bus_hz, es_error *err)
{
    *steps = (es_compound_steps){.arena = es_arena_new()};
    const es_program program = {.statements = (es_statement *)statement, .statement_count = 1};
    plan_statement *planned = es_arena_alloc(steps->arena, sizeof *planned);
    planned->statement = statement;
    image_plan *plan = es_arena_alloc(steps->arena, sizeof *plan);
    plan->arena = steps->arena;
    plan->program = &program;
    plan->statements = planned;
    if (!es_compound_plan(plan, planned, bus_hz, err))
        return false;
    uint32_t end = es_compound_place(plan, 0);
    compound_event *event = planned->compound;
    steps->times = (end - (event->deadlines ? COMPOUND_EVENT_BACK + 4 : COMPOUND_BEGAN + 8)) / 8;
    if (event->deadlines || steps->times > ES_COMPOUND_TIMES_MAX)
        return es_fail(err, ES_USAGE,
                       "%s:%u: %s has parts with `for`, or too many of them: what it has seen cannot be followed",
                       statement->source.file, statement->source.line, statement->name);
    steps->event = event;
    steps->kept = event->root->flags & ~passing(event->root);
    find_limits(steps, event->root);
    steps->code = es_arena_alloc(steps->arena, sizeof *steps->code);
    es_ir_code *code = &steps->code->code;
    generator g = {.plan = plan, .statement = planned, .code = code};
    es_ir_begin(code, 0);
    code->ram_at = RAM_AT;
    unsigned no = es_ir_label(code);
    es_compound_step(&g, no);
    es_ir_const(code, ES_IR_A0, 1);
    es_ir_return(code, ES_IR_RA, ES_IR_SET(ES_IR_A0));
    es_ir_here(code, no);
    es_ir_const(code, ES_IR_A0, 0);
    es_ir_return(code, ES_IR_RA, ES_IR_SET(ES_IR_A0));
    plan->program = NULL;
    return true;
}

void es_compound_steps_end(es_compound_steps *steps)
{
    if (steps->code)
        es_ir_free(&steps->code->code);
    es_arena_free(steps->arena);
    *steps = (es_compound_steps){0};
}

bool es_compound_steps_run(const es_compound_steps *steps, es_compound_state *state, uint32_t seen, uint64_t now)
{
    world w = {.now = now};
    uint32_t at = steps->event->state, first = (at + COMPOUND_BEGAN + 8) / 4, registers[ES_IR_VIRTUAL] = {0};
    *word_at(&w, RAM_AT + at + COMPOUND_FLAGS) = state->flags;
    *word_at(&w, RAM_AT + at + COMPOUND_SEEN) = seen;
    for (uint32_t i = 0; i < steps->times; i++) {
        w.ram[first + 2 * i] = (uint32_t)state->began[i];
        w.ram[first + 2 * i + 1] = (uint32_t)(state->began[i] >> 32);
    }
    registers[ES_IR_HIT] = HIT_AT;
    registers[ES_IR_RA] = ES_IR_LINKS - 4;
    const es_ir_world around = {&w, load, store, call};
    (void)es_ir_interpret(&steps->code->code, ES_IR_FIRST, &around, registers, INSNS_MAX);
    state->flags = *word_at(&w, RAM_AT + at + COMPOUND_FLAGS) & steps->kept;
    for (uint32_t i = 0; i < steps->times; i++)
        state->began[i] = w.ram[first + 2 * i] | (uint64_t)w.ram[first + 2 * i + 1] << 32;
    return registers[ES_IR_A0] != 0;
}
