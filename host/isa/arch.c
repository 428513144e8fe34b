#include "isa/arch.h"

#include <string.h>

const char *es_arch_extensions(const char *arch)
{
    static const char prefix[] = "rv32";
    return arch && strncmp(arch, prefix, strlen(prefix)) == 0 ? arch + strlen(prefix) : NULL;
}

size_t es_arch_next(const char **at, const char **name)
{
    while (**at == '_')
        ++*at;
    *name = *at;
    if (!**at)
        return 0;
    size_t length = 1;
    if (strchr("zsx", **at)) {
        length = strcspn(*at, "_");
        *at += length;
        /* the version, "2p0", ends the word; a digit in a name ("zve32x") does not */
        size_t end = length;
        while (end > 1 && (*name)[end - 1] >= '0' && (*name)[end - 1] <= '9')
            end--;
        if (end < length && end > 1 && (*name)[end - 1] == 'p') {
            for (end--; end > 1 && (*name)[end - 1] >= '0' && (*name)[end - 1] <= '9';)
                end--;
            length = end;
        }
        return length;
    }
    ++*at;
    *at += strspn(*at, "0123456789");
    if (**at == 'p' && (*at)[1] >= '0' && (*at)[1] <= '9')
        *at += 1 + strspn(*at + 1, "0123456789");
    return length;
}

bool es_arch_names(const char *arch, const char *extension)
{
    const char *name;
    size_t length;
    for (const char *at = es_arch_extensions(arch); at && (length = es_arch_next(&at, &name)) > 0;)
        if (strlen(extension) == length && strncmp(extension, name, length) == 0)
            return true;
    return false;
}
