#include "replayed/stack.h"

#include <string.h>

#include "base/endian.h"
#include "symbols/unwind.h"

typedef struct memory {
    const es_machine *machine;
    bool big_endian;
} memory;

static bool read_word(void *context, uint32_t address, uint32_t *word)
{
    const memory *m = context;
    uint8_t bytes[4], unknown[4];
    if (address % 4 || !es_machine_peek(m->machine, address, bytes, unknown, 4) ||
        (unknown[0] | unknown[1] | unknown[2] | unknown[3]))
        return false;
    *word = (uint32_t)es_endian_get(bytes, 4, m->big_endian);
    return true;
}

/* The call that returns to an address; NULL: none does, or more than one could. */
static const es_call_site *call_before(const es_symbols *symbols, uint32_t address)
{
    const es_call_site *sites, *found = NULL;
    size_t first = 0, end = es_symbols_calls(symbols, &sites), count = end;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (sites[middle].site + 4 < address)
            first = middle + 1;
        else
            end = middle;
    }
    for (; first < count && sites[first].site < address; first++)
        if (!sites[first].is_tail && sites[first].site + sites[first].size == address)
            found = &sites[first];
    return found;
}

bool es_replayed_stack(const es_symbols *symbols, const es_machine *machine, es_called *calls, size_t max,
                       size_t *count)
{
    es_machine_registers registers;
    es_unwind_frame frame = {.called = false};
    memory m = {machine, es_symbols_big_endian(symbols)};
    const es_procedure *root = es_symbols_procedure_at(symbols, es_symbols_entry(symbols));
    es_machine_get(machine, &registers);
    frame.pc = registers.pc;
    memcpy(frame.x, registers.x, sizeof frame.x);
    for (unsigned i = 0; i < 32; i++)
        frame.known |= (uint32_t)!registers.x_unknown[i] << i;
    size_t depth = 0;
    const es_procedure *procedure = es_symbols_procedure_at(symbols, frame.pc);
    while (procedure && procedure != root) {
        if (depth == max || procedure->is_interrupt || !es_symbols_unwind(symbols, &frame, read_word, &m))
            return false;
        const es_call_site *call = call_before(symbols, frame.pc);
        if (!call || (call->callee && call->callee != procedure))
            return false;
        calls[depth++] = (es_called){call->site, procedure->low};
        procedure = call->caller;
    }
    for (size_t i = 0; i < depth / 2; i++) {
        es_called outer = calls[depth - 1 - i];
        calls[depth - 1 - i] = calls[i];
        calls[i] = outer;
    }
    *count = depth;
    return procedure && depth;
}
