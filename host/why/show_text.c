/* A slice as an indented text: the tree of values, and below it the decisions. */
#include <stdlib.h>

#include "base/arena.h"
#include "why/show.h"

typedef struct tree {
    es_text_buffer *out;
    const es_why_lines *lines;
    size_t *numbers;               /* by line: as it is shown; 0: not yet */
    const es_why_line **decisions; /* that were referred to, in that order: told below the tree */
    size_t decision_count;
    size_t shown, most;
    unsigned deep;
    bool cut;
} tree;

static size_t index_of(const tree *t, const es_why_line *line)
{
    size_t i = 0;
    while (t->lines->lines[i] != line)
        i++;
    return i;
}

static void indent(tree *t, unsigned depth)
{
    es_text_format(t->out, "%*s", (int)(2 * depth), "");
}

static bool same_decisions(const es_why_line *a, const es_why_line *b)
{
    if (a->decision_count != b->decision_count)
        return false;
    for (size_t i = 0; i < a->decision_count; i++)
        if (a->decisions[i] != b->decisions[i])
            return false;
    return true;
}

/* A decision's number in the list of them, where it comes now. */
static size_t decision_number(tree *t, const es_why_line *line)
{
    size_t i = 0;
    while (i < t->decision_count && t->decisions[i] != line)
        i++;
    if (i == t->decision_count)
        t->decisions[t->decision_count++] = line;
    return i + 1;
}

/* Who decided about a line, where that is not who decided about the one that it is shown under. */
static void show_deciders(tree *t, const es_why_line *line, const es_why_line *above)
{
    if (above && same_decisions(line, above))
        return;
    if (!line->decision_count && above && above->decision_count)
        es_text_format(t->out, t->lines->undecided ? " [no decision known]" : " [no decision]");
    for (size_t i = 0; i < line->decision_count; i++)
        es_text_format(t->out, "%sD%zu", i ? ", " : " [", decision_number(t, line->decisions[i]));
    if (line->decision_count)
        es_text_format(t->out, "]");
}

static void show_place(tree *t, const es_why_line *line, const es_why_line *above)
{
    es_text_format(t->out, "  %s", line->time);
    if (line->file)
        es_text_format(t->out, "  %s:%u", es_base_name(line->file), line->line);
    else
        es_text_format(t->out, "  0x%08x", line->pc);
    if (line->procedure)
        es_text_format(t->out, " %s", line->procedure);
    show_deciders(t, line, above);
    if (line->source)
        es_text_format(t->out, "    %s", line->source);
    es_text_format(t->out, line->value_count || line->decides ? "\n" : "    (of constants alone)\n");
}

static void show_values(tree *t, const es_why_line *line, unsigned depth);

static void show_value(tree *t, const es_why_line *user, const es_why_taken *value, unsigned depth)
{
    indent(t, depth);
    if (!value->from) {
        es_text_format(t->out, "%s: %s\n", value->text, value->end);
        return;
    }
    size_t i = index_of(t, value->from);
    if (t->numbers[i]) {
        es_text_format(t->out, "%s: #%zu\n", value->text, t->numbers[i]);
        return;
    }
    if (t->shown >= t->most) {
        es_text_format(t->out, "%s: ...\n", value->text);
        t->cut = true;
        return;
    }
    t->numbers[i] = ++t->shown;
    es_text_format(t->out, "#%zu %s", t->shown, value->text);
    show_place(t, value->from, user->made || user->decides ? user : NULL);
    show_values(t, value->from, depth + 1);
}

static void show_values(tree *t, const es_why_line *line, unsigned depth)
{
    if (depth > t->deep && line->value_count) {
        indent(t, depth);
        es_text_format(t->out, "...\n");
        t->cut = true;
        return;
    }
    for (size_t i = 0; i < line->value_count; i++)
        show_value(t, line, &line->values[i], depth);
}

/* "s0 = 599, a4 = 20": where all of it was compared there, and nothing of it is followed. */
static bool show_compared(tree *t, const es_why_line *line)
{
    for (size_t i = 0; i < line->value_count; i++)
        if (line->values[i].from)
            return false;
    for (size_t i = 0; i < line->value_count; i++)
        es_text_format(t->out, "%s%s", i ? ", " : "", line->values[i].text);
    return true;
}

/* Branches, which made no values: once each, below where values came from. More come while they are told. */
static void show_decisions(tree *t)
{
    if (t->decision_count)
        es_text_format(
            t->out,
            "decisions, by which lines were executed; a line that names none has that of the line above it, further "
            "out:\n");
    for (size_t i = 0; i < t->decision_count; i++) {
        const es_why_line *line = t->decisions[i];
        if (i >= t->most) {
            es_text_format(t->out, "  ...\n");
            t->cut = true;
            return;
        }
        es_text_format(t->out, "  D%zu", i + 1);
        show_place(t, line, NULL);
        es_text_buffer *out = t->out;
        size_t length = out->length;
        indent(t, 2);
        es_text_format(out, "compared ");
        if (show_compared(t, line) && line->value_count) {
            es_text_format(out, "\n");
            continue;
        }
        out->length = length;
        show_values(t, line, 2);
    }
}

void es_why_text(es_text_buffer *out, const es_why_lines *lines, unsigned deep, size_t most)
{
    tree t = {.out = out, .lines = lines, .deep = deep, .most = most};
    const es_why_line *asked = lines->lines[0];
    t.numbers = es_malloc(lines->count * sizeof *t.numbers);
    for (size_t i = 0; i < lines->count; i++)
        t.numbers[i] = 0;
    es_text_format(out, "%s  %s\n", asked->made, asked->time);
    t.decisions = es_malloc(lines->count * sizeof *t.decisions);
    show_values(&t, asked, 1);
    show_decisions(&t);
    if (lines->undecided)
        es_text_format(out, "who decided about some of them is not known\n");
    if (t.cut)
        es_text_format(out, "... is not shown: --deep and --most say how much is\n");
    free(t.numbers);
    free(t.decisions);
}
