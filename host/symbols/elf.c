/* The ELF side: header, segments, symbols. The whole file is read at once, so it cannot change under us.
 * Headers and symbols are copied (gelf) before they are looked at: in a damaged file they may lie at odd places. */
#include "symbols/internal.h"

#include <errno.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/endian.h"

/* Far above any program for a 32-bit target, low enough not to exhaust memory on a wrong file name. */
static const size_t MAX_FILE = (size_t)512 << 20;

static bool read_file(es_symbols *symbols, es_error *err)
{
    FILE *file = fopen(symbols->path, "rb");
    if (!file)
        return es_fail(err, ES_USAGE, "%s: cannot be read: %s", symbols->path, strerror(errno));
    struct stat status;
    bool ok = false;
    if (fstat(fileno(file), &status) != 0)
        es_fail(err, ES_USAGE, "%s: cannot be read: %s", symbols->path, strerror(errno));
    else if (!S_ISREG(status.st_mode))
        es_fail(err, ES_USAGE, "%s: is not a file; name the program's ELF file", symbols->path);
    else if ((uint64_t)status.st_size > MAX_FILE)
        es_fail(err, ES_USAGE, "%s: is larger than %zu MiB; is this the right file?", symbols->path, MAX_FILE >> 20);
    else {
        size_t size = (size_t)status.st_size;
        symbols->file = es_malloc(size + 1);
        symbols->file_size = fread(symbols->file, 1, size, file);
        ok = symbols->file_size == size || es_fail(err, ES_USAGE, "%s: cannot be read to its end", symbols->path);
    }
    fclose(file);
    return ok;
}

static const char *machine_name(unsigned machine)
{
    static const struct {
        unsigned machine;
        const char *name;
    } names[] = {{EM_386, "an x86"},
                 {EM_X86_64, "an x86-64"},
                 {EM_ARM, "an ARM"},
                 {EM_AARCH64, "an AArch64"},
                 {EM_MIPS, "a MIPS"},
                 {EM_PPC, "a PowerPC"},
                 {EM_PPC64, "a 64-bit PowerPC"},
                 {EM_SPARC, "a SPARC"},
                 {EM_68K, "a 68000"},
                 {EM_AVR, "an AVR"},
                 {EM_XTENSA, "an Xtensa"},
                 {EM_S390, "an S/390"},
                 {EM_MSP430, "an MSP430"},
                 {EM_SH, "a SuperH"},
                 {EM_Z80, "a Z80"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].machine == machine)
            return names[i].name;
    return NULL;
}

/* Checks the identification by hand: libelf would refuse most of it without telling why. */
static bool check_header(es_symbols *symbols, es_error *err)
{
    const char *path = symbols->path;
    const uint8_t *bytes = symbols->file;
    if (symbols->file_size < SELFMAG || memcmp(bytes, ELFMAG, SELFMAG) != 0)
        return es_fail(err, ES_USAGE,
                       "%s: is not an ELF file; give the program as the linker made it "
                       "(not a .hex, .bin or source file)",
                       path);
    if (symbols->file_size < sizeof(Elf32_Ehdr))
        return es_fail(err, ES_USAGE, "%s: is a truncated ELF file; link the program again", path);
    bool big = bytes[EI_DATA] == ELFDATA2MSB;
    if (!big && bytes[EI_DATA] != ELFDATA2LSB)
        return es_fail(err, ES_USAGE, "%s: is a damaged ELF file (byte order %u); link the program again", path,
                       bytes[EI_DATA]);
    symbols->big_endian = big;
    unsigned machine = (unsigned)es_endian_get(bytes + 18, 2, big), type = (unsigned)es_endian_get(bytes + 16, 2, big);
    char wanted[160] = "Earshot needs a ";
    es_isa_executables(wanted + strlen(wanted), sizeof wanted - strlen(wanted));
    const es_isa *isa = es_isa_of_machine((uint16_t)machine);
    if (!isa) {
        const char *name = machine_name(machine);
        const char *what = type == ET_REL ? "object file" : "executable";
        if (name)
            return es_fail(err, ES_USAGE, "%s: is %s %s; %s", path, name, what, wanted);
        return es_fail(err, ES_USAGE, "%s: is an %s for another machine (ELF machine number %u); %s", path, what,
                       machine, wanted);
    }
    if (bytes[EI_CLASS] != ELFCLASS32)
        return es_fail(err, ES_USAGE, "%s: is a %s %s file; %s (compile with %s)", path,
                       bytes[EI_CLASS] == ELFCLASS64 ? "64-bit" : "damaged", isa->family, wanted, isa->options);
    if (type == ET_REL)
        return es_fail(err, ES_USAGE, "%s: is an object file, not an executable; link it first", path);
    if (type == ET_CORE)
        return es_fail(err, ES_USAGE, "%s: is a core dump, not an executable", path);
    if (type != ET_EXEC && type != ET_DYN)
        return es_fail(err, ES_USAGE, "%s: is not an executable (ELF type %u); link the program again", path, type);
    /* libelf would take the file for one without sections */
    uint32_t sections = (uint32_t)es_endian_get(bytes + 32, 4, big);
    uint32_t sections_size = (uint32_t)es_endian_get(bytes + 46, 2, big) * (uint32_t)es_endian_get(bytes + 48, 2, big);
    if ((uint64_t)sections + sections_size > symbols->file_size)
        return es_fail(err, ES_USAGE,
                       "%s: is truncated: it has %zu bytes, and its table of sections ends at byte %llu; copy it "
                       "completely or link the program again",
                       path, symbols->file_size, (unsigned long long)sections + sections_size);
    if (type == ET_DYN)
        return es_fail(err, ES_USAGE,
                       "%s: is position independent, so its addresses are not known; link it with -static -no-pie",
                       path);
    return true;
}

