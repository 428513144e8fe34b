/* Places in the source: file and line, or the number of a statement in a procedure, to addresses of code. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "lang/parser.h"
#include "symbols/code.h"

/* A place where the code of a line begins: the instruction before it belongs to another line, or to nobody. */
typedef struct row {
    uint32_t address;
    const char *file;
    unsigned line;
} row;

/* The rows of a procedure, from *address on; *address goes on after the one that is found. */
static bool next_row(const es_parser *parser, const es_procedure *procedure, uint32_t *address, row *last, row *found)
{
    for (; *address < procedure->high && *address >= procedure->low; *address += 2) {
        row here = {*address, NULL, 0};
        if (!es_symbols_line(parser->symbols, *address, &here.file, &here.line) || !here.file)
            here = (row){*address, NULL, 0};
        bool same = here.line == last->line &&
                    (here.file == last->file || (here.file && last->file && strcmp(here.file, last->file) == 0));
        *last = here;
        if (!same && here.line) {
            *found = here;
            *address += 2;
            return true;
        }
    }
    return false;
}

static int by_address(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static const es_position *make(es_parser *parser, const char *text, const row *place, uint32_t *addresses, size_t count)
{
    es_position *made = es_arena_alloc(parser->arena, sizeof *made);
    if (count > 1)
        qsort(addresses, count, sizeof *addresses, by_address);
    size_t kept = 1; /* a procedure may be listed twice */
    for (size_t i = 1; i < count; i++)
        if (addresses[i] != addresses[kept - 1])
            addresses[kept++] = addresses[i];
    *made = (es_position){text, place->file, place->line, addresses, kept, NULL};
    return made;
}

/* --- where a line's statements begin ------------------------------------------------------------------------------ */

/* Optimisation scatters the instructions of a statement; debug information then says of one of them that the statement
 * begins there. Where it says so anywhere, these are the places of the line. */
typedef struct places {
    uint32_t *all; /* where code of the line begins */
    size_t count;
    uint32_t *statements; /* ... with a statement's beginning; and where one begins that has no code there */
    size_t statement_count;
} places;

static void add_address(es_parser *parser, uint32_t **list, size_t *count, uint32_t address)
{
    *list = es_arena_grow(parser->arena, *list, *count, sizeof **list);
    (*list)[(*count)++] = address;
}

/* Adds the code of the line that begins at a row of it. */
static void add_run(es_parser *parser, places *p, const es_procedure *procedure, const row *at)
{
    const char *file = at->file;
    unsigned line = at->line;
    uint32_t end = at->address, first;
    while (end < procedure->high && file == at->file && line == at->line) {
        end += 2;
        if (!es_symbols_line(parser->symbols, end, &file, &line))
            break;
    }
    add_address(parser, &p->all, &p->count, at->address);
    if (es_symbols_statements(parser->symbols, at->file, at->line, at->address, end, &first, 1))
        add_address(parser, &p->statements, &p->statement_count, first);
}

/* Adds statements of the line that begin where the code is another line's. */
static void add_bare(es_parser *parser, places *p, const es_procedure *procedure, const char *file, unsigned line)
{
    uint32_t low = procedure->low, at;
    while (low < procedure->high && low >= procedure->low &&
           es_symbols_statements(parser->symbols, file, line, low, procedure->high, &at, 1)) {
        const char *here;
        unsigned number;
        if (!es_symbols_line(parser->symbols, at, &here, &number) || number != line || strcmp(here, file) != 0)
            add_address(parser, &p->statements, &p->statement_count, at);
        low = at + 2;
    }
}

static const es_position *make_of(es_parser *parser, const char *text, const row *place, const places *p)
{
    return p->statement_count ? make(parser, text, place, p->statements, p->statement_count)
                              : make(parser, text, place, p->all, p->count);
}

/* What a search for FILE:LINE meets. */
typedef struct search {
    const char *wanted;
    unsigned line;
    row place;         /* .file: the file of the first match */
    const char *other; /* another file that fits the name */
    unsigned near;     /* the next line after that has code, else the last one before */
    bool file_known;
    places places;
} search;

static void look_at(es_parser *parser, search *s, const es_procedure *procedure, const row *at)
{
    if (!es_file_matches(at->file, s->wanted))
        return;
    if (!s->file_known)
        s->place.file = at->file;
    s->file_known = true;
    if (strcmp(s->place.file, at->file) != 0) {
        s->other = at->file;
        return;
    }
    bool later = at->line > s->line, near_later = s->near > s->line;
    if (s->near == 0 || (later ? !near_later || at->line < s->near : !near_later && at->line > s->near))
        s->near = at->line;
    s->place.line = s->line;
    if (at->line == s->line)
        add_run(parser, &s->places, procedure, at);
}

static void find_line(es_parser *parser, search *s)
{
    const es_procedure *const *all;
    size_t count = es_symbols_procedures(parser->symbols, &all);
    for (size_t i = 0; i < count; i++) {
        row last = {0}, at;
        uint32_t address = all[i]->low;
        while (next_row(parser, all[i], &address, &last, &at))
            look_at(parser, s, all[i], &at);
    }
    for (size_t i = 0; i < count && s->file_known; i++)
        add_bare(parser, &s->places, all[i], s->place.file, s->line);
}

/* Takes `file.c` or `"file name"`. */
static const char *parse_file(es_parser *parser)
{
    const char *file;
    if (parser->token.kind == ES_TOKEN_STRING) {
        file = es_arena_copy(parser->arena, parser->token.start + 1, parser->token.length - 2);
        es_parser_take(parser);
        return file;
    }
    const char *start = parser->token.start;
    bool name = parser->token.kind == ES_TOKEN_NAME;
    while (name) {
        es_parser_take(parser);
        if (!es_parser_at_sign(parser, '.') && !es_parser_at_sign(parser, '/') && !es_parser_at_sign(parser, '-'))
            return es_arena_copy(parser->arena, start, (size_t)(parser->previous_end - start));
        es_parser_take(parser);
        name = parser->token.kind == ES_TOKEN_NAME;
    }
    es_parser_fail(parser, "at(file.c:42); a name with other characters in quotes: at(\"my file.c\":42)",
                   "expected a file's name");
    return NULL;
}

const es_position *es_parse_line(es_parser *parser)
{
    es_span from = es_parser_here(parser);
    search s = {.wanted = parse_file(parser)};
    if (!s.wanted)
        return NULL;
    if (!es_parser_at_sign(parser, ':')) {
        es_parser_fail(parser, "at(file.c:42), or at(control\\3): the third line of control that has code",
                       "expected : and a line's number");
        return NULL;
    }
    es_parser_take(parser);
    if (parser->token.kind != ES_TOKEN_NUMBER || parser->token.value == 0 || parser->token.value > INT32_MAX) {
        es_parser_fail(parser, "at(file.c:42)", "expected a line's number");
        return NULL;
    }
    s.line = (unsigned)parser->token.value;
    es_parser_take(parser);
    find_line(parser, &s);
    if (s.other) {
        es_parser_fail_from(parser, from,
                            es_arena_format(parser->arena, "write at(\"%s\":%u) or at(\"%s\":%u)", s.place.file, s.line,
                                            s.other, s.line),
                            "'%s' is ambiguous: there are several files of this name", s.wanted);
        return NULL;
    }
    if (!s.file_known) {
        es_parser_fail_from(parser, from,
                            "the files that were compiled with -g count, as the compiler was given their names",
                            "no code comes from a file '%s'", s.wanted);
        return NULL;
    }
    if (s.places.count + s.places.statement_count == 0) {
        es_parser_fail_from(parser, from,
                            es_arena_format(parser->arena, "the %s line that has code is %u",
                                            s.near > s.line ? "next" : "last", s.near),
                            "line %u of %s has no code", s.line, s.place.file);
        return NULL;
    }
    return make_of(parser, es_arena_format(parser->arena, "%s:%u", es_base_name(s.place.file), s.line), &s.place,
                   &s.places);
}

/* --- instructions by address -------------------------------------------------------------------------------------- */

bool es_at_instruction(const es_parser *parser)
{
    const es_token *token = &parser->token;
    return token->kind == ES_TOKEN_NUMBER && token->length > 2 && token->start[0] == '0' &&
           (token->start[1] == 'x' || token->start[1] == 'X');
}

/* An instruction begins there: of the procedure that has it, from its first one on. */
static bool is_instruction(const es_parser *parser, const es_procedure *procedure, uint32_t address)
{
    es_insn insn;
    uint32_t at = procedure->low;
    while (at < address && es_symbols_insn(parser->symbols, at, &insn) && insn.size)
        at += insn.size;
    return at == address && es_symbols_insn(parser->symbols, at, &insn) && insn.size;
}

const es_position *es_parse_instruction(es_parser *parser)
{
    es_span from = es_parser_here(parser);
    uint64_t value = parser->token.value;
    uint32_t address = (uint32_t)value;
    es_parser_take(parser);
    const es_procedure *procedure = value <= UINT32_MAX ? es_symbols_procedure_at(parser->symbols, address) : NULL;
    if (!procedure || !is_instruction(parser, procedure, address)) {
        es_parser_fail_from(parser, from,
                            procedure ? es_arena_format(parser->arena,
                                                        "%s begins at 0x%x, and its instructions have 2 "
                                                        "or 4 bytes",
                                                        procedure->name, (unsigned)procedure->low)
                                      : "at(0x1234) takes the address of an instruction in a procedure",
                            "no instruction begins there");
        return NULL;
    }
    row place = {address, "", 0};
    const char *file;
    if (es_symbols_line(parser->symbols, address, &file, &place.line) && file)
        place.file = file;
    uint32_t *addresses = es_arena_alloc(parser->arena, sizeof *addresses);
    addresses[0] = address;
    return make(parser, es_arena_format(parser->arena, "0x%x", (unsigned)address), &place, addresses, 1);
}

/* --- statements by number ----------------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x > y) - (x < y);
}

typedef struct body {
    unsigned *lines; /* that have code, ascending */
    size_t count;
    const char *file;
    unsigned head;
} body;

