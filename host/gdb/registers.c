#include "gdb/registers.h"

#include <string.h>

#include "base/endian.h"
#include "gdb/packet.h"

/* A control register that the machine does not have is none for gdb either. */
static bool is_there(const es_machine *machine, const es_debugger_register *reg)
{
    uint32_t value, unknown;
    return reg->kind != ES_DEBUGGER_CONTROL || es_machine_control(machine, reg->number, &value, &unknown);
}

void es_gdb_describe(es_text_buffer *out, const es_machine *machine, const es_isa *isa, const char *arch)
{
    es_text_format(out,
                   "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n<target>\n"
                   "<architecture>%s</architecture>\n<osabi>none</osabi>\n",
                   es_debugger_architecture(isa));
    const char *feature = "";
    es_debugger_register reg;
    for (unsigned i = 0; es_debugger_register_at(isa, arch, i, &reg); i++) {
        if (!is_there(machine, &reg))
            continue;
        if (strcmp(feature, reg.feature) != 0)
            es_text_format(out, "%s<feature name=\"%s\">\n", *feature ? "</feature>\n" : "", reg.feature);
        feature = reg.feature;
        es_text_format(out, "<reg name=\"%s\" bitsize=\"%u\" type=\"%s\" regnum=\"%u\"/>\n", reg.name, reg.bits,
                       reg.type, reg.gdb);
    }
    es_text_format(out, "%s</target>\n", *feature ? "</feature>\n" : "");
}

static void add_value(es_text_buffer *out, uint64_t value, uint64_t unknown, unsigned bits, bool big)
{
    uint8_t bytes[8];
    if (bits < 64)
        unknown &= (UINT64_C(1) << bits) - 1;
    es_endian_put(bytes, bits / 8, value, big);
    if (unknown)
        es_text_add(out, "xxxxxxxxxxxxxxxx", bits / 4);
    else
        es_gdb_hex(out, bytes, bits / 8);
}

static void add_control(es_text_buffer *out, const es_gdb_registers_of *of, const es_debugger_register *reg, bool big)
{
    uint32_t value = 0, unknown = UINT32_MAX;
    if (!of->rest)
        es_machine_control(of->machine, reg->number, &value, &unknown);
    add_value(out, value, unknown, reg->bits, big);
}

static void add_register(es_text_buffer *out, const es_gdb_registers_of *of, const es_debugger_register *reg)
{
    es_machine_registers registers;
    bool big = es_machine_big_endian(of->machine), known = !of->rest || of->rest->known;
    if (of->rest)
        registers = of->rest->registers;
    else
        es_machine_get(of->machine, &registers);
    uint32_t x = known ? registers.x_unknown[reg->number % 32] : UINT32_MAX;
    uint64_t f = known ? registers.f_unknown[reg->number % 32] : UINT64_MAX;
    switch (reg->kind) {
    case ES_DEBUGGER_PC: add_value(out, registers.pc, known ? 0 : UINT32_MAX, reg->bits, big); break;
    case ES_DEBUGGER_CONTROL: add_control(out, of, reg, big); break;
    case ES_DEBUGGER_GENERAL: add_value(out, registers.x[reg->number], x, reg->bits, big); break;
    case ES_DEBUGGER_FLOAT: add_value(out, registers.f[reg->number], f, reg->bits, big); break;
    }
}

bool es_gdb_register(es_text_buffer *out, const es_gdb_registers_of *of, uint64_t gdb)
{
    es_debugger_register reg;
    for (unsigned i = 0; es_debugger_register_at(of->isa, of->arch, i, &reg); i++)
        if (reg.gdb == gdb) {
            if (is_there(of->machine, &reg))
                add_register(out, of, &reg);
            else
                add_value(out, 0, UINT64_MAX, reg.bits, false);
            return true;
        }
    return false;
}

void es_gdb_registers(es_text_buffer *out, const es_gdb_registers_of *of)
{
    es_debugger_register reg;
    for (unsigned i = 0; es_debugger_register_at(of->isa, of->arch, i, &reg) && reg.gdb == i; i++)
        add_register(out, of, &reg);
}
