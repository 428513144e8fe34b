/* Places in a frame where debug information has a local for a part of its life. GCC 12 counts them wrong in procedures
 * - that put an argument onto the stack themselves which they were given in a register: the half of a number of 64
 *   bits, or of a struct, whose other half is on the stack. They are as many bytes further up as that takes.
 * - that call a helper to save registers (-msave-restore): they are as many bytes further down as that moves the stack
 *   pointer. Such procedures do not put arguments onto the stack.
 * What arguments are at the procedure's beginning, and locals that are on the stack all the time, it counts right. */
#include <dwarf.h>
#include <string.h>

#include "symbols/code.h"
#include "symbols/values_private.h"

enum { WORD = 4 };

bool es_symbols_stores_into(const es_symbols *symbols, const es_procedure *procedure, int32_t offset, uint32_t size)
{
    const es_store *stores;
    size_t count;
    if (!es_symbols_stores(symbols, procedure, &stores, &count))
        return true;
    for (size_t i = 0; i < count; i++)
        if (stores[i].kind == ES_STORE_FRAME && stores[i].cfa_offset < offset + (int32_t)size &&
            offset < stores[i].cfa_offset + (int32_t)stores[i].size)
            return true;
    return false;
}

static bool takes_more(Dwarf_Die *function) /* "..." */
{
    Dwarf_Die child;
    if (dwarf_child(function, &child) != 0)
        return false;
    do {
        if (dwarf_tag(&child) == DW_TAG_unspecified_parameters)
            return true;
    } while (dwarf_siblingof(&child, &child) == 0);
    return false;
}

/* What a procedure puts onto the stack of an argument that it was given in a register: that is above what it saves, as
 * are those of `...`, which GCC counts right. */
static int32_t own_arguments(const es_symbols *symbols, const symbols_procedure *procedure, Dwarf_Die *function)
{
    int32_t top = es_symbols_saved_top(symbols, &procedure->public);
    return top < -WORD && !takes_more(function) ? -WORD - top : 0;
}

/* How far a helper to which the procedure leaves the saving of registers moves the stack pointer. 0: there is none. */
static int32_t moved_by_helper(const es_symbols *symbols, const symbols_procedure *procedure)
{
    symbols_procedure *own = (symbols_procedure *)procedure; /* it is symbols' own: they look when asked */
    es_insn insn;
    for (uint32_t at = own->public.low;
         !own->helper_known && at < own->public.high && es_symbols_insn(symbols, at, &insn) && insn.size;
         at += insn.size) {
        unsigned reg = symbols->isa->stack, now = reg;
        int32_t before = 0, after = 0;
        uint32_t end;
        if (es_isa_calls_helper(symbols->isa, insn) && es_symbols_cfa_at(symbols, at, &reg, &before, &end) &&
            es_symbols_cfa_at(symbols, at + insn.size, &now, &after, &end) && reg == symbols->isa->stack &&
            now == reg && after > before) {
            own->helper_moves = after - before;
            break;
        }
    }
    own->helper_known = true;
    return own->helper_moves;
}

static bool counts_from_cfa(Dwarf_Die *function)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *base;
    size_t count;
    return function && dwarf_attr_integrate(function, DW_AT_frame_base, &attribute) &&
           dwarf_getlocation(&attribute, &base, &count) == 0 && count == 1 && base[0].atom == DW_OP_call_frame_cfa;
}

/* An instruction of the procedure's stores the register there. */
static bool is_put(const es_symbols *symbols, const es_procedure *procedure, int64_t offset, unsigned reg)
{
    const es_store *stores;
    size_t count;
    es_insn insn;
    for (size_t i = es_symbols_stores(symbols, procedure, &stores, &count) ? count : 0; i-- > 0;)
        if (stores[i].kind == ES_STORE_FRAME && stores[i].cfa_offset == offset &&
            es_symbols_insn(symbols, stores[i].site, &insn) && insn.kind == ES_INSN_STORE && insn.rs2 == reg)
            return true;
    return false;
}

/* It is the place of something, or of a word of it, and no part of a sum. */
static bool is_place(const Dwarf_Op *ops, size_t at, size_t count)
{
    return at + 1 == count || ops[at + 1].atom == DW_OP_deref || ops[at + 1].atom == DW_OP_deref_size ||
           ops[at + 1].atom == DW_OP_piece;
}

/* Where the place is, with `shift` bytes of own arguments. reg: in which the local was before. 0: nothing is stored
 * there. */
static int64_t right(const es_symbols *symbols, const es_procedure *procedure, int64_t offset, int32_t shift,
                     unsigned reg)
{
    if (offset >= -shift)
        shift = 0;
    bool told = es_symbols_stores_into(symbols, procedure, (int32_t)offset, WORD);
    bool shifted = es_symbols_stores_into(symbols, procedure, (int32_t)offset + shift, WORD);
    if (told && shifted && is_put(symbols, procedure, offset, reg) && !is_put(symbols, procedure, offset + shift, reg))
        shifted = false;
    return shifted ? offset + shift : told ? offset : 0;
}

bool es_symbols_right_slots(es_symbols *symbols, const symbols_procedure *procedure, Dwarf_Die *function, unsigned reg,
                            Dwarf_Op **ops, size_t count)
{
    Dwarf_Op *righted = NULL;
    int32_t shift = 0, moved = moved_by_helper(symbols, procedure);
    for (size_t i = 0; i < count; i++) {
        int64_t offset = (int64_t)(*ops)[i].number;
        bool place = is_place(*ops, i, count);
        if (moved && (*ops)[i].atom == DW_OP_breg0 + symbols->isa->stack)
            return false;
        if ((*ops)[i].atom != DW_OP_fbreg || offset < INT32_MIN || !counts_from_cfa(function))
            continue;
        if (offset >= 0 && (place || !moved)) {
            if (moved && offset >= moved)
                return false; /* it may be what the caller has put further down */
            continue;
        }
        if (!righted) {
            shift = moved ? 0 : own_arguments(symbols, procedure, function);
            righted = es_arena_alloc(symbols->arena, count * sizeof *righted);
            memcpy(righted, *ops, count * sizeof *righted);
        }
        offset -= moved;
        if (place || !moved)
            offset = right(symbols, &procedure->public, offset, shift, reg);
        if (!offset)
            return false;
        righted[i].number = (Dwarf_Word)offset;
    }
    *ops = righted ? righted : *ops;
    return true;
}