static int by_address(const void *a, const void *b)
{
    const es_segment *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

static bool read_segments(es_symbols *symbols, es_error *err)
{
    size_t count;
    if (elf_getphdrnum(symbols->elf, &count) != 0)
        return es_fail(err, ES_USAGE, "%s: has damaged program headers; link the program again", symbols->path);
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr copy, *header = gelf_getphdr(symbols->elf, (int)i, &copy);
        if (!header)
            return es_fail(err, ES_USAGE, "%s: has damaged program headers; link the program again", symbols->path);
        if (header->p_type != PT_LOAD || header->p_filesz == 0)
            continue;
        uint64_t end = header->p_offset + header->p_filesz;
        if (end > symbols->file_size)
            return es_fail(err, ES_USAGE,
                           "%s: is truncated: it ends before its segment %zu does; link the program again",
                           symbols->path, i);
        uint64_t limit = (uint64_t)1 << 32;
        if (header->p_vaddr + header->p_filesz > limit || header->p_paddr + header->p_filesz > limit)
            return es_fail(err, ES_USAGE,
                           "%s: segment %zu does not fit into 32 bits of address; link the program again",
                           symbols->path, i);
        const uint8_t *bytes = symbols->file + header->p_offset;
        bool executable = header->p_flags & PF_X;
        SYMBOLS_PUSH(symbols, &symbols->loads,
                     (symbols_load){(uint32_t)header->p_vaddr, (uint32_t)header->p_filesz, bytes, executable});
        SYMBOLS_PUSH(symbols, &symbols->segments,
                     (es_segment){(uint32_t)header->p_paddr, (uint32_t)header->p_filesz, bytes, executable,
                                  (header->p_flags & PF_W) != 0});
    }
    if (!symbols->segments.count)
        return es_fail(err, ES_USAGE, "%s: has nothing to load; link the program again", symbols->path);
    SYMBOLS_SORT(&symbols->segments, by_address);
    return true;
}

static int by_name(const void *a, const void *b)
{
    const symbols_elf_symbol *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    if (order)
        return order;
    if ((x->binding == STB_LOCAL) != (y->binding == STB_LOCAL))
        return x->binding == STB_LOCAL ? 1 : -1;
    return (x->value > y->value) - (x->value < y->value);
}

