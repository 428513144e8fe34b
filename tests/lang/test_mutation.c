/* Random damage to good statements, the same on every run: the parser must neither crash nor accept a tree that breaks
 * its promises. */
#include "check_main.h"
#include "fake_symbols.h"
#include "lang/statement.h"
#include "required.h"

#include <string.h>

#define ROUNDS 60000
#define TEXT_MAX 400

static const char *const seeds[] = {
    "overheat: when temp > 80 && mode == ARMED { print temp, mode; count hot }",
    "deep: when clamp\\lo < 0 || other.c\\state { print clamp\\lo, path, old(temp) }",
    "when enter(control) && !(plant.b ^ 0x7F) { count a\n print\n } when leave(clamp) { print grid[2][3] }",
    "x: when write(ratio) && -temp >> 3 <= (level & ~0b101) - 'a' { print ratio, \"src/thermostat.c\"\\state }",
    "p != NULL && fact[3]\\n == 1 then a:b\\x within 5ms # comment",
    "2:1\\x == *:clamp\\x ? 2147483648u : 1.5e3 { trigger 0; stop }",
    "main:control:clamp\\lo < 0 and (temp becomes 3 or at(thermostat.c:22)) within 5ms { snapshot plant; set c = -1 }",
    "2:{1\\lo = delta && *bytes < 3} then read(node->next->row[index]) && elapsed > 1.5us { print elapsed, age(temp) }",
    "a: disabled when ticks / 3 > precise * 2 || (int8_t)temp % 3 { enable a; decrement c; halt; reset c }",
    "expect eventually path == main:fact[2] && !(&plant == p + 1)",
    "x: expect temp unchanged for 100 cycles within 1s y: expect never control substate = 2:1\\2 && c > 3 { count c }",
};
static const char *const pieces[] = {"(",
                                     ")",
                                     "{",
                                     "}",
                                     "[",
                                     "]",
                                     "\\",
                                     ":",
                                     ";",
                                     ",",
                                     "&&",
                                     "->",
                                     "=",
                                     "old(",
                                     "enter(",
                                     "when ",
                                     "print ",
                                     "count ",
                                     "temp",
                                     "plant.",
                                     "0x",
                                     "4294967296",
                                     "'",
                                     "\"",
                                     "#",
                                     "\n",
                                     "\t",
                                     "\xC3",
                                     "\x80",
                                     "-",
                                     "!",
                                     "*",
                                     "packed.i",
                                     "fact[2]",
                                     "1:",
                                     "\\3",
                                     " then ",
                                     " for 5us",
                                     " within 9ns",
                                     "p->",
                                     "@34",
                                     "elapsed",
                                     "open_array[0]",
                                     "ticks",
                                     "gone",
                                     "$",
                                     "@",
                                     "1e9",
                                     "\xEF\xBB\xBF"};

static uint32_t random_state = 12345;

static uint32_t random_below(uint32_t limit)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state % limit;
}

static void mutate(char *text)
{
    size_t length = strlen(text);
    size_t at = length ? random_below((uint32_t)length + 1) : 0;
    switch (random_below(4)) {
    case 0: /* cut */
        if (length > at) {
            size_t cut = 1 + random_below(8);
            if (cut > length - at)
                cut = length - at;
            memmove(text + at, text + at + cut, length - at - cut + 1);
        }
        break;
    case 1: /* another byte */
        if (length > at)
            text[at] = (char)(1 + random_below(255));
        break;
    case 2: { /* a piece of the language */
        const char *piece = pieces[random_below(sizeof pieces / sizeof *pieces)];
        size_t more = strlen(piece);
        if (length + more < TEXT_MAX) {
            memmove(text + at + more, text + at, length - at + 1);
            memcpy(text + at, piece, more);
        }
        break;
    }
    default: { /* the end of another statement */
        const char *other = seeds[random_below(sizeof seeds / sizeof *seeds)];
        const char *from = other + random_below((uint32_t)strlen(other));
        if (at + strlen(from) < TEXT_MAX)
            strcpy(text + at, from);
        break;
    }
    }
}

static void check_path(const es_path *path)
{
    if (!path)
        return;
    ck_assert_uint_gt(path->count, 0);
    ck_assert_int_ne(path->steps[path->count - 1].kind, ES_STEP_ANY);
    ck_assert_uint_le(es_path_depth(path), ES_PATH_DEPTH_MAX);
}

static bool is_number(const es_expr *expr)
{
    return expr->type == ES_VALUE_FLOAT || expr->type == ES_VALUE_DOUBLE;
}

