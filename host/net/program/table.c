#include "net/program/table.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint8_t *section_of(Elf *elf, const char *name, size_t *size)
{
    size_t names;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return NULL;
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn)) != NULL;) {
        GElf_Shdr header;
        const char *text = gelf_getshdr(scn, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
        if (!text || strcmp(text, name) != 0)
            continue;
        const Elf_Data *data = elf_rawdata(scn, NULL);
        uint8_t *bytes = data && data->d_size ? malloc(data->d_size) : NULL;
        if (bytes) {
            memcpy(bytes, data->d_buf, data->d_size);
            *size = data->d_size;
        }
        return bytes;
    }
    return NULL;
}

/* The section named `section` of an ELF file, in memory that the caller frees; *size in bytes. NULL with an error when
 * there is none. */
static uint8_t *elf_section(const char *path, const char *section, size_t *size, es_error *err)
{
    int file = open(path, O_RDONLY);
    if (file < 0) {
        es_fail(err, ES_USAGE, "%s: cannot be opened", path);
        return NULL;
    }
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(file, ELF_C_READ, NULL);
    const char *ident = elf ? elf_getident(elf, NULL) : NULL;
    bool big = ident && ident[EI_DATA] == ELFDATA2MSB;
    uint8_t *bytes = elf && !big ? section_of(elf, section, size) : NULL;
    elf_end(elf);
    close(file);
    if (big)
        es_fail(err, ES_USAGE, "%s: is a big-endian program, whose marks are not read; compile it without -mbig-endian",
                path);
    else if (!bytes)
        es_fail(err, ES_USAGE, "%s: has no section %s", path, section);
    return bytes;
}

static uint32_t word_at(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

es_net_mark_place *es_net_mark_table(const char *path, size_t *count, es_error *err)
{
    size_t size = 0;
    uint8_t *bytes = elf_section(path, ".earshot_marks", &size, err);
    if (!bytes)
        return NULL;
    es_net_mark_place *places = size % 12 == 0 ? calloc(size / 12, sizeof *places) : NULL;
    if (!places) {
        es_fail(err, ES_USAGE, "%s: its table of marks has %zu bytes, not a multiple of 12", path, size);
        free(bytes);
        return NULL;
    }
    *count = size / 12;
    for (size_t i = 0; i < *count; i++) {
        uint32_t what = word_at(bytes + 12 * i + 8);
        places[i] =
            (es_net_mark_place){word_at(bytes + 12 * i), word_at(bytes + 12 * i + 4), what & 0xFFFF, what >> 16 & 31};
    }
    free(bytes);
    return places;
}
