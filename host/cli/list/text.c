/* The list for people: what there is, how large, where it lives, where it is declared. */
#include <stdio.h>
#include <string.h>

#include "cli/list/members.h"
#include "cli/list/print.h"
#include "report/columns.h"

#define NAME_WIDTH_MAX 40 /* columns stop growing here; what is longer sticks out */
#define TYPE_WIDTH_MAX 28

typedef struct widths {
    int name, type;
} widths;

static void widen(int *width, const char *text, int most)
{
    int length = (int)es_shown_width(text);
    if (length > *width)
        *width = length < most ? length : most;
}

/* A text, and blanks up to so many columns, and two more. */
static void add_cell(es_text_buffer *out, const char *text, int width)
{
    int shown = (int)es_shown_width(text);
    es_text_format(out, "%s%*s  ", text, shown < width ? width - shown : 0, "");
}

static widths widths_of(const es_entries *entries, enum es_entry_kind kind)
{
    widths w = {0};
    for (size_t i = 0; i < entries->count; i++) {
        const es_entry *entry = &entries->items[i];
        if (entry->kind != kind)
            continue;
        widen(&w.name, entry->name, NAME_WIDTH_MAX);
        if (entry->variable)
            widen(&w.type, entry->variable->type->name, TYPE_WIDTH_MAX);
    }
    return w;
}

static void add_declared(es_text_buffer *out, const char *file, unsigned line)
{
    if (file)
        es_text_format(out, "  %s:%u", es_base_name(file), line);
}

/* The advice that follows is for statements; here it would stand in most lines. */
static int without_advice(const char *why)
{
    const char *advice = strstr(why, ": ");
    return (int)(advice ? (size_t)(advice - why) : strlen(why));
}

static void add_place(es_text_buffer *out, const es_entry *entry)
{
    const es_variable *variable = entry->variable;
    const es_life *life = variable->life;
    switch (variable->place) {
    case ES_PLACE_STATIC: es_text_format(out, "0x%08x", (unsigned)variable->address); break;
    case ES_PLACE_FRAME:
        if (life)
            es_text_format(out, "stack, in %s; else %s", life->observed, life->elsewhere);
        else
            es_text_format(out, "stack");
        break;
    case ES_PLACE_NONE:
        es_text_format(out, "%s: %.*s", entry->replay ? "on the replay" : "not observable",
                       without_advice(variable->why), variable->why);
        break;
    }
}

typedef struct member_line {
    es_text_buffer *out;
    const es_variable *variable;
    const widths *widths;
} member_line;

static void add_member(void *context, const es_list_member *member)
{
    const member_line *line = context;
    es_text_format(line->out, "    ");
    add_cell(line->out, member->name, line->widths->name - 2);
    add_cell(line->out, member->type->name, line->widths->type);
    es_text_format(line->out, "%5u  ", (unsigned)member->type->size);
    if (line->variable->place == ES_PLACE_STATIC)
        es_text_format(line->out, "0x%08x", (unsigned)(line->variable->address + member->offset));
    else
        es_text_format(line->out, "+%u", (unsigned)member->offset);
    if (member->bit_size)
        es_text_format(line->out, ", %u %s from bit %u on", (unsigned)member->bit_size,
                       es_plural(member->bit_size, "bit", "bits"), (unsigned)member->bit_offset);
    if (member->type->big_endian && member->type->size > 1)
        es_text_format(line->out, ", big endian");
    es_text_add(line->out, "\n", 1);
}

static void add_variable(es_text_buffer *out, const es_entry *entry, const widths *w, bool members)
{
    const es_variable *variable = entry->variable;
    es_text_format(out, "  ");
    add_cell(out, entry->name, w->name);
    add_cell(out, variable->type->name, w->type);
    es_text_format(out, "%5u  ", (unsigned)variable->type->size);
    add_place(out, entry);
    add_declared(out, variable->file, variable->line);
    es_text_add(out, "\n", 1);
    if (members)
        es_list_members(entry->name, variable->type, add_member, &(member_line){out, variable, w});
}

static void add_procedure(es_text_buffer *out, const es_entry *entry, const widths *w)
{
    const es_procedure *procedure = entry->procedure;
    const char *inlined = entry->clone_of ? NULL : es_symbols_inlined_into(procedure);
    es_text_format(out, "  ");
    add_cell(out, procedure->name, w->name);
    if (procedure->low != procedure->high)
        es_text_format(out, "0x%08x  %5u", (unsigned)procedure->low, (unsigned)(procedure->high - procedure->low));
    else
        es_text_format(out, "%-17s", "no code of its own");
    add_declared(out, procedure->file, procedure->line);
    if (procedure->is_interrupt)
        es_text_format(out, "  interrupt handler");
    if (procedure->is_recursive)
        es_text_format(out, "  recursive");
    if (entry->clone_of)
        es_text_format(out, "  a copy that the compiler made");
    if (inlined)
        es_text_format(out, "  %.*s", without_advice(inlined), inlined);
    es_text_add(out, "\n", 1);
}

static void add_tasks(es_text_buffer *out, const es_program *program)
{
    if (!program || !program->task)
        return;
    es_text_format(out, "%stasks\n  %s of %s says which one runs: each has a call path and locals of its own\n",
                   out->length ? "\n" : "", program->task->text, program->kernel);
}

void es_list_text(const es_entries *entries, const es_program *program, bool members)
{
    static const char *const heads[] = {"variables", "locals", "procedures"};
    es_text_buffer out = {0};
    widths w = {0};
    for (size_t i = 0; i < entries->count; i++) {
        const es_entry *entry = &entries->items[i];
        if (i == 0 || entries->items[i - 1].kind != entry->kind) {
            es_text_format(&out, "%s%s\n", i ? "\n" : "", heads[entry->kind]);
            w = widths_of(entries, entry->kind);
        }
        if (entry->kind == ES_ENTRY_PROCEDURE)
            add_procedure(&out, entry, &w);
        else
            add_variable(&out, entry, &w, members);
    }
    add_tasks(&out, program);
    if (out.length)
        fwrite(out.text, 1, out.length, stdout);
    es_text_free(&out);
}
