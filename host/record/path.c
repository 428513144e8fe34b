#include "record/path.h"

#include <stdlib.h>
#include <string.h>

#define ADDRESS_LENGTH 10 /* 0x and eight digits */

/* One that joins no components of a C++ name. */
static bool is_single_colon(const char *text, const char *at)
{
    return *at == ':' && at[1] != ':' && (at == text || at[-1] != ':');
}

void es_path_add(es_text_buffer *path, const es_path_part *part)
{
    es_text_add(path, ":", path->length ? 1 : 0);
    es_text_add(path, "!", part->interrupt ? 1 : 0);
    if (!part->name)
        es_text_format(path, "0x%08x", (unsigned)part->address);
    for (const char *at = part->name; at && *at; at++)
        es_text_add(path, is_single_colon(part->name, at) ? "\\:" : at, is_single_colon(part->name, at) ? 2 : 1);
}

bool es_path_next(const char **at, es_text_buffer *name, es_path_part *part)
{
    if (!*at || !**at)
        return false;
    *part = (es_path_part){.interrupt = **at == '!'};
    const char *text = *at + part->interrupt, *end = text;
    es_text_clear(name);
    for (; *end; end++) {
        if (*end == '\\' && end[1] == ':')
            end++;
        else if (is_single_colon(text, end))
            break;
        es_text_add(name, end, 1);
    }
    *at = *end ? end + 1 : end;
    char *rest;
    bool address = end - text == ADDRESS_LENGTH && strncmp(text, "0x", 2) == 0;
    part->address = address ? (uint32_t)strtoul(text, &rest, 16) : 0;
    part->name = address ? NULL : name->text ? name->text : "";
    return true;
}