static bool read_symbol_table(es_symbols *symbols, Elf_Scn *section, const GElf_Shdr *header, es_error *err)
{
    Elf_Data *data = elf_getdata(section, NULL);
    if (!data || !data->d_buf)
        return header->sh_size == 0 ||
               es_fail(err, ES_USAGE, "%s: has a damaged symbol table; link the program again", symbols->path);
    size_t count = data->d_size / sizeof(Elf32_Sym);
    const char *file = NULL; /* local symbols follow their file's */
    for (size_t i = 1; i < count && i <= INT32_MAX; i++) {
        GElf_Sym copy, *entry = gelf_getsym(data, (int)i, &copy);
        const char *name = entry ? elf_strptr(symbols->elf, header->sh_link, entry->st_name) : NULL;
        if (!name || !*name)
            continue;
        symbols_elf_symbol symbol = {
            .name = es_symbols_clean(symbols, name),
            .value = (uint32_t)entry->st_value,
            .size = (uint32_t)entry->st_size,
            .type = GELF_ST_TYPE(entry->st_info),
            .binding = GELF_ST_BIND(entry->st_info),
            .section = entry->st_shndx,
        };
        if (symbol.type == STT_FILE)
            file = symbol.name;
        symbol.file = symbol.binding == STB_LOCAL ? file : NULL;
        if (symbol.section == SHN_UNDEF || symbol.type == STT_FILE || symbol.type == STT_SECTION)
            continue;
        if (symbol.section < SHN_LORESERVE) {
            Elf_Scn *home = elf_getscn(symbols->elf, symbol.section);
            GElf_Shdr home_copy, *home_header = home ? gelf_getshdr(home, &home_copy) : NULL;
            if (home_header && home_header->sh_addr + home_header->sh_size <= UINT32_MAX) {
                symbol.section_end = (uint32_t)(home_header->sh_addr + home_header->sh_size);
                symbol.in_code = home_header->sh_flags & SHF_EXECINSTR;
            }
        }
        SYMBOLS_PUSH(symbols, &symbols->elf_symbols, symbol);
    }
    return true;
}

/* Not .noinit and the like, whose contents nobody knows. */
static bool is_cleared(const char *section)
{
    static const char *const names[] = {".bss", ".sbss", ".tbss"};
    for (size_t i = 0; section && i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i]);
        if (strncmp(section, names[i], length) == 0 && (section[length] == 0 || section[length] == '.'))
            return true;
    }
    return false;
}

static bool read_sections(es_symbols *symbols, es_error *err)
{
    size_t names;
    if (elf_getshdrstrndx(symbols->elf, &names) != 0)
        return es_fail(err, ES_USAGE, "%s: has damaged section headers; link the program again", symbols->path);
    bool debug = false;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(symbols->elf, section));) {
        GElf_Shdr copy, *header = gelf_getshdr(section, &copy);
        if (!header)
            return es_fail(err, ES_USAGE, "%s: has damaged section headers; link the program again", symbols->path);
        if (header->sh_type != SHT_NOBITS && header->sh_offset + header->sh_size > symbols->file_size)
            return es_fail(err, ES_USAGE, "%s: is truncated: it ends before its sections do; link the program again",
                           symbols->path);
        const char *name = elf_strptr(symbols->elf, names, header->sh_name);
        if (name && (strcmp(name, ".debug_info") == 0 || strcmp(name, ".zdebug_info") == 0))
            debug = true;
        if (header->sh_type == SHT_NOBITS && is_cleared(name) && header->sh_addr + header->sh_size <= UINT32_MAX)
            SYMBOLS_PUSH(symbols, &symbols->cleared,
                         (symbols_cleared){(uint32_t)header->sh_addr, (uint32_t)header->sh_size});
        if (symbols->isa->attributes.section && header->sh_type == symbols->isa->attributes.section)
            es_symbols_read_attributes(symbols, symbols->file + header->sh_offset, header->sh_size);
        if (header->sh_type == SHT_SYMTAB && !read_symbol_table(symbols, section, header, err))
            return false;
    }
    if (!debug)
        return es_fail(err, ES_USAGE, "%s: has no debug information; compile with -g and do not strip the program",
                       symbols->path);
    SYMBOLS_SORT(&symbols->elf_symbols, by_name);
    return true;
}

