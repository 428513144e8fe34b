/* cover control.c, cover plant_*: one statement for all lines that are meant. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "lang/parser.h"

bool es_at_cover(const es_parser *parser)
{
    return es_at_pattern(parser, "cover");
}

typedef struct collection {
    es_parser *parser;
    const es_procedure *procedure;
    bool all; /* the procedure's name is meant: lines of whichever file; else those of files that are */
    es_cover_rows *rows;
} collection;

/* Of several lines that begin at one address the last one has the instruction. The others have none, and where the
 * optimiser has left them, their statements need not have run when this one is reached. */
static bool has_instruction(const es_symbols *symbols, const es_begin_row *row)
{
    const char *file;
    unsigned line;
    return es_symbols_line(symbols, row->address, &file, &line) && line == row->line && strcmp(file, row->file) == 0;
}

static void take_row(void *context, const es_begin_row *row)
{
    const collection *c = context;
    es_cover_rows *rows = c->rows;
    if ((!c->all && !es_is_file_of_pattern(row->file, rows->pattern)) || !has_instruction(c->parser->symbols, row))
        return;
    rows->rows = es_arena_grow(c->parser->arena, rows->rows, rows->count, sizeof *rows->rows);
    rows->rows[rows->count++] = (es_cover_row){row->address, row->file, row->line, c->procedure};
}

static int by_place(const void *left, const void *right)
{
    const es_cover_row *a = left, *b = right;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return strcmp(a->file, b->file);
}

/* By address, each line of an address once; and the addresses. */
static void settle(es_parser *parser, es_cover_rows *rows)
{
    size_t kept = 0, count = 0;
    qsort(rows->rows, rows->count, sizeof *rows->rows, by_place);
    uint32_t *addresses = es_arena_alloc(parser->arena, rows->count * sizeof *addresses);
    for (size_t i = 0; i < rows->count; i++) {
        if (kept && by_place(&rows->rows[kept - 1], &rows->rows[i]) == 0)
            continue;
        rows->rows[kept++] = rows->rows[i];
        if (!count || addresses[count - 1] != rows->rows[i].address)
            addresses[count++] = rows->rows[i].address;
    }
    rows->count = kept;
    rows->position = (es_position){.text = es_arena_format(parser->arena, "lines of %s", rows->pattern),
                                   .file = rows->rows[0].file,
                                   .line = rows->rows[0].line,
                                   .addresses = addresses,
                                   .count = count};
}

/* Its statement is called `cover`, if no other one is. */
static bool add_statement(es_parser *parser, const es_cover_rows *rows, bool (*parse)(es_parser *parser))
{
    es_program *program = parser->program;
    parser->cover = rows;
    bool good = es_parse_made(parser, "at(lines) { cover }", parse);
    parser->cover = NULL;
    if (!good)
        return false;
    es_statement *made = &program->statements[program->statement_count - 1];
    made->text = es_arena_format(parser->arena, "cover %s", rows->pattern);
    if (es_statement_named(parser, "cover", program->statement_count - 1) != ES_NO_NAME)
        return true;
    made->name = "cover";
    return true;
}

bool es_parse_cover(es_parser *parser, bool (*parse)(es_parser *parser))
{
    es_parser_take(parser);
    es_span from = es_parser_here(parser);
    es_cover_rows *rows = es_arena_alloc(parser->arena, sizeof *rows);
    rows->pattern = es_take_pattern(parser);
    const es_procedure *const *all;
    size_t count = es_symbols_procedures(parser->symbols, &all);
    for (size_t i = 0; i < count; i++) {
        const char *name = all[i]->name;
        bool helper = strncmp(name, "__", 2) == 0 && strncmp(rows->pattern, "__", 2) != 0; /* the compiler's */
        collection c = {parser, all[i], !helper && fnmatch(rows->pattern, name, 0) == 0, rows};
        es_symbols_each_statement(parser->symbols, all[i]->low, all[i]->high, take_row, &c);
    }
    if (!rows->count)
        return es_parser_fail_from(parser, from, "cover control.c, cover control, cover plant_*; compiled with -g",
                                   "no procedure of the program, and no file, with lines that have code is called %s",
                                   rows->pattern);
    settle(parser, rows);
    return add_statement(parser, rows, parse);
}
