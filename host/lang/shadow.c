/* What only the replay sees: variables that are not in memory, result(f), reg(a0). They have cells for places
 * (symbols/shadows.h). */
#include "symbols/shadows.h"
#include "symbols/values.h"

#include <string.h>

#include "lang/parser.h"

static bool are_clones(const es_procedure *const *found, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (!es_symbols_are_clones(found[0], found[i]))
            return false;
    return true;
}

/* Where a procedure has clones, one stands for all of them: its variables have cells, whichever clone runs. */
static const es_procedure *resolve_clones(es_parser *parser, es_span from, const char *file, const char *name)
{
    const es_procedure *found[ES_PROCEDURES_MAX];
    size_t count = es_resolve_procedures(parser, from, file, name, found);
    if (!are_clones(found, count))
        es_refuse_several(parser, from, found, count);
    return count && are_clones(found, count) ? found[0] : NULL;
}

const es_procedure *es_resolve_path_owner(es_parser *parser, es_span from, const es_path *path)
{
    const es_step *end = es_path_last(path);
    if (path->copies)
        return es_path_owner(parser, path);
    if (end->copy_count && !(es_symbols_uses_shadows(parser->symbols) && are_clones(end->copies, end->copy_count))) {
        es_refuse_several(parser, from, end->copies, end->copy_count);
        return NULL;
    }
    return end->procedure;
}

/* Can an activation of one of the path's last procedures lie on another one of them? The cells are the innermost
 * one's. */
static bool may_nest(es_parser *parser, const es_step *end)
{
    for (size_t i = 0; i < es_step_copies(end); i++)
        for (size_t k = 0; k < es_step_copies(end); k++)
            if (es_step_copy(end, i)->is_recursive ||
                (i != k && es_leads_to(parser, es_step_copy(end, i), es_step_copy(end, k))))
                return true;
    return false;
}

const es_procedure *es_resolve_owner(es_parser *parser, es_span from, const char *file, const char *name)
{
    const es_procedure *const *inlined, *own;
    size_t count = es_symbols_inlined_procedures(parser->symbols, &inlined);
    bool has_code = es_symbols_procedures_named(parser->symbols, file, name, &own, 1);
    for (size_t i = 0; i < count && !has_code && es_symbols_uses_shadows(parser->symbols); i++)
        if (strcmp(inlined[i]->name, name) == 0 &&
            (!file || (inlined[i]->file && es_file_matches(inlined[i]->file, file))))
            return inlined[i];
    return es_symbols_uses_shadows(parser->symbols) ? resolve_clones(parser, from, file, name)
                                                    : es_resolve_procedure(parser, from, file, name);
}

bool es_check_shadow(es_parser *parser, es_span from, const es_variable *variable, const es_path *path, bool *anywhere)
{
    const es_procedure *procedure = variable->procedure;
    if (!procedure || variable->shadow->kind != ES_SHADOW_VARIABLE)
        return true;
    if (path && !es_path_is_any(path) && may_nest(parser, es_path_last(path)))
        return es_parser_fail_from(parser, from,
                                   es_arena_format(parser->arena, "%s\\%s", procedure->name, variable->name),
                                   "'%s' is not in memory (it %s), and %s is recursive: only its innermost activation "
                                   "can be meant",
                                   variable->name, variable->shadow->words, procedure->name);
    const char *contradiction = es_symbols_contradiction(parser->symbols, variable);
    if (contradiction)
        es_parser_warn(parser, es_arena_format(parser->arena,
                                               "%s\\%s: the debug information contradicts itself (it %s): what it is "
                                               "there is taken for unknown",
                                               procedure->name, variable->name, contradiction));
    *anywhere = !path && procedure->low < procedure->high && !es_has_copies(parser, procedure) &&
                !es_symbols_in_clones(parser->symbols, variable);
    return true;
}

static bool begins(const es_parser *parser, const char *word)
{
    es_token ahead = es_parser_peek(parser);
    return es_token_is(&parser->token, word) && es_token_is_sign(&ahead, '(');
}

static bool names_stack(const es_parser *parser, const char *word)
{
    return es_token_is(&parser->token, word) && !es_names_variable(parser, word) && !es_names_counter(parser, word);
}

/* stackdepth, stackpeak: unless the program has a variable of that name, or another statement counts in it. */
static bool at_stack(const es_parser *parser)
{
    es_token ahead = es_parser_peek(parser);
    return (names_stack(parser, "stackdepth") || names_stack(parser, "stackpeak")) && !es_token_is_sign(&ahead, '\\') &&
           !es_token_is_sign(&ahead, ':');
}