/* What statement.h promises about the types of operands. */
static void check_types(const es_expr *expr)
{
    bool logical = expr->op == ES_OP_LOGAND || expr->op == ES_OP_LOGOR;
    bool compares = expr->op >= ES_OP_EQ && expr->op <= ES_OP_GE;
    if (expr->kind != ES_EXPR_BINARY || logical)
        return;
    if (expr->op == ES_OP_SHL || expr->op == ES_OP_SHR) {
        ck_assert_int_eq(expr->rhs->type, ES_VALUE_32);
        ck_assert(!is_number(expr->lhs));
    } else {
        ck_assert_int_eq(expr->lhs->type, expr->rhs->type);
    }
    ck_assert_int_eq(expr->type, compares ? ES_VALUE_32 : expr->lhs->type);
}

static void check_expr(const es_statement *statement, const es_expr *expr, unsigned depth)
{
    ck_assert_uint_le(depth, 256 + 1); /* a conversion on top */
    switch (expr->kind) {
    case ES_EXPR_REFERENCE:
    case ES_EXPR_OLD:
    case ES_EXPR_WRITE:
    case ES_EXPR_READ:
    case ES_EXPR_UNCHANGED:
    case ES_EXPR_AGE: ck_assert_uint_lt(expr->index, statement->predicate_count); break;
    case ES_EXPR_ENTER:
    case ES_EXPR_LEAVE: ck_assert_ptr_nonnull(expr->procedure); break;
    case ES_EXPR_AT: ck_assert_uint_gt(expr->position->count, 0); break;
    case ES_EXPR_ACTIVE: ck_assert_ptr_nonnull(expr->path); break;
    default: break;
    }
    check_path(expr->path);
    check_types(expr);
    const es_expr *parts[] = {expr->condition, expr->lhs, expr->rhs};
    ck_assert_int_eq(parts[0] != NULL, expr->kind == ES_EXPR_CHOICE);
    for (size_t i = 0; i < 3; i++)
        if (parts[i])
            check_expr(statement, parts[i], depth + 1);
}

static void check_event(const es_statement *statement, const es_event_tree *event)
{
    if (event->kind != ES_EVENT_WHEN) {
        check_event(statement, event->first);
        check_event(statement, event->second);
        return;
    }
    const es_condition *condition = event->condition;
    check_expr(statement, condition->expr, 1);
    for (size_t i = 0; i < condition->trigger_count; i++)
        ck_assert(condition->triggers[i].index < statement->predicate_count || statement->reference_count == 0 ||
                  condition->triggers[i].index == 0);
    for (size_t i = 0; i < condition->exists_count; i++)
        check_path(condition->exists[i]);
}

static void check_reference(const es_statement *statement, size_t i, const es_reference *r)
{
    ck_assert(r->size == 1 || r->size == 2 || r->size == 4 || r->size == 8);
    if (!(statement->features & ES_FEATURE(MISALIGNED)))
        ck_assert_uint_eq(r->address % (r->size > 4 ? 4 : r->size), 0);
    ck_assert_uint_le(r->bit_offset + r->bit_size, r->size * 8u);
    ck_assert(!r->via || r->base < i);
    check_path(r->path);
    for (size_t k = 0; k < r->subscript_count; k++)
        check_expr(statement, r->subscripts[k].index, 1);
}

static void check_program(const es_program *program)
{
    ck_assert_uint_gt(program->statement_count, 0);
    for (size_t s = 0; s < program->statement_count; s++) {
        const es_statement *statement = &program->statements[s];
        ck_assert_ptr_nonnull(statement->name);
        ck_assert_uint_gt(statement->action_count, 0);
        check_event(statement, statement->event);
        for (size_t i = 0; i < statement->reference_count; i++)
            check_reference(statement, i, &statement->references[i]);
        es_error err;
        ck_assert(required(program, UINT64_MAX, &err));
        if (statement->features)
            ck_assert(!required(program, 0, &err) && strchr(err.text, '^'));
    }
}

START_TEST(mutated_statements)
{
    unsigned accepted = 0, refused = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        char text[TEXT_MAX + 1];
        strcpy(text, seeds[random_below(sizeof seeds / sizeof *seeds)]);
        for (uint32_t n = 1 + random_below(4); n > 0; n--)
            mutate(text);
        es_program program;
        es_error err = {.code = ES_OK};
        es_text one = {"-e", text};
        if (es_program_parse(fake_symbols(), &one, 1, &program, &err)) {
            check_program(&program);
            es_program_free(&program);
            accepted++;
        } else {
            ck_assert_int_eq(err.code, ES_USAGE);
            ck_assert_msg(strncmp(err.text, "-e:", 3) == 0 && strstr(err.text, ": error: ") && strchr(err.text, '^'),
                          "%s", err.text);
            refused++;
        }
    }
    /* Both happen often, so both ways are tried. */
    ck_assert_uint_gt(accepted, ROUNDS / 200);
    ck_assert_uint_gt(refused, ROUNDS / 2);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("statements under mutation");
    TCase *tcase = tcase_create("mutation");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, mutated_statements);
    suite_add_tcase(suite, tcase);
    return check_main(suite);
}
