/* RV32's registers as gdb numbers them: general ones and pc from 0, those of floating point from 33, control registers
 * from 65. */
#include "isa/debugger.h"

#include "isa/arch.h"
#include "isa/rv32/rv32.h"

#define GDB_PC 32
#define GDB_FLOAT 33
#define GDB_CONTROL 65

static const struct control {
    const char *name;
    unsigned number;
    bool floating;
} controls[] = {
    {"fflags", 0x001, true},     {"frm", 0x002, true},        {"fcsr", 0x003, true},      {"mstatus", 0x300, false},
    {"misa", 0x301, false},      {"mie", 0x304, false},       {"mtvec", 0x305, false},    {"mcounteren", 0x306, false},
    {"mscratch", 0x340, false},  {"mepc", 0x341, false},      {"mcause", 0x342, false},   {"mtval", 0x343, false},
    {"mip", 0x344, false},       {"mcycle", 0xB00, false},    {"minstret", 0xB02, false}, {"mcycleh", 0xB80, false},
    {"minstreth", 0xB82, false}, {"mvendorid", 0xF11, false}, {"marchid", 0xF12, false},  {"mimpid", 0xF13, false},
    {"mhartid", 0xF14, false},
};
#define CONTROLS (sizeof controls / sizeof *controls)

const char *es_debugger_architecture(const es_isa *isa)
{
    (void)isa; /* all that there are, are RV32 */
    return "riscv:rv32";
}

unsigned es_debugger_trap_resumes(const es_isa *isa)
{
    (void)isa;
    return 0x341; /* mepc */
}

static es_debugger_register control_register(const struct control *control)
{
    return (es_debugger_register){control->name,
                                  control->floating ? "org.gnu.gdb.riscv.fpu" : "org.gnu.gdb.riscv.csr",
                                  "int",
                                  ES_DEBUGGER_CONTROL,
                                  control->number,
                                  32,
                                  GDB_CONTROL + control->number};
}

bool es_debugger_register_at(const es_isa *isa, const char *arch, unsigned i, es_debugger_register *reg)
{
    bool doubles = !arch || es_arch_names(arch, "d"), floats = doubles || es_arch_names(arch, "f");
    if (i < 32) {
        const char *type = i == isa->stack || i == RV32_GP || i == RV32_TP ? "data_ptr"
                           : i == isa->link                                ? "code_ptr"
                                                                           : "int";
        *reg = (es_debugger_register){isa->names[i], "org.gnu.gdb.riscv.cpu", type, ES_DEBUGGER_GENERAL, i, 32, i};
        return true;
    }
    if (i == GDB_PC) {
        *reg = (es_debugger_register){"pc", "org.gnu.gdb.riscv.cpu", "code_ptr", ES_DEBUGGER_PC, 0, 32, GDB_PC};
        return true;
    }
    i -= GDB_FLOAT;
    if (floats && i < 32) {
        *reg = (es_debugger_register){isa->names[isa->foreign + i],
                                      "org.gnu.gdb.riscv.fpu",
                                      doubles ? "ieee_double" : "ieee_single",
                                      ES_DEBUGGER_FLOAT,
                                      i,
                                      doubles ? 64 : 32,
                                      GDB_FLOAT + i};
        return true;
    }
    i -= floats ? 32 : 0;
    for (unsigned k = 0; k < CONTROLS; k++)
        if ((floats || !controls[k].floating) && i-- == 0) {
            *reg = control_register(&controls[k]);
            return true;
        }
    return false;
}
