/* Frame tables (CFI, DWARF 5, 6.4): opened by libdw, after a look at the registers that their rules name. */
#include "symbols/bytes.h"
#include "symbols/internal.h"

#include <dwarf.h>
#include <string.h>

#define REGISTERS_MAX 8192u /* the RISC-V ABI numbers control registers up to 8191 */

/* What an instruction's operands are. */
enum operand { NOTHING, BYTES_1, BYTES_2, BYTES_4, ADDRESS, NUMBER, BLOCK, REGISTER };

static const struct {
    enum operand first, second;
} operands[] = {
    [DW_CFA_nop] = {NOTHING, NOTHING},
    [DW_CFA_set_loc] = {ADDRESS, NOTHING},
    [DW_CFA_advance_loc1] = {BYTES_1, NOTHING},
    [DW_CFA_advance_loc2] = {BYTES_2, NOTHING},
    [DW_CFA_advance_loc4] = {BYTES_4, NOTHING},
    [DW_CFA_offset_extended] = {REGISTER, NUMBER},
    [DW_CFA_restore_extended] = {REGISTER, NOTHING},
    [DW_CFA_undefined] = {REGISTER, NOTHING},
    [DW_CFA_same_value] = {REGISTER, NOTHING},
    [DW_CFA_register] = {REGISTER, REGISTER},
    [DW_CFA_def_cfa] = {REGISTER, NUMBER},
    [DW_CFA_def_cfa_register] = {REGISTER, NOTHING},
    [DW_CFA_def_cfa_offset] = {NUMBER, NOTHING},
    [DW_CFA_def_cfa_expression] = {BLOCK, NOTHING},
    [DW_CFA_expression] = {REGISTER, BLOCK},
    [DW_CFA_offset_extended_sf] = {REGISTER, NUMBER},
    [DW_CFA_def_cfa_sf] = {REGISTER, NUMBER},
    [DW_CFA_def_cfa_offset_sf] = {NUMBER, NOTHING},
    [DW_CFA_val_offset] = {REGISTER, NUMBER},
    [DW_CFA_val_offset_sf] = {REGISTER, NUMBER},
    [DW_CFA_val_expression] = {REGISTER, BLOCK},
    [DW_CFA_GNU_args_size] = {NUMBER, NOTHING},
    [DW_CFA_GNU_negative_offset_extended] = {REGISTER, NUMBER},
};

static unsigned pointer_size(uint8_t encoding)
{
    switch (encoding & 7) {
    case DW_EH_PE_udata2: return 2;
    case DW_EH_PE_udata8: return 8;
    default: return 4;
    }
}

/* Passes over an operand. False: a register's number is out of all reason. */
static bool pass(es_bytes *b, enum operand operand, uint8_t encoding)
{
    switch (operand) {
    case NOTHING: break;
    case BYTES_1: es_bytes_skip(b, 1); break;
    case BYTES_2: es_bytes_skip(b, 2); break;
    case BYTES_4: es_bytes_skip(b, 4); break;
    case ADDRESS: es_bytes_skip(b, pointer_size(encoding)); break;
    case NUMBER: es_bytes_uleb(b); break;
    case BLOCK: es_bytes_skip(b, es_bytes_uleb(b)); break;
    case REGISTER: return es_bytes_uleb(b) < REGISTERS_MAX;
    }
    return true;
}

static bool rules_are_good(es_bytes b, uint8_t encoding)
{
    while (b.at < b.end && !b.over) {
        uint64_t code = es_bytes_number(&b, 1);
        if ((code & 0xC0) == DW_CFA_offset)
            es_bytes_uleb(&b);
        else if (code < sizeof operands / sizeof *operands &&
                 !(pass(&b, operands[code].first, encoding) && pass(&b, operands[code].second, encoding)))
            return false;
    }
    return true;
}

/* How a CIE's table writes addresses: from its augmentation, whose letters have data in their order. */
static uint8_t encoding_of(const Dwarf_CIE *cie)
{
    const uint8_t *data = cie->augmentation_data, *end = data ? data + cie->augmentation_data_size : NULL;
    for (const char *letter = cie->augmentation; data < end && *letter; letter++)
        switch (*letter) {
        case 'R': return *data;
        case 'L': data++; break;
        case 'P': data += 1 + pointer_size(*data); break;
        default: break;
        }
    return DW_EH_PE_absptr;
}

static bool entry_is_good(const es_symbols *symbols, const Elf_Data *table, bool eh, const Dwarf_CFI_Entry *entry)
{
    const uint8_t *ident = (const uint8_t *)elf_getident(symbols->elf, NULL);
    const Dwarf_CIE *cie = &entry->cie;
    if (dwarf_cfi_cie_p(entry))
        return cie->return_address_register < REGISTERS_MAX &&
               rules_are_good(
                   (es_bytes){cie->initial_instructions, cie->initial_instructions_end, false, symbols->big_endian},
                   encoding_of(cie));
    Dwarf_CFI_Entry common;
    Dwarf_Off next;
    if (dwarf_next_cfi(ident, (Elf_Data *)table, eh, entry->fde.CIE_pointer, &next, &common) != 0 ||
        !dwarf_cfi_cie_p(&common))
        return true; /* libdw does not read it, either */
    uint8_t encoding = encoding_of(&common.cie);
    es_bytes b = {entry->fde.start, entry->fde.end, false, symbols->big_endian};
    es_bytes_skip(&b, (uint64_t)2 * pointer_size(encoding));
    es_bytes_skip(&b, *common.cie.augmentation == 'z' ? es_bytes_uleb(&b) : common.cie.fde_augmentation_data_size);
    return rules_are_good(b, encoding);
}

static bool is_good(const es_symbols *symbols, const char *part, bool eh)
{
    const Elf_Data *table = es_symbols_section(symbols, part);
    const uint8_t *ident = (const uint8_t *)elf_getident(symbols->elf, NULL);
    if (!table)
        return true;
    Dwarf_CFI_Entry entry;
    for (Dwarf_Off at = 0, next = 0; at < table->d_size; at = next) {
        int result = dwarf_next_cfi(ident, (Elf_Data *)table, eh, at, &next, &entry);
        if (result > 0 || (result < 0 && next <= at))
            break;
        if (result == 0 && !entry_is_good(symbols, table, eh, &entry))
            return false;
    }
    return true;
}

void es_symbols_open_frames(es_symbols *symbols)
{
    if (is_good(symbols, "debug_frame", false))
        symbols->cfi_debug = dwarf_getcfi(symbols->dwarf);
    if (is_good(symbols, "eh_frame", true))
        symbols->cfi_eh = dwarf_getcfi_elf(symbols->elf);
}
