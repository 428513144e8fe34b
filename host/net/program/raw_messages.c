#include "net/program/raw_messages.h"

#include <string.h>

#include "net/program/templates.h"
#include "probe_defs.h"
#include "symbols/code.h"

/* Registers along the code in the order of its addresses: what a conditional branch does not leave goes on to the next
 * instruction, so what is known then is so on at least one way. */
typedef struct registers {
    uint32_t value[32];
    uint32_t known; /* a bit for each */
} registers;

static bool in_device(uint32_t address)
{
    return address - ES_TARGET_MSG_BASE < ES_TARGET_MSG_SIZE;
}

bool es_net_has_messages(const es_net_mark_place *marks, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (marks[i].id >= ES_NET_MP_SEND_BEGIN && marks[i].id <= ES_NET_MP_ANY_FOUND)
            return true;
    return false;
}

bool es_net_message_is_known(const es_net_mark_place *marks, size_t count, uint32_t pc, uint32_t address)
{
    uint32_t id;
    switch ((address - ES_TARGET_MSG_BASE) & ~31u) {
    case 0:
        if (address == ES_TARGET_MSG_BASE + ES_TARGET_MSG_SELF)
            return true;
        id = address == ES_TARGET_MSG_BASE + ES_TARGET_MSG_ANY ? ES_NET_MP_ANY_BEGIN : 0;
        break;
    case ES_TARGET_MSG_TEST: id = ES_NET_MP_TEST_BEGIN; break;
    case ES_TARGET_MSG_RECV: id = ES_NET_MP_RECV_BEGIN; break;
    case ES_TARGET_MSG_SEND: id = ES_NET_MP_SEND_BEGIN; break;
    case ES_TARGET_MSG_TAKEN: id = ES_NET_MP_SEND_END; break;
    default: id = 0;
    }
    for (size_t i = 0; i < count && id; i++)
        if (marks[i].end == pc && marks[i].id == id)
            return true;
    return false;
}

static void set(registers *r, uint32_t rd, bool known, uint32_t value)
{
    r->known &= ~(1u << rd);
    if (rd && known) {
        r->known |= 1u << rd;
        r->value[rd] = value;
    }
}

static bool knows(const registers *r, uint32_t reg)
{
    return reg == 0 || r->known >> reg & 1;
}

static uint32_t value_of(const registers *r, uint32_t reg)
{
    return reg ? r->value[reg] : 0;
}

/* Follows one instruction; true with the address when it loads or stores at a known one. */
static bool follow(registers *r, const es_isa *isa, es_insn insn, uint32_t pc, uint32_t *address)
{
    bool knows_base = knows(r, insn.rs1);
    *address = value_of(r, insn.rs1) + (uint32_t)insn.imm;
    if (es_insn_is_call(insn))
        r->known &= isa->kept; /* it comes back; after a jump anything may be */
    else if (es_insn_is_jump(insn))
        r->known = 0;
    else if (insn.kind == ES_INSN_CONSTANT || insn.kind == ES_INSN_ADDRESS)
        set(r, insn.rd, true, (uint32_t)insn.imm + (insn.kind == ES_INSN_ADDRESS ? pc : 0));
    else if (es_insn_adds(insn))
        set(r, insn.rd, knows_base, *address);
    else if (es_insn_sums(insn))
        set(r, insn.rd, knows_base && knows(r, insn.rs2), *address + value_of(r, insn.rs2));
    else if (insn.kind != ES_INSN_BRANCH && insn.kind != ES_INSN_STORE)
        set(r, insn.rd, false, 0);
    return knows_base && (insn.kind == ES_INSN_LOAD || insn.kind == ES_INSN_STORE) && !insn.foreign;
}

static bool refuse(const es_symbols *symbols, uint32_t pc, uint32_t address, es_error *err)
{
    const char *file = NULL;
    unsigned line = 0;
    es_fail(err, ES_USAGE,
            "the message device (0x%08x) is used at 0x%x past examples/mp/mp.h: the net would not know of "
            "these messages, and times that depend on them would be wrong; use the library's calls",
            (unsigned)address, (unsigned)pc);
    return es_symbols_line(symbols, pc, &file, &line) ? es_fail_in(err, "%s:%u", file, line) : false;
}

bool es_net_refuse_raw_messages(const es_symbols *symbols, const es_net_mark_place *marks, size_t count, es_error *err)
{
    const es_isa *isa = es_symbols_isa(symbols);
    const es_segment *segments;
    size_t segment_count = es_symbols_segments(symbols, &segments);
    const es_procedure *const *procedures;
    size_t procedure_count = es_symbols_procedures(symbols, &procedures), next = 0;
    for (size_t i = 0; i < segment_count; i++) {
        registers r = {.known = 0};
        for (uint32_t at = 0, step; segments[i].executable && at + isa->smallest <= segments[i].size; at += step) {
            uint32_t address, pc = segments[i].address + at;
            while (next < procedure_count && procedures[next]->low < pc)
                next++;
            if (next < procedure_count && procedures[next]->low == pc) {
                r.known = 0;
                next++;
            }
            es_insn insn = isa->decode(segments[i].bytes + at, segments[i].size - at);
            if (follow(&r, isa, insn, pc, &address) && in_device(address) &&
                !es_net_message_is_known(marks, count, pc, address))
                return refuse(symbols, pc, address, err);
            step = insn.size;
            if (next < procedure_count && procedures[next]->low > pc && procedures[next]->low - pc < step)
                step = procedures[next]->low - pc; /* what lies before a procedure may be data */
        }
        next = 0;
    }
    return true;
}