/* Adds those of a procedure. */
static void add_body(es_parser *parser, body *b, const es_procedure *procedure)
{
    row last = {0}, at;
    uint32_t address = procedure->low;
    while (next_row(parser, procedure, &address, &last, &at)) {
        if (!b->file) {
            b->file = at.file;
            b->head = at.line;
        }
        bool inlined = strcmp(at.file, b->file) != 0 || at.line < b->head;
        bool known = inlined || at.line == b->head;
        for (size_t i = 0; i < b->count && !known; i++)
            known = b->lines[i] == at.line;
        if (known)
            continue;
        b->lines = es_arena_grow(parser->arena, b->lines, b->count, sizeof *b->lines);
        b->lines[b->count++] = at.line;
    }
}

/* The lines of the body of what a step means: of clones, those that any of them has. Its head does not count where
 * there is more than it. */
static body body_of(es_parser *parser, const es_step *step)
{
    body b = {0};
    for (size_t i = 0; i < es_step_copies(step); i++)
        add_body(parser, &b, es_step_copy(step, i));
    if (b.count)
        qsort(b.lines, b.count, sizeof *b.lines, by_number);
    if (b.count || !b.file)
        return b;
    b.lines = es_arena_grow(parser->arena, NULL, 0, sizeof *b.lines);
    b.lines[b.count++] = b.head;
    return b;
}

