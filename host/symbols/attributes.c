/* Build attributes: the instruction set that the program was compiled for (RISC-V ELF psABI, "Attributes"; others' have
 * the same form). */
#include "base/endian.h"
#include "symbols/internal.h"

#include <string.h>

enum { FORMAT_A = 'A', TAG_FILE = 1 };

typedef struct reader {
    const uint8_t *at, *end;
} reader;

/* Unsigned LEB128; what does not fit or is cut reads as 0 and ends the reader. */
static uint32_t number(reader *r)
{
    uint32_t value = 0;
    for (unsigned shift = 0; r->at < r->end && shift < 28; shift += 7) {
        uint8_t byte = *r->at++;
        value |= (uint32_t)(byte & 0x7F) << shift;
        if (!(byte & 0x80))
            return value;
    }
    r->at = r->end;
    return 0;
}

/* A text with its NUL; "" and the end when it has none. */
static const char *text(reader *r)
{
    const char *start = (const char *)r->at;
    const uint8_t *nul = r->at < r->end ? memchr(r->at, 0, (size_t)(r->end - r->at)) : NULL;
    r->at = nul ? nul + 1 : r->end;
    return nul ? start : "";
}

/* A part of the reader that begins with its length, which counts from `from` on; the reader goes after it. */
static reader part(reader *r, const uint8_t *from, bool big_endian)
{
    reader inside = {r->end, r->end};
    if (r->end - r->at < 4)
        return inside;
    uint32_t size = (uint32_t)es_endian_get(r->at, 4, big_endian);
    if (size < (size_t)(r->at + 4 - from) || size > (size_t)(r->end - from))
        return inside;
    inside = (reader){r->at + 4, from + size};
    r->at = inside.end;
    return inside;
}

static const char *arch_of_file(reader attributes, uint32_t wanted)
{
    while (attributes.at < attributes.end) {
        uint32_t tag = number(&attributes);
        if (tag % 2 == 0) {
            number(&attributes);
            continue;
        }
        const char *value = text(&attributes);
        if (tag == wanted && *value)
            return value;
    }
    return NULL;
}

void es_symbols_read_attributes(es_symbols *symbols, const uint8_t *bytes, size_t size)
{
    reader all = {bytes, bytes + size};
    if (size == 0 || *all.at++ != FORMAT_A)
        return;
    while (all.at < all.end && !symbols->arch) {
        reader vendor = part(&all, all.at, symbols->big_endian);
        if (vendor.at == all.end && all.at != all.end)
            return; /* damaged */
        if (strcmp(text(&vendor), symbols->isa->attributes.vendor) != 0)
            continue;
        while (vendor.at < vendor.end && !symbols->arch) {
            const uint8_t *from = vendor.at;
            uint32_t tag = number(&vendor);
            reader file = part(&vendor, from, symbols->big_endian);
            if (file.at == vendor.end && vendor.at != vendor.end)
                return;
            const char *arch = tag == TAG_FILE ? arch_of_file(file, symbols->isa->attributes.tag) : NULL;
            if (arch)
                symbols->arch = es_symbols_clean(symbols, arch);
        }
    }
}

const char *es_symbols_arch(const es_symbols *symbols)
{
    return symbols->arch;
}
