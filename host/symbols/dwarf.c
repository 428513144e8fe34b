/* Helpers around libdw: attributes, names, safe steps through the tree. */
#include "symbols/internal.h"

#include <dwarf.h>
#include <string.h>

#include "base/text.h"

bool es_symbols_damaged(const es_symbols *symbols, es_error *err)
{
    int code = dwarf_errno();
    return es_fail(err, ES_USAGE, "%s: its debug information is damaged (%s); build the program again", symbols->path,
                   code ? dwarf_errmsg(code) : "scopes nested too deeply or in a loop");
}

const char *es_symbols_clean(es_symbols *symbols, const char *text)
{
    size_t length = strlen(text);
    char *copy = NULL;
    for (size_t i = 0; i < length;) {
        unsigned char byte = (unsigned char)text[i];
        size_t step = es_utf8_length(text + i, length - i);
        if (step && byte >= 0x20 && byte != 0x7F) {
            i += step;
            continue;
        }
        if (!copy)
            copy = es_arena_copy(symbols->arena, text, length);
        copy[i++] = '?';
    }
    return copy ? copy : text;
}

int es_symbols_sibling(Dwarf_Die *die)
{
    const void *before = die->addr;
    Dwarf_Die next;
    int result = dwarf_siblingof(die, &next);
    if (result < 0)
        return -1;
    if (result > 0)
        return 0;
    if (next.addr <= before)
        return -1; /* a DW_AT_sibling that points backwards would make a loop */
    *die = next;
    return 1;
}

const char *es_symbols_die_name(es_symbols *symbols, Dwarf_Die *die)
{
    Dwarf_Die origin = es_symbols_die_origin(die);
    Dwarf_Attribute attribute;
    const char *name = NULL;
    if (dwarf_attr(die, DW_AT_name, &attribute))
        name = dwarf_formstring(&attribute);
    if (!name && dwarf_attr(&origin, DW_AT_name, &attribute))
        name = dwarf_formstring(&attribute);
    return name && *name ? es_symbols_clean(symbols, name) : NULL;
}

Dwarf_Die es_symbols_die_origin(Dwarf_Die *die)
{
    Dwarf_Die at = *die, next;
    for (int i = 0; i < SYMBOLS_MAX_DEPTH; i++) {
        if (!es_symbols_die_reference(&at, DW_AT_abstract_origin, &next) &&
            !es_symbols_die_reference(&at, DW_AT_specification, &next))
            break;
        at = next;
    }
    return at;
}

bool es_symbols_die_reference(Dwarf_Die *die, unsigned name, Dwarf_Die *target)
{
    Dwarf_Attribute attribute;
    return dwarf_attr(die, name, &attribute) && dwarf_formref_die(&attribute, target);
}

bool es_symbols_die_flag(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    bool flag = false;
    return dwarf_attr(die, name, &attribute) && dwarf_formflag(&attribute, &flag) == 0 && flag;
}

bool es_symbols_number(Dwarf_Attribute *attribute, uint64_t *number)
{
    Dwarf_Word value;
    Dwarf_Sword signed_value;
    unsigned form = dwarf_whatform(attribute);
    bool is_signed = form == DW_FORM_sdata || form == DW_FORM_implicit_const;
    if (is_signed ? dwarf_formsdata(attribute, &signed_value) != 0 : dwarf_formudata(attribute, &value) != 0)
        return false;
    *number = is_signed ? (uint64_t)signed_value : value;
    return true;
}

bool es_symbols_die_number(Dwarf_Die *die, unsigned name, uint64_t *number)
{
    Dwarf_Attribute attribute;
    return dwarf_attr(die, name, &attribute) && es_symbols_number(&attribute, number);
}

const char *es_symbols_file_name(es_symbols *symbols, Dwarf_Die *die, const char *file)
{
    Dwarf_Die unit;
    Dwarf_Attribute attribute;
    if (!dwarf_diecu(die, &unit, NULL, NULL))
        return es_symbols_clean(symbols, file);
    const char *name = dwarf_attr(&unit, DW_AT_name, &attribute) ? dwarf_formstring(&attribute) : NULL;
    const char *folder = dwarf_attr(&unit, DW_AT_comp_dir, &attribute) ? dwarf_formstring(&attribute) : NULL;
    size_t length = folder ? strlen(folder) : 0;
    bool given_absolute = name && strcmp(name, file) == 0;
    if (!given_absolute && length && strncmp(file, folder, length) == 0 && file[length] == '/' && file[length + 1])
        file += length + 1;
    return es_symbols_clean(symbols, file);
}

const char *es_symbols_die_unit(es_symbols *symbols, Dwarf_Die *die)
{
    Dwarf_Die unit;
    Dwarf_Attribute attribute;
    const char *name = dwarf_diecu(die, &unit, NULL, NULL) && dwarf_attr(&unit, DW_AT_name, &attribute)
                           ? dwarf_formstring(&attribute)
                           : NULL;
    return name ? es_symbols_clean(symbols, name) : NULL;
}

/* DWARF 5 counts files from 0, which is the unit's own (clang uses it); libdw takes 0 for "none". */
static const char *declaring_file(Dwarf_Die *die)
{
    uint64_t number;
    Dwarf_Die unit;
    Dwarf_Half version;
    Dwarf_Files *files;
    size_t count;
    const char *file = dwarf_decl_file(die);
    if (file || !es_symbols_die_number(die, DW_AT_decl_file, &number) || number != 0 ||
        !dwarf_cu_die(die->cu, &unit, &version, NULL, NULL, NULL, NULL, NULL) || version < 5 ||
        dwarf_getsrcfiles(&unit, &files, &count) != 0 || count == 0)
        return file;
    return dwarf_filesrc(files, 0, NULL, NULL);
}

const char *es_symbols_die_file(es_symbols *symbols, Dwarf_Die *die, unsigned *line)
{
    Dwarf_Die origin = es_symbols_die_origin(die);
    int number;
    *line = 0;
    if (dwarf_decl_line(die, &number) == 0 || dwarf_decl_line(&origin, &number) == 0)
        *line = number > 0 ? (unsigned)number : 0;
    const char *file = declaring_file(die);
    if (!file)
        file = declaring_file(&origin);
    return file ? es_symbols_file_name(symbols, &origin, file) : NULL;
}
