#include "export/html/texts.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

/* es_names has no empty text: all stand there with a character before them. */
#define BEFORE '='

es_page_texts es_page_texts_new(void)
{
    return (es_page_texts){.texts = es_names_new()};
}

void es_page_texts_free(es_page_texts *texts)
{
    es_names_free(texts->texts);
    free(texts->numbers);
}

uint32_t es_page_text(es_page_texts *texts, const char *text)
{
    char brief[256], *all = brief;
    if (!text)
        return 0;
    size_t length = strlen(text);
    if (length + 2 > sizeof brief)
        all = es_malloc(length + 2);
    all[0] = BEFORE;
    memcpy(all + 1, text, length + 1);
    uint32_t number = es_names_add(texts->texts, all, length + 1);
    if (all != brief)
        free(all);
    return number;
}

static void make_room(es_page_texts *texts, uint32_t name)
{
    uint32_t count = es_names_count(texts->names) + 64;
    count = count > name ? count : name + 1;
    texts->numbers = es_realloc(texts->numbers, count * sizeof *texts->numbers);
    memset(texts->numbers + texts->number_count, 0, (count - texts->number_count) * sizeof *texts->numbers);
    texts->number_count = count;
}

uint32_t es_page_text_of_name(es_page_texts *texts, uint32_t name)
{
    if (!name)
        return 0;
    if (name >= texts->number_count)
        make_room(texts, name);
    if (!texts->numbers[name])
        texts->numbers[name] = es_page_text(texts, es_names_text(texts->names, name));
    return texts->numbers[name];
}
