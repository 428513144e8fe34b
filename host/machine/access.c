/* What instructions have in common in the precise engine: they begin and end, read and write, and the listener hears of
 * it. */
#include "machine/step.h"

#define SILENT_MOST 2 /* exceptions one after the other, of which nobody tells */

static uint32_t rotated(uint32_t address, unsigned by)
{
    return address << by | address >> (32 - by);
}

static void count(es_machine *machine, uint32_t x)
{
    machine->hash_sum += x;
    machine->hash_sums += machine->hash_sum;
}

static void tells(es_machine *machine, uint8_t kind, uint32_t address, uint32_t lanes, machine_value data)
{
    if (!machine->listens || !machine->listener.access)
        return;
    const es_machine_access access = {
        .kind = kind, .lanes = (uint8_t)lanes, .address = address, .data = data.bits, .unknown = data.unknown};
    machine->listener.access(machine->listener.context, &access);
}

/* --- an instruction: begins when it is certain to be executed, and ends --- */

void es_step_begin(es_machine *machine, const insn *it)
{
    if (machine->listens && machine->listener.insn)
        machine->listener.insn(machine->listener.context, it->pc);
    machine->fetches++;
    machine->silent = 0;
    count(machine, it->pc);
    tells(machine, ES_KIND_FETCH, it->pc, it->pc & 2 ? 12 : it->op.size == 2 ? 3 : 15, value_of(it->word));
}

enum step es_step_end(es_machine *machine, uint32_t next)
{
    machine->pc = next;
    return STEP_DONE;
}

enum step es_step_end_with(es_machine *machine, const insn *it, uint32_t next, machine_value value)
{
    unsigned rd = it->op.rd;
    machine->pc = next;
    if (!rd)
        return STEP_DONE;
    machine->x[rd] = value.bits;
    machine->x_unknown[rd] = value.unknown;
    machine->tainted = (machine->tainted & ~(1u << rd)) | (uint32_t)(value.unknown != 0) << rd;
    if (machine->listens && machine->listener.sets)
        machine->listener.sets(machine->listener.context, rd);
    return STEP_DONE;
}

enum step es_step_except(es_machine *machine, const insn *it, uint32_t cause, uint32_t value)
{
    enum step can = es_machine_can_trap(machine, cause);
    if (can != STEP_DONE)
        return can;
    if (!es_processor_of(machine->options.processor)->silent)
        es_step_begin(machine, it);
    else if (machine->silent++ == SILENT_MOST)
        return es_machine_because(machine, STEP_STRANGE,
                                  "an exception at 0x%08x, whose handler does nothing but raise one", it->pc);
    es_machine_trap(machine, cause, 0, value);
    return STEP_DONE;
}

enum step es_step_not_known(es_machine *machine, const insn *it, const char *what)
{
    return es_machine_because(machine, STEP_UNKNOWN, "%s at 0x%08x is not known", what, it->pc);
}

/* --- data --- */

/* The pieces of an access: 1 or 2. */
unsigned es_step_pieces(uint32_t address, uint32_t size, piece pieces[2])
{
    uint32_t left = 4 - (address & 3), first = size < left ? size : left;
    pieces[0] = (piece){address, first};
    pieces[1] = (piece){address + first, size - first};
    return first < size ? 2 : 1;
}

static uint32_t mask_of(uint32_t size)
{
    return size < 4 ? (1u << 8 * size) - 1 : UINT32_MAX;
}

/* Reads outside of memory what holds the piece: a byte, half or word at a multiple of its size. */
static bool read_outside(es_machine *machine, piece it, machine_value *value)
{
    uint32_t size = 1, bits = 0, unknown = UINT32_MAX;
    while ((it.address & (size - 1)) + it.size > size)
        size *= 2;
    uint32_t address = it.address & ~(size - 1);
    const es_machine_outside *outside = &machine->options.outside;
    if (outside->read && !outside->read(outside->context, address, size, &bits, &unknown))
        return false;
    *value = shifted(value_made(bits & mask_of(size), unknown & mask_of(size)), -(int)(8 * (it.address - address)));
    return true;
}

bool es_step_read(es_machine *machine, piece it, machine_value *value)
{
    if (es_machine_region_of(machine, it.address))
        *value = shifted(es_machine_word(machine, it.address & ~3u), -(int)(8 * (it.address & 3)));
    else if (!read_outside(machine, it, value))
        return false;
    *value = (machine_value){value->bits & mask_of(it.size), value->unknown & mask_of(it.size)};
    return true;
}

void es_step_tell_read(es_machine *machine, piece it, machine_value value)
{
    uint32_t at = it.address & 3;
    machine_value in_lanes = shifted(value, (int)(8 * at));
    count(machine, rotated(it.address & ~3u, 8) ^ in_lanes.bits);
    machine->hash_unknown |= in_lanes.unknown != 0;
    tells(machine, ES_KIND_READ, it.address & ~3u, ((1u << it.size) - 1) << at, in_lanes);
}

void es_step_claim(es_machine *machine, unsigned reg, uint32_t size)
{
    bool is_float = reg >= 32;
    bool unset = is_float ? machine->f_unknown[reg - 32] != 0 : machine->x_unknown[reg] == UINT32_MAX;
    if (!machine->zeros || !unset)
        return;
    machine->has_assumed = true;
    if (is_float) {
        machine->f_unknown[reg - 32] &= size < 8 ? ~(uint64_t)UINT32_MAX : 0;
        return;
    }
    machine->x_unknown[reg] &= size < 4 ? UINT32_MAX << 8 * size : 0;
    if (!machine->x_unknown[reg])
        machine->tainted &= ~(1u << reg);
}

static void write_outside(es_machine *machine, piece it, machine_value value)
{
    const es_machine_outside *outside = &machine->options.outside;
    if (!outside->write)
        return;
    bool whole = it.size != 3 && it.address % it.size == 0;
    uint32_t size = whole ? it.size : 1;
    for (uint32_t done = 0; done < it.size; done += size) {
        machine_value part = shifted(value, -(int)(8 * done));
        outside->write(outside->context, it.address + done, size, part.bits & mask_of(size),
                       part.unknown & mask_of(size));
    }
}

void es_step_write(es_machine *machine, piece it, machine_value value)
{
    uint32_t at = it.address & 3, word = it.address & ~3u;
    value = (machine_value){value.bits & mask_of(it.size), value.unknown & mask_of(it.size)};
    machine_value in_lanes = shifted(value, (int)(8 * at));
    count(machine, rotated(word, 16) ^ in_lanes.bits);
    machine->hash_unknown |= in_lanes.unknown != 0;
    tells(machine, ES_KIND_WRITE, word, ((1u << it.size) - 1) << at, in_lanes);
    const machine_region *region = es_machine_region_of(machine, it.address);
    if (region && region->writable)
        es_machine_put_word(machine, word, in_lanes, mask_of(it.size) << 8 * at);
    else
        write_outside(machine, it, value);
}
