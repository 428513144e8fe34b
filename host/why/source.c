#include "why/source.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

#define SOURCE_MAX (16u << 20)

static es_why_source_file *file_of(es_why_source *source, const char *name)
{
    for (size_t i = 0; i < source->count; i++)
        if (strcmp(source->files[i].name, name) == 0)
            return &source->files[i];
    source->files = es_realloc(source->files, (source->count + 1) * sizeof *source->files);
    es_why_source_file *file = &source->files[source->count++];
    *file = (es_why_source_file){.name = es_malloc(strlen(name) + 1)};
    memcpy(file->name, name, strlen(name) + 1);
    es_error err;
    if (!es_text_read_file(&file->text, name, SOURCE_MAX, &err))
        es_text_clear(&file->text);
    return file;
}

const char *es_why_source_line(es_why_source *source, const char *file, unsigned line, size_t *length)
{
    const char *at = file_of(source, file)->text.text;
    for (unsigned i = 1; at && i < line; i++) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    if (!at || !*at || !line)
        return NULL;
    size_t end = strcspn(at, "\r\n"), begin = strspn(at, " \t");
    begin = begin < end ? begin : end;
    while (end > begin && (at[end - 1] == ' ' || at[end - 1] == '\t'))
        end--;
    *length = end - begin;
    return at + begin;
}

const es_text_buffer *es_why_source_file_text(es_why_source *source, const char *file)
{
    return &file_of(source, file)->text;
}

void es_why_source_free(es_why_source *source)
{
    for (size_t i = 0; i < source->count; i++) {
        free(source->files[i].name);
        es_text_free(&source->files[i].text);
    }
    free(source->files);
    *source = (es_why_source){0};
}
