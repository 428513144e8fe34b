#include "cli/commands/texts.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"

#define STATEMENT_FILE_MAX (16u << 20)

static void add(es_texts *texts, const char *file, const char *text, es_text_buffer owned)
{
    texts->items = es_realloc(texts->items, (texts->count + 1) * sizeof *texts->items);
    texts->files = es_realloc(texts->files, (texts->count + 1) * sizeof *texts->files);
    texts->items[texts->count] = (es_text){file, text};
    texts->files[texts->count++] = owned;
}

/* The only one is -e; of several each has its number, so that a message tells which it is about. */
void es_texts_add(es_texts *texts, const char *statement)
{
    add(texts, "-e", statement, (es_text_buffer){0});
    size_t number = ++texts->expressions;
    if (number == 1) {
        texts->first = texts->count - 1;
        return;
    }
    texts->items[texts->first].file = "-e 1";
    es_text_format(&texts->files[texts->count - 1], "-e %zu", number);
    texts->items[texts->count - 1].file = texts->files[texts->count - 1].text;
}

bool es_texts_parse(const es_symbols *symbols, const es_text *texts, size_t count, es_program *program, es_error *err)
{
    es_text_buffer earlier = {0};
    bool good = es_program_parse_all(symbols, texts, count, program, &earlier, err);
    if (earlier.length) {
        fflush(stdout);
        fwrite(earlier.text, 1, earlier.length, stderr);
    }
    es_text_free(&earlier);
    return good;
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