bool es_at_shadow(const es_parser *parser)
{
    return begins(parser, "result") || begins(parser, "reg") || at_stack(parser);
}

static const es_variable *parse_stack(es_parser *parser)
{
    es_span at = es_parser_here(parser);
    const char *why = NULL;
    const es_variable *found = es_symbols_stack_shadow(parser->symbols, es_token_is(&parser->token, "stackpeak"), &why);
    if (!found)
        es_parser_fail_from(parser, at, NULL, "%s %s", es_parser_token_text(parser), why);
    es_parser_take(parser);
    return found;
}

/* Of some copies of a procedure nothing tells the result. */
static void warn_of_unknown(es_parser *parser, const es_shadow *shadow, const char *name)
{
    for (size_t i = 0; i < shadow->source_count; i++)
        if (shadow->sources[i].why)
            es_parser_warn(parser,
                           es_arena_format(parser->arena,
                                           "result(%s) is unknown when the copy of %s at 0x%x returns: it %s", name,
                                           name, (unsigned)shadow->sources[i].procedure->low, shadow->sources[i].why));
}

static const es_variable *parse_result(es_parser *parser)
{
    es_span at = es_parser_here(parser);
    const char *why = NULL, *file = es_at_file(parser) ? es_take_file(parser) : NULL;
    if (parser->token.kind != ES_TOKEN_NAME) {
        es_parser_fail(parser, "result(f): what f has returned last", "expected the name of a procedure");
        return NULL;
    }
    const char *name = es_parser_token_text(parser);
    es_parser_take(parser);
    const es_procedure *procedures[ES_PROCEDURES_MAX];
    size_t copy_count;
    const es_inlined_copy **copies = es_named_copies(parser, file, name, &copy_count);
    if (copy_count && !es_symbols_procedures_named(parser->symbols, file, name, procedures, 1)) {
        es_parser_fail_from(parser, at,
                            es_arena_format(parser->arena,
                                            "a local of it, at its end: leave(%s) { print %s\\... }; or "
                                            "give it the attribute noinline",
                                            name, name),
                            "there is no result(%s): it was inlined wherever it is called, as into %s, and the debug "
                            "information has no place for what a copy returns",
                            name, copies[0]->caller->name);
        return NULL;
    }
    size_t count = es_resolve_procedures(parser, at, file, name, procedures);
    const es_variable *found = count ? es_symbols_result_shadow(parser->symbols, procedures, count, &why) : NULL;
    if (count && !found)
        es_parser_fail_from(parser, at, NULL, "there is no result(%s): %s %s", name, name, why);
    if (found)
        warn_of_unknown(parser, found->shadow, name);
    if (found && copy_count)
        es_parser_warn(parser, es_arena_format(parser->arena,
                                               "result(%s) is unknown after inlined copies of it, as in %s: the debug "
                                               "information has no place for what a copy returns; give %s the "
                                               "attribute noinline",
                                               name, copies[0]->caller->name, name));
    return found;
}

static const es_variable *parse_register(es_parser *parser)
{
    es_span at = es_parser_here(parser);
    const char *why = NULL;
    if (parser->token.kind != ES_TOKEN_NAME) {
        es_parser_fail(parser, "reg(a0), reg(x10)", "expected the name of a register");
        return NULL;
    }
    const char *name = es_parser_token_text(parser);
    es_parser_take(parser);
    const es_variable *found = es_symbols_register_shadow(parser->symbols, name, &why);
    if (!found)
        es_parser_fail_from(parser, at, "reg(a0), reg(x10)", "'%s' %s", name, why);
    return found;
}

const es_variable *es_parse_shadow(es_parser *parser)
{
    es_span from = es_parser_here(parser);
    bool result = begins(parser, "result");
    if (!es_symbols_uses_shadows(parser->symbols)) {
        const char *what = at_stack(parser) ? es_parser_token_text(parser) : result ? "result(...)" : "reg(...)";
        es_parser_fail_from(parser, from, "--replay evaluates statements where registers are known",
                            "%s is in registers, which no bus shows", what);
        return NULL;
    }
    if (at_stack(parser))
        return parse_stack(parser);
    es_parser_take(parser);
    es_parser_take(parser);
    const es_variable *found = result ? parse_result(parser) : parse_register(parser);
    if (found && !es_parser_at_sign(parser, ')')) {
        es_parser_fail(parser, result ? "result(f)" : "reg(a0)", "expected ) after the argument of %s",
                       result ? "result" : "reg");
        return NULL;
    }
    if (found)
        es_parser_take(parser);
    return found;
}
