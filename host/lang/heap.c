/* heap, heap pool_get, pool_put: statements that count what is allocated and what is given back. */
#include <stdlib.h>
#include <string.h>

#include "lang/parser.h"

#define FOUND_MAX 64u
#define COUNTER "heap_live"

/* What usual C libraries and kernels call them. What changes an object's size is neither: what it calls is its own. */
enum role { TAKES, GIVES, RESIZES };
static const struct {
    const char *name;
    enum role role;
} usual[] = {{"malloc", TAKES},        {"calloc", TAKES},         {"memalign", TAKES},     {"aligned_alloc", TAKES},
             {"valloc", TAKES},        {"posix_memalign", TAKES}, {"_malloc_r", TAKES},    {"_calloc_r", TAKES},
             {"_memalign_r", TAKES},   {"pvPortMalloc", TAKES},   {"pvPortCalloc", TAKES}, {"k_malloc", TAKES},
             {"k_calloc", TAKES},      {"tlsf_malloc", TAKES},    {"free", GIVES},         {"cfree", GIVES},
             {"_free_r", GIVES},       {"vPortFree", GIVES},      {"k_free", GIVES},       {"tlsf_free", GIVES},
             {"realloc", RESIZES},     {"reallocf", RESIZES},     {"_realloc_r", RESIZES}, {"k_realloc", RESIZES},
             {"tlsf_realloc", RESIZES}};

typedef struct found {
    const es_procedure *procedure;
    const char *name; /* as it was looked for: the procedure may have others */
    enum role role;
    bool counted;
} found;

typedef struct heap {
    es_parser *parser;
    found all[FOUND_MAX];
    size_t count;
} heap;

bool es_at_heap(const es_parser *parser)
{
    es_token ahead = es_parser_peek(parser);
    bool apart = ahead.kind == ES_TOKEN_END_OF_TEXT || es_token_is_sign(&ahead, ';') ||
                 ahead.source.line != parser->token.source.line;
    return es_token_is(&parser->token, "heap") && !es_names_variable(parser, "heap") &&
           (apart || ahead.kind == ES_TOKEN_NAME);
}

static void add(heap *h, const char *name, enum role role)
{
    const es_procedure *procedure = es_symbols_procedure_named(h->parser->symbols, name);
    for (size_t i = 0; i < h->count && procedure; i++)
        if (h->all[i].procedure->low == procedure->low) /* another name of it */
            procedure = NULL;
    if (procedure && h->count < FOUND_MAX)
        h->all[h->count++] = (found){procedure, name, role, role != RESIZES};
}

static found *find(heap *h, const es_procedure *procedure)
{
    for (size_t i = 0; i < h->count && procedure; i++)
        if (h->all[i].procedure->low == procedure->low)
            return &h->all[i];
    return NULL;
}

/* What ends with a jump to another one of the same kind (malloc to _malloc_r) counts there. */
static void leave_out_jumps(heap *h)
{
    const es_call_site *sites;
    size_t count = es_symbols_calls(h->parser->symbols, &sites);
    for (size_t i = 0; i < count; i++) {
        found *from = sites[i].is_tail ? find(h, sites[i].caller) : NULL;
        const found *to = from ? find(h, sites[i].callee) : NULL;
        if (to && to != from && to->role == from->role)
            from->counted = false;
    }
}

/* One that begins while another one is active is part of that. */
static bool add_statement(heap *h, const found *one, const char *counter, bool (*parse)(es_parser *parser))
{
    es_parser *parser = h->parser;
    es_program *program = parser->program;
    const char *text = es_arena_format(parser->arena, "enter(%s)", one->name);
    for (size_t i = 0; i < h->count; i++)
        if (&h->all[i] != one)
            text = es_arena_format(parser->arena, "%s && !*:%s", text, h->all[i].name);
    text = one->role == TAKES
               ? es_arena_format(parser->arena, "%s { count %s; stats(%s); count by path }", text, counter, counter)
               : es_arena_format(parser->arena, "%s { decrement %s; count by path }", text, counter);
    if (!es_parse_made(parser, text, parse))
        return false;
    if (es_statement_named(parser, one->name, program->statement_count - 1) != ES_NO_NAME)
        return true;
    program->statements[program->statement_count - 1].name = one->name;
    return true;
}

static bool take_name(es_parser *parser, heap *h, enum role role)
{
    const char *hint = "heap, for the usual allocators; heap pool_get, pool_put for others";
    if (parser->token.kind != ES_TOKEN_NAME)
        return es_parser_fail(parser, hint, "expected a procedure that %s",
                              role == TAKES ? "allocates" : "gives back what was allocated");
    const char *name = es_parser_token_text(parser);
    size_t before = h->count;
    add(h, name, role);
    if (h->count == before)
        return es_parser_fail(parser, hint, "the program has no procedure '%s'%s", name, before ? " besides" : "");
    es_parser_take(parser);
    return true;
}

/* The procedures that are meant; *counter: of what is allocated and not given back. */
static bool take_procedures(es_parser *parser, heap *h, const char **counter)
{
    es_span from = es_parser_here(parser);
    unsigned line = parser->token.source.line;
    es_parser_take(parser);
    if (parser->token.kind == ES_TOKEN_NAME && parser->token.source.line == line) {
        *counter = es_arena_format(parser->arena, "%s_live", es_parser_token_text(parser));
        if (!take_name(parser, h, TAKES))
            return false;
        if (!es_parser_at_sign(parser, ','))
            return es_parser_fail(parser, "heap pool_get, pool_put", "expected , and the procedure that gives back");
        es_parser_take(parser);
        return take_name(parser, h, GIVES);
    }
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        add(h, usual[i].name, usual[i].role);
    leave_out_jumps(h);
    return h->count || es_parser_fail_from(parser, from, "heap pool_get, pool_put, for allocators of your own",
                                           "the program has none of the usual allocators (malloc, pvPortMalloc, ...)");
}

/* Other statements may read it. */
static void add_counter(es_parser *parser, const char *counter)
{
    if (es_names_counter(parser, counter))
        return;
    parser->counters = es_arena_grow(parser->arena, parser->counters, parser->counter_count, sizeof *parser->counters);
    parser->counters[parser->counter_count++] = counter;
}

void es_heap_counters(es_parser *parser, const es_token *token, const es_token *next)
{
    if (!es_token_is(token, "heap") || es_token_is_sign(next, ':'))
        return;
    bool named = next->kind == ES_TOKEN_NAME && next->source.line == token->source.line;
    add_counter(parser, named ? es_arena_format(parser->arena, "%.*s_live", (int)next->length, next->start) : COUNTER);
}

bool es_parse_heap(es_parser *parser, bool (*parse)(es_parser *parser))
{
    heap h = {.parser = parser};
    const char *counter = COUNTER;
    if (!take_procedures(parser, &h, &counter))
        return false;
    for (size_t i = 0; i < h.count; i++)
        if (h.all[i].counted && !add_statement(&h, &h.all[i], counter, parse))
            return false;
    return true;
}
