#include "cli/texts.h"

#include <stdlib.h>

#include "base/arena.h"

#define STATEMENT_FILE_MAX (1u << 20)

static void add(es_texts *texts, const char *file, const char *text, es_text_buffer owned)
{
    texts->items = es_realloc(texts->items, (texts->count + 1) * sizeof *texts->items);
    texts->files = es_realloc(texts->files, (texts->count + 1) * sizeof *texts->files);
    texts->items[texts->count] = (es_text){file, text};
    texts->files[texts->count++] = owned;
}

void es_texts_add(es_texts *texts, const char *statement)
{
    add(texts, "-e", statement, (es_text_buffer){0});
}

void es_texts_add_task(es_texts *texts, const char *variable)
{
    es_text_buffer text = {0};
    es_text_format(&text, "tasks %s", variable);
    add(texts, "--task", text.text, text);
}

bool es_texts_add_file(es_texts *texts, const char *path, es_error *err)
{
    es_text_buffer file;
    if (!es_text_read_file(&file, path, STATEMENT_FILE_MAX, err))
        return false;
    add(texts, path, file.text, file);
    return true;
}

void es_texts_free(es_texts *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        es_text_free(&texts->files[i]);
    free(texts->items);
    free(texts->files);
}
