/* What tokens say is to be done between two instructions: memory that others have changed, interrupts, restarts. */
#include <inttypes.h>
#include <string.h>

#include "replay/inputs.h"
#include "replay/run.h"

#define MSTATUS 0x300u
#define MIE 0x304u
#define MTVEC 0x305u
#define INTERRUPT 0x80000000u

static bool in_vector(const es_replay_vector *vector, uint32_t address)
{
    return vector->used && !((address ^ vector->value) & vector->mask);
}

/* --- memory --------------------------------------------------------------------------------- */

typedef struct accesses {
    es_machine_access seen[4];
    unsigned count; /* fetches and reads */
} accesses;

static void note(void *context, const es_machine_access *access)
{
    accesses *a = context;
    if (access->kind != ES_KIND_WRITE && a->count < sizeof a->seen / sizeof *a->seen)
        a->seen[a->count++] = *access;
}

/* Where a read of the next instruction goes: it is executed, and taken back. */
static bool find_read(es_execution *run, unsigned number, es_machine_access *access)
{
    es_machine_snapshot *before = es_machine_save(run->machine);
    es_execution_state state = run->state;
    accesses all = {.count = 0};
    es_machine_listener listener = {.access = note, .context = &all}, own;
    bool listens = es_machine_listens(run->machine, &own);
    run->dry = true;
    es_machine_listen(run->machine, &listener);
    es_machine_run(run->machine, es_machine_fetches(run->machine) + 1);
    es_machine_listen(run->machine, listens ? &own : NULL);
    run->dry = false;
    es_machine_restore(run->machine, before);
    es_machine_snapshot_free(before);
    es_execution_place(run, &state);
    if (number >= all.count)
        return false;
    *access = all.seen[number];
    return true;
}

/* An instruction that begins in the middle of a word has its first half in the upper lanes, and what comes after it in
 * the lower ones. */
static void poke_fetch(es_execution *run, uint32_t word)
{
    uint32_t pc = es_machine_pc(run->machine);
    uint32_t insn = pc & 2 ? word >> 16 | word << 16 : word;
    uint8_t bytes[4] = {(uint8_t)insn, (uint8_t)(insn >> 8), (uint8_t)(insn >> 16), (uint8_t)(insn >> 24)};
    uint32_t size = (pc & 2) && (insn & 3) != 3 ? 2 : 4;
    if (run->poked)
        run->poked(run->context, pc & ~3u, word, pc & 2 ? 0xC : 0xF);
    es_machine_poke(run->machine, pc, bytes, NULL, size);
}

static void poke_read(es_execution *run, const es_machine_access *access, uint32_t word)
{
    if (run->poked)
        run->poked(run->context, access->address, word, access->lanes);
    for (unsigned lane = 0; lane < 4; lane++) {
        uint8_t byte = (uint8_t)(word >> 8 * lane);
        if (access->lanes >> lane & 1)
            es_machine_poke(run->machine, access->address + lane, &byte, NULL, 1);
    }
}

static enum es_execution_end memory(es_execution *run, const es_stream_token *token)
{
    es_machine_access access;
    if (token->detail == 0) {
        poke_fetch(run, token->value);
    } else {
        if (!find_read(run, token->detail, &access))
            return es_execution_wrong(run, "the stream has the word of read %u of an instruction that has no such read",
                                      token->detail);
        poke_read(run, &access, token->value);
    }
    run->state.cursor++;
    return ES_EXECUTED_UNTIL;
}

/* --- interrupts ----------------------------------------------------------------------------- */

static uint32_t enabled_interrupts(es_execution *run)
{
    uint32_t enabled = 0, unknown = 0, all = es_execution_interrupts(run);
    es_machine_control(run->machine, MIE, &enabled, &unknown);
    enabled = (enabled | unknown) & all;
    return enabled ? enabled : all & 0xFFFu;
}

/* Causes of an interrupt at a time: those whose timer is due first, those whose timer is not last; in the order of the
 * privileged specification. Where several can be, the first alternative is that it is not known. */
static void cause_alternatives(es_execution *run, uint64_t time, bool perhaps_none, es_alternatives *a)
{
    static const uint8_t first[] = {11, 3, 7};
    uint32_t left = enabled_interrupts(run), every = UINT32_MAX, any = 0;
    uint32_t mtvec = 0, mtvec_unknown = 0;
    uint8_t causes[32];
    unsigned count = 0;
    for (unsigned i = 0; i < sizeof first; i++)
        if (left >> first[i] & 1) {
            causes[count++] = first[i];
            left &= ~(1u << first[i]);
        }
    for (unsigned i = 0; i < 32; i++)
        if (left >> i & 1)
            causes[count++] = (uint8_t)i;
    if (perhaps_none)
        a->count = 1; /* value 0 */
    es_machine_control(run->machine, MTVEC, &mtvec, &mtvec_unknown);
    unsigned unsure = a->count;
    if (count > 1 && !(mtvec & 1) && !perhaps_none)
        a->count++;
    unsigned first_of = perhaps_none ? ES_CHOICES_MAX : a->count; /* what is most likely, if there was an interrupt */
    for (int due = 1; due >= -1; due--)
        for (unsigned i = 0; i < count; i++) {
            int is = es_execution_timer_due(run, causes[i], time);
            if ((is == 1 ? 1 : is == -1 ? 0 : -1) != due)
                continue;
            every &= INTERRUPT | causes[i];
            any |= INTERRUPT | causes[i];
            if (a->count < ES_CHOICES_MAX) {
                a->cost[a->count] = a->count == first_of ? 0 : due < 0 ? 4 * ES_COST_POSSIBLE : ES_COST_POSSIBLE;
                a->value[a->count++] = INTERRUPT | causes[i];
            }
        }
    if (count > 1 && !(mtvec & 1) && !perhaps_none) {
        a->value[unsure] = every;
        a->unknown[unsure] = any & ~every;
    }
}

