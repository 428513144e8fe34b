/* A slice as an indented text. */
#include <stdlib.h>

#include "base/arena.h"
#include "why/show.h"

typedef struct tree {
    es_text_buffer *out;
    const es_why_lines *lines;
    size_t *numbers; /* by line: as it is shown; 0: not yet */
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

static void show_place(tree *t, const es_why_line *line)
{
    es_text_format(t->out, "  %s", line->time);
    if (line->file)
        es_text_format(t->out, "  %s:%u", es_base_name(line->file), line->line);
    else
        es_text_format(t->out, "  0x%08x", line->pc);
    if (line->procedure)
        es_text_format(t->out, " %s", line->procedure);
    if (line->source)
        es_text_format(t->out, "    %s", line->source);
    es_text_format(t->out, line->value_count || line->decides ? "\n" : "    (of constants alone)\n");
}

static void show_values(tree *t, const es_why_line *line, unsigned depth);

static void show_value(tree *t, const es_why_taken *value, unsigned depth)
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
    show_place(t, value->from);
    show_values(t, value->from, depth + 1);
}

/* A branch, which made no value: apart from where values came from. */
static void show_decision(tree *t, const es_why_line *line, unsigned depth)
{
    size_t i = index_of(t, line);
    indent(t, depth);
    if (t->numbers[i]) {
        es_text_format(t->out, "decided by #%zu\n", t->numbers[i]);
        return;
    }
    if (t->shown >= t->most) {
        es_text_format(t->out, "decided by ...\n");
        t->cut = true;
        return;
    }
    t->numbers[i] = ++t->shown;
    es_text_format(t->out, "decided by #%zu", t->shown);
    show_place(t, line);
    show_values(t, line, depth + 1);
}

static void show_values(tree *t, const es_why_line *line, unsigned depth)
{
    if (depth > t->deep && (line->value_count || line->decision_count)) {
        indent(t, depth);
        es_text_format(t->out, "...\n");
        t->cut = true;
        return;
    }
    for (size_t i = 0; i < line->value_count; i++)
        show_value(t, &line->values[i], depth);
    for (size_t i = 0; i < line->decision_count; i++)
        show_decision(t, line->decisions[i], depth);
}

void es_why_text(es_text_buffer *out, const es_why_lines *lines, unsigned deep, size_t most)
{
    tree t = {.out = out, .lines = lines, .deep = deep, .most = most};
    const es_why_line *asked = lines->lines[0];
    t.numbers = es_malloc(lines->count * sizeof *t.numbers);
    for (size_t i = 0; i < lines->count; i++)
        t.numbers[i] = 0;
    es_text_format(out, "%s  %s\n", asked->made, asked->time);
    show_values(&t, asked, 1);
    if (lines->undecided)
        es_text_format(out, "who decided about some of them is not known\n");
    if (t.cut)
        es_text_format(out, "... is not shown: --deep and --most say how much is\n");
    free(t.numbers);
}
