#include "record/cover.h"

#include <stdlib.h>
#include <string.h>

struct es_covered {
    es_arena *arena; /* of texts and lists */
    const char **texts;
    size_t text_count;
    es_covered_line *lines;
    size_t line_count;
    es_covered_function *functions;
    size_t function_count;
};

es_covered *es_covered_new(void)
{
    es_covered *covered = es_malloc(sizeof *covered);
    *covered = (es_covered){.arena = es_arena_new()};
    return covered;
}

void es_covered_free(es_covered *covered)
{
    if (!covered)
        return;
    es_arena_free(covered->arena);
    free(covered);
}

/* --- what there is ---------------------------------------------------------------------------------------------- */

/* A copy that stays; of a file, which comes again and again, the same one. */
static const char *keep(es_covered *covered, const char *text)
{
    for (size_t i = covered->text_count; i-- > 0;)
        if (strcmp(covered->texts[i], text) == 0)
            return covered->texts[i];
    covered->texts = es_arena_grow(covered->arena, covered->texts, covered->text_count, sizeof *covered->texts);
    return covered->texts[covered->text_count++] = es_arena_copy(covered->arena, text, strlen(text));
}

static int compare_lines(const void *left, const void *right)
{
    const es_covered_line *a = left, *b = right;
    int files = a->file == b->file ? 0 : strcmp(a->file, b->file);
    return files ? files : (a->line > b->line) - (a->line < b->line);
}

static int compare_functions(const void *left, const void *right)
{
    const es_covered_function *a = left, *b = right;
    int files = a->file == b->file ? 0 : strcmp(a->file, b->file);
    int lines = files ? files : (a->line > b->line) - (a->line < b->line);
    return lines ? lines : strcmp(a->name, b->name);
}

static void settle_lines(es_covered *covered)
{
    size_t kept = 0;
    qsort(covered->lines, covered->line_count, sizeof *covered->lines, compare_lines);
    for (size_t i = 0; i < covered->line_count; i++) {
        if (kept && compare_lines(&covered->lines[kept - 1], &covered->lines[i]) == 0)
            covered->lines[kept - 1].ran |= covered->lines[i].ran;
        else
            covered->lines[kept++] = covered->lines[i];
    }
    covered->line_count = kept;
}

static void settle_functions(es_covered *covered)
{
    size_t kept = 0;
    qsort(covered->functions, covered->function_count, sizeof *covered->functions, compare_functions);
    for (size_t i = 0; i < covered->function_count; i++) {
        if (kept && compare_functions(&covered->functions[kept - 1], &covered->functions[i]) == 0)
            covered->functions[kept - 1].ran |= covered->functions[i].ran;
        else
            covered->functions[kept++] = covered->functions[i];
    }
    covered->function_count = kept;
}

static es_covered_function function_of(es_covered *covered, const es_cover_function *function)
{
    return (es_covered_function){keep(covered, function->file ? function->file : ""), function->line,
                                 keep(covered, function->name), false};
}

void es_covered_add(es_covered *covered, const es_cover *cover)
{
    for (size_t i = 0; i < cover->place_count; i++) {
        const es_cover_place *place = &cover->places[i];
        covered->lines = es_arena_grow(covered->arena, covered->lines, covered->line_count, sizeof *covered->lines);
        covered->lines[covered->line_count++] = (es_covered_line){keep(covered, place->file), place->line, false};
    }
    for (size_t i = 0; i < cover->function_count; i++) {
        es_covered_function function = function_of(covered, &cover->functions[i]);
        covered->functions =
            es_arena_grow(covered->arena, covered->functions, covered->function_count, sizeof *covered->functions);
        covered->functions[covered->function_count++] = function;
    }
    if (covered->line_count)
        settle_lines(covered);
    if (covered->function_count)
        settle_functions(covered);
}

size_t es_covered_add_schema(es_covered *covered, const es_schema *schema)
{
    size_t count = 0;
    for (size_t i = 0; i < schema->statement_count; i++)
        for (size_t k = 0; k < schema->statements[i].aggregate_count; k++)
            if (schema->statements[i].aggregates[k].cover) {
                es_covered_add(covered, schema->statements[i].aggregates[k].cover);
                count++;
            }
    return count;
}

/* --- what ran --------------------------------------------------------------------------------------------------- */

static void place_ran(es_covered *covered, const es_cover *cover, const es_cover_place *place)
{
    es_covered_line line = {keep(covered, place->file), place->line, false};
    es_covered_function function = function_of(covered, &cover->functions[place->function]);
    es_covered_line *found = bsearch(&line, covered->lines, covered->line_count, sizeof *covered->lines, compare_lines);
    es_covered_function *in =
        bsearch(&function, covered->functions, covered->function_count, sizeof *covered->functions, compare_functions);
    if (found)
        found->ran = true;
    if (in)
        in->ran = true;
}

void es_covered_ran(es_covered *covered, const es_cover *cover, uint32_t pc)
{
    size_t low = 0, high = cover->place_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (cover->places[middle].pc < pc)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < cover->place_count && cover->places[low].pc == pc; low++)
        place_ran(covered, cover, &cover->places[low]);
}

void es_covered_take(es_covered *covered, const es_schema *schema, const es_hit *hit)
{
    const es_schema_statement *statement = &schema->statements[hit->statement];
    for (size_t k = 0; k < statement->aggregate_count; k++)
        if (statement->aggregates[k].cover)
            es_covered_ran(covered, statement->aggregates[k].cover, hit->pc);
}

size_t es_covered_lines(const es_covered *covered, const es_covered_line **lines)
{
    *lines = covered->lines;
    return covered->line_count;
}

size_t es_covered_functions(const es_covered *covered, const es_covered_function **functions)
{
    *functions = covered->functions;
    return covered->function_count;
}
