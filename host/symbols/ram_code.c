/* Code in segments that the file does not call executable: functions that were put among the variables
 * (".data.ram"), to run in RAM. Of a section that is written, only the functions are taken for code. */
#include "symbols/internal.h"

#include <gelf.h>

static const symbols_load *load_of(const es_symbols *symbols, uint32_t address)
{
    const symbols_load *found = NULL;
    for (size_t i = 0; i < symbols->loads.count && !(found && found->executable); i++) {
        const symbols_load *load = &symbols->loads.items[i];
        if (address - load->address < load->size && (!found || load->executable))
            found = load;
    }
    return found;
}

/* Takes [low, high) for code, as far as the file has its bytes, unless it is known to be. */
static void take(es_symbols *symbols, uint32_t low, uint32_t high)
{
    const symbols_load *load = load_of(symbols, low);
    if (!load || load->executable || low >= high)
        return;
    uint32_t offset = low - load->address, size = high - low;
    uint32_t room = load->size - offset;
    SYMBOLS_PUSH(symbols, &symbols->loads,
                 (symbols_load){low, size < room ? size : room, load->bytes + offset, .executable = true});
}

void es_symbols_find_ram_code(es_symbols *symbols)
{
    for (Elf_Scn *section = NULL; (section = elf_nextscn(symbols->elf, section));) {
        GElf_Shdr copy, *header = gelf_getshdr(section, &copy);
        uint64_t wanted = SHF_ALLOC | SHF_EXECINSTR;
        if (header && (header->sh_flags & (wanted | SHF_WRITE)) == wanted && header->sh_type == SHT_PROGBITS &&
            header->sh_addr + header->sh_size <= UINT32_MAX)
            take(symbols, (uint32_t)header->sh_addr, (uint32_t)(header->sh_addr + header->sh_size));
    }
    for (size_t i = 0; i < symbols->elf_symbols.count; i++) {
        const symbols_elf_symbol *symbol = &symbols->elf_symbols.items[i];
        if (symbol->type == STT_FUNC && symbol->value < symbol->section_end) {
            uint32_t room = symbol->section_end - symbol->value;
            take(symbols, symbol->value, symbol->value + (symbol->size < room ? symbol->size : room));
        }
    }
}