/* The next instruction raises an exception, and nobody tells of its fetch: it is executed, and taken back. */
static bool excepts(es_execution *run)
{
    if (!es_processor_of(run->program->machine.processor)->silent)
        return false;
    es_machine_snapshot *before = es_machine_save(run->machine);
    es_execution_state state = run->state;
    es_machine_listener own;
    bool listens = es_machine_listens(run->machine, &own);
    uint64_t fetches = es_machine_fetches(run->machine);
    run->dry = true;
    es_machine_listen(run->machine, NULL);
    bool does = es_machine_once(run->machine) == ES_MACHINE_UNTIL && es_machine_fetches(run->machine) == fetches;
    run->dry = false;
    es_machine_restore(run->machine, before);
    es_machine_listen(run->machine, listens ? &own : NULL);
    es_machine_snapshot_free(before);
    es_execution_place(run, &state);
    return does;
}

static enum es_execution_end interrupt(es_execution *run, const es_stream_token *token)
{
    es_alternatives a = {.kind = ES_CHOICE_CAUSE};
    bool is_there = in_vector(&run->program->traps, es_machine_pc(run->machine)), exception = !is_there && excepts(run);
    cause_alternatives(run, token->time, is_there || exception, &a);
    es_choice choice = run->choose(run->context, &a, token->fetches);
    if (choice.value && !es_machine_interrupt(run->machine, choice.value, choice.unknown))
        return es_execution_wrong(run, "an interrupt came, and where its handler is (mtvec) is not known");
    if (!choice.value && exception)
        es_machine_once(run->machine);
    run->state.cursor++;
    if (!in_vector(&run->program->traps, es_machine_pc(run->machine)))
        return es_execution_wrong(run,
                                  "an interrupt led to 0x%08" PRIx32 ", and not to the handler that the recorder knows",
                                  es_machine_pc(run->machine));
    return ES_EXECUTED_UNTIL;
}

/* --- restarts ------------------------------------------------------------------------------- */

static void restart(es_execution *run, uint64_t time)
{
    static const unsigned cleared[] = {MSTATUS, MIE, 0x342 /* mcause */};
    static const unsigned of_reference[] = {MTVEC, 0x340, 0x341};
    const es_machine_options *options = &run->program->machine;
    es_machine_registers registers = {.pc = options->reset_pc};
    for (unsigned i = 1; i < 32 && !options->known_at_reset; i++)
        registers.x_unknown[i] = UINT32_MAX;
    for (unsigned i = 0; i < 32 && !options->known_at_reset; i++)
        registers.f_unknown[i] = UINT64_MAX;
    es_machine_set(run->machine, &registers);
    for (unsigned i = 0; i < sizeof cleared / sizeof *cleared; i++)
        es_machine_set_control(run->machine, cleared[i], 0, 0);
    for (unsigned i = 0; i < sizeof of_reference / sizeof *of_reference && options->processor == ES_PROCESSOR_REFERENCE;
         i++)
        es_machine_set_control(run->machine, of_reference[i], 0, 0);
    for (size_t i = 0; i < ES_REPLAY_TIMERS; i++)
        run->state.compare[i] = UINT64_MAX;
    run->state.reset_time = time;
    if (run->restarted)
        run->restarted(run->context);
}

static enum es_execution_end reset(es_execution *run, const es_stream_token *token)
{
    es_alternatives a = {.kind = ES_CHOICE_RESTART, .count = 1, .value = {1}};
    if (token->fetches == 0) {
        run->state.reset_time = token->time;
    } else {
        if (es_machine_pc(run->machine) == run->program->machine.reset_pc) {
            a.count = 2;
            a.value[0] = 0;
            a.value[1] = 1;
            a.cost[1] = ES_COST_POSSIBLE;
        }
        if (run->choose(run->context, &a, token->fetches).value)
            restart(run, token->time);
    }
    run->state.cursor++;
    return ES_EXECUTED_UNTIL;
}

/* --- all of them ---------------------------------------------------------------------------- */

/* The CLOCK of an instruction that raised an exception instead of reading the register. */
static bool is_stale_clock(es_execution *run, const es_stream_token *token)
{
    const es_stream_token *first = &run->tokens[run->state.cursor];
    return !run->state.left && first + 1 == token && first->kind == ES_TOKEN_CLOCK && token->kind == ES_TOKEN_VECTOR &&
           token->detail == 0 && in_vector(&run->program->traps, es_machine_pc(run->machine));
}

enum es_execution_end es_execution_settle(es_execution *run)
{
    const es_stream_token *token;
    enum es_execution_end end = ES_EXECUTED_UNTIL;
    while (end == ES_EXECUTED_UNTIL && (token = es_execution_counted(run)) &&
           token->fetches <= es_machine_fetches(run->machine)) {
        if (token->fetches < es_machine_fetches(run->machine))
            return es_execution_wrong(run, "the stream tells of instruction %" PRIu64 " too late", token->fetches);
        if (is_stale_clock(run, token))
            run->state.cursor++;
        if (run->state.left || token != &run->tokens[run->state.cursor])
            return es_execution_wrong(run, "inputs are left over");
        end = token->kind == ES_TOKEN_MEMORY ? memory(run, token)
              : token->detail == 0           ? interrupt(run, token)
                                             : reset(run, token);
    }
    return end;
}
