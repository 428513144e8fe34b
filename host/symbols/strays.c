/* What code leads to that is not followed: moved parts of procedures ("f.cold"), procedures that are too large, what
 * lies between them. Nothing is known of it but where its direct jumps go. Also what procedures' stores do, which is
 * certain only where no such jump leads.
 */
#include "symbols/internal.h"

void es_symbols_note_trap(es_symbols *symbols, es_insn insn)
{
    bool installs = insn.kind == ES_INSN_CONTROL && insn.writes && insn.control == ES_CONTROL_HANDLER;
    if (insn.kind == ES_INSN_TRAP_RETURN || installs)
        symbols->traps = true;
    symbols->untold |= insn.untold;
}

void es_symbols_note_stray(const es_symbols *symbols, uint32_t target)
{
    const es_procedure *procedure = es_symbols_procedure_at(symbols, target);
    if (procedure)
        ((symbols_procedure *)procedure)->entered_inside = true;
}

/* One instruction of code that is not followed; `before` is the one before it in memory. */
static void note_insn(es_symbols *symbols, uint32_t pc, es_insn insn, es_insn before)
{
    const es_isa *isa = symbols->isa;
    es_ways ways = es_insn_ways(insn, pc);
    es_symbols_note_trap(symbols, insn);
    bool moved = es_insn_copies(insn) && insn.rs1 != insn.rd && insn.rs1 != isa->frame;
    bool loaded = insn.kind == ES_INSN_LOAD && insn.bytes == 4;
    if (insn.rd && insn.rd == isa->stack && (moved || loaded))
        SYMBOLS_PUSH(symbols, &symbols->switches, (symbols_switch){.address = pc});
    if (ways.jumps || ways.calls)
        es_symbols_note_stray(symbols, ways.target);
    bool far = before.kind == ES_INSN_ADDRESS || before.kind == ES_INSN_CONSTANT;
    if (ways.computed && far && insn.rs1 == before.rd)
        es_symbols_note_stray(symbols, (uint32_t)before.imm + (uint32_t)insn.imm +
                                           (before.kind == ES_INSN_ADDRESS ? pc - before.size : 0));
}

void es_symbols_find_strays(es_symbols *symbols)
{
    const es_isa *isa = symbols->isa;
    for (size_t i = 0; i < symbols->loads.count; i++) {
        const symbols_load *load = &symbols->loads.items[i];
        es_insn before = {.kind = ES_INSN_ILLEGAL};
        es_insn insn;
        if (!load->executable)
            continue;
        for (uint32_t step, at = -load->address % isa->smallest; at < load->size; at += step) {
            uint32_t pc = load->address + at;
            step = isa->smallest;
            const es_procedure *own = es_symbols_procedure_at(symbols, pc);
            if (own && pc >= own->low && pc < own->high && ((const symbols_procedure *)own)->looked_at) {
                before.kind = ES_INSN_ILLEGAL;
                continue;
            }
            if (!es_symbols_insn(symbols, pc, &insn))
                continue;
            step = insn.size;
            note_insn(symbols, pc, insn, before);
            before = insn;
        }
    }
}

bool es_symbols_stores(const es_symbols *symbols, const es_procedure *procedure, const es_store **stores, size_t *count)
{
    const symbols_procedure *own = (const symbols_procedure *)procedure;
    *stores = own->store_count ? symbols->stores.items + own->first_store : NULL;
    *count = own->store_count;
    return own->followed && !own->entered_inside;
}

const char *es_symbols_untold(const es_symbols *symbols)
{
    return symbols->untold ? symbols->isa->untold : NULL;
}

bool es_symbols_traps(const es_symbols *symbols)
{
    return symbols->traps;
}