const Elf_Data *es_symbols_section(const es_symbols *symbols, const char *part)
{
    size_t names;
    if (elf_getshdrstrndx(symbols->elf, &names) != 0)
        return NULL;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(symbols->elf, section));) {
        GElf_Shdr copy, *header = gelf_getshdr(section, &copy);
        const char *name = header ? elf_strptr(symbols->elf, names, header->sh_name) : NULL;
        if (!name || *name != '.' || header->sh_type == SHT_NOBITS ||
            (strcmp(name + 1, part) != 0 && (name[1] != 'z' || strcmp(name + 2, part) != 0)))
            continue;
        const Elf_Data *data = elf_getdata(section, NULL);
        if (data && data->d_buf)
            return data;
    }
    return NULL;
}

bool es_symbols_read_elf(es_symbols *symbols, es_error *err)
{
    if (!read_file(symbols, err) || !check_header(symbols, err))
        return false;
    elf_version(EV_CURRENT);
    symbols->elf = elf_memory((char *)symbols->file, symbols->file_size);
    GElf_Ehdr copy, *header = symbols->elf ? gelf_getehdr(symbols->elf, &copy) : NULL;
    if (!header)
        return es_fail(err, ES_USAGE, "%s: is a damaged ELF file (%s); link the program again", symbols->path,
                       elf_errmsg(-1));
    symbols->entry = (uint32_t)header->e_entry;
    symbols->isa = es_isa_of(header->e_machine, header->e_flags, NULL);
    if (!symbols->isa)
        return es_fail(err, ES_USAGE, "%s: is for a processor of its kind that Earshot does not know (ELF flags 0x%x)",
                       symbols->path, (unsigned)header->e_flags);
    if (!read_segments(symbols, err) || !read_sections(symbols, err))
        return false;
    symbols->isa = es_isa_of(header->e_machine, header->e_flags, symbols->arch);
    es_symbols_find_ram_code(symbols);
    return true;
}

static const symbols_load *load_at(const es_symbols *symbols, uint32_t address, uint32_t size)
{
    for (size_t i = 0; i < symbols->loads.count; i++) {
        const symbols_load *load = &symbols->loads.items[i];
        if (address - load->address < load->size && load->size - (address - load->address) >= size)
            return load;
    }
    return NULL;
}

bool es_symbols_data_word(const es_symbols *symbols, uint32_t address, uint32_t *word)
{
    const symbols_load *load = load_at(symbols, address, 1);
    uint8_t bytes[4] = {0};
    for (uint32_t i = 0; load && i < 4 && i < load->size - (address - load->address); i++)
        bytes[i] = load->bytes[address - load->address + i];
    *word = (uint32_t)es_endian_get(bytes, 4, symbols->big_endian);
    return load;
}

bool es_symbols_read_half(const es_symbols *symbols, uint32_t address, uint16_t *half)
{
    const symbols_load *load = load_at(symbols, address, 2);
    if (!load)
        return false;
    const uint8_t *bytes = load->bytes + (address - load->address);
    *half = (uint16_t)(bytes[0] | bytes[1] << 8);
    return true;
}

bool es_symbols_read_word(const es_symbols *symbols, uint32_t address, uint32_t *word)
{
    uint16_t low, high;
    if (!es_symbols_read_half(symbols, address, &low) || !es_symbols_read_half(symbols, address + 2, &high))
        return false;
    *word = low | (uint32_t)high << 16;
    return true;
}

static const char *name_of(const void *item)
{
    return ((const symbols_elf_symbol *)item)->name;
}

const symbols_elf_symbol *es_symbols_elf_named(const es_symbols *symbols, const char *name)
{
    size_t at = SYMBOLS_FIRST_NAMED(&symbols->elf_symbols, name_of, name);
    return at < symbols->elf_symbols.count ? &symbols->elf_symbols.items[at] : NULL;
}

bool es_symbols_kept_at_zero(const es_symbols *symbols, const char *name)
{
    size_t length = name ? strlen(name) : 0;
    for (size_t i = 0; length && i < symbols->elf_symbols.count; i++) {
        const symbols_elf_symbol *symbol = &symbols->elf_symbols.items[i];
        /* a clone's symbol has a suffix: "clamp.constprop.0" */
        if (symbol->value == 0 && symbol->section < SHN_LORESERVE && strncmp(symbol->name, name, length) == 0 &&
            (symbol->name[length] == 0 || symbol->name[length] == '.'))
            return true;
    }
    return false;
}