const es_position *es_statement_position(es_parser *parser, es_span from, const es_path *path, unsigned number)
{
    const es_step *end = es_path_last(path);
    const char *name = end->procedure->name;
    body b = body_of(parser, end);
    if (b.count == 0) {
        es_parser_fail_from(parser, from, "compile its file with -g", "nothing is known about the lines of %s", name);
        return NULL;
    }
    if (number < 1 || number > b.count) {
        const char *list = NULL;
        for (size_t i = 0; i < b.count && i < 12; i++)
            list = es_arena_format(parser->arena, "%s%s%zu: line %u", list ? list : "it has ", list ? ", " : "", i + 1,
                                   b.lines[i]);
        es_parser_fail_from(parser, from, b.count > 12 ? es_arena_format(parser->arena, "%s, ...", list) : list,
                            "%s has no statement %u: lines with code are counted, its head is not", name, number);
        return NULL;
    }
    places found = {0};
    row place = {0, b.file, b.lines[number - 1]};
    for (size_t i = 0; i < es_step_copies(end); i++) {
        const es_procedure *procedure = es_step_copy(end, i);
        row last = {0}, at;
        uint32_t address = procedure->low;
        while (next_row(parser, procedure, &address, &last, &at))
            if (at.line == place.line && strcmp(at.file, b.file) == 0)
                add_run(parser, &found, procedure, &at);
        add_bare(parser, &found, procedure, b.file, place.line);
    }
    return make_of(parser, es_arena_format(parser->arena, "%s\\%u", path->text, number), &place, &found);
}
