#include "image/tables/dump.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/plan/plan.h"
#include "image/times/compound.h"
#include "image/times/tells.h"
#include "ir/ir.h"
#include "lang/statement.h"

/* --- names of RAM ------------------------------------------------------------------------------------------------- */

static void add_cell(image_builder *b, uint32_t at, const char *what, const char *of)
{
    image_dump *dump = b->dump;
    dump->cells = es_arena_grow(b->arena, dump->cells, dump->cell_count, sizeof *dump->cells);
    dump->cells[dump->cell_count++] =
        (dump_cell){at, of ? es_arena_format(b->arena, "%s(%s)", what, of) : es_arena_format(b->arena, "%s", what)};
}

static const char *name_of_statement(image_builder *b, size_t number)
{
    const es_statement *statement = &b->plan.program->statements[number];
    return statement->name ? statement->name : es_arena_format(b->arena, "%zu", number);
}

static void statement_cells(image_builder *b)
{
    const image_plan *plan = &b->plan;
    const es_program *program = plan->program;
    for (size_t i = 0; i < program->counter_count; i++)
        add_cell(b, 4 * (uint32_t)i, "counter", program->counters[i]);
    for (size_t i = 0; i < program->statement_count; i++) {
        const plan_statement *statement = &plan->statements[i];
        const char *name = name_of_statement(b, i);
        add_cell(b, 4 * (uint32_t)(program->counter_count + i), "hits", name);
        if (statement->unknown && !statement->expected)
            add_cell(b, statement->unknown, "unknown", name);
        if (statement->expected)
            add_cell(b, statement->expected, "expected", name);
        if (statement->switch_record)
            add_cell(b, statement->switch_record, "enabled", name);
        if (statement->compound)
            add_cell(b, statement->compound->state, "compound", name);
    }
}

static const char *where_of(image_builder *b, const plan_write *write)
{
    uint32_t start = plan_span_of(write).start;
    if (write->pointer)
        return es_arena_format(b->arena, "%s%+d", b->plan.pointers[write->pointer - 1].reference->text, (int)start);
    if (write->slot)
        return es_arena_format(b->arena, "slot %u%+d", write->slot - 1u, (int)start);
    if (write->frame)
        return es_arena_format(b->arena, "%s%+d", write->frame->name, (int)start);
    return es_arena_format(b->arena, "0x%x", (unsigned)start);
}

/* Pending bytes, and what was there before the first parts, by variable. */
static void write_cells(image_builder *b)
{
    const image_plan *plan = &b->plan;
    for (size_t i = 0; i < plan->write_count; i++) {
        const plan_write *write = &plan->writes[i];
        if (write->cover)
            continue;
        const char *where = where_of(b, write);
        if (plan_in_parts(write)) {
            add_cell(b, write->pending, "written", where);
            add_cell(b, write->pending + plan->tags, "tag", where);
        }
        if (write->first)
            add_cell(b, write->first, "before", where);
    }
}

static int by_place(const void *a, const void *b)
{
    uint32_t x = ((const dump_cell *)a)->at, y = ((const dump_cell *)b)->at;
    return x < y ? -1 : x > y;
}

static void find_cells(image_builder *b)
{
    const image_plan *plan = &b->plan;
    image_dump *dump = b->dump;
    dump->cells = NULL;
    dump->cell_count = 0;
    statement_cells(b);
    write_cells(b);
    add_cell(b, plan->unknown, "unknown", NULL);
    add_cell(b, plan->incomplete, "incomplete", NULL);
    if (plan->store)
        add_cell(b, plan->store, "store", NULL);
    if (plan->spill_words)
        add_cell(b, plan->spill, "spill", NULL);
    if (plan->counts)
        add_cell(b, plan->moving_on, "moving_on", NULL);
    for (size_t i = 0; i < plan->age_count; i++)
        add_cell(b, plan->ages[i].record, "age", plan->ages[i].reference->text);
    if (plan->deadline_count)
        add_cell(b, plan->deadline_shared, "deadlines", NULL);
    for (size_t i = 0; i < plan->deadline_count; i++)
        add_cell(b, plan->deadlines[i].record, "deadline", name_of_statement(b, plan->deadlines[i].statement));
    if (es_tells_any(plan))
        add_cell(b, plan->tells, "paths", NULL);
    for (size_t i = 0; i < plan->pointer_count; i++)
        add_cell(b, plan->pointers[i].state, "pointer", plan->pointers[i].reference->text);
    for (size_t i = 0; i < plan->slot_count; i++)
        add_cell(b, plan->slots[i].state, es_arena_format(b->arena, "slot(%zu)", i), NULL);
    for (size_t i = 0; i < plan->frame_count; i++) {
        add_cell(b, plan->frames[i].cell, "frame", plan->frames[i].procedure->name);
        if (plan->frames[i].mark_words)
            add_cell(b, plan->frames[i].marks, "marks", plan->frames[i].procedure->name);
    }
    if (dump->cell_count)
        qsort(dump->cells, dump->cell_count, sizeof *dump->cells, by_place);
}

static const char *cell_of(void *context, uint32_t offset, uint32_t *begin)
{
    const image_dump *dump = context;
    const dump_cell *found = NULL;
    for (size_t i = 0; i < dump->cell_count && dump->cells[i].at <= offset; i++)
        if (!found || found->at != dump->cells[i].at)
            found = &dump->cells[i];
    if (found)
        *begin = found->at;
    return found ? found->name : NULL;
}

/* --- what leads to routines --------------------------------------------------------------------------------------- */

static void put_text(es_text_buffer *out, const char *text)
{
    for (bool blank = false; *text; text++) {
        bool space = *text == ' ' || *text == '\n' || *text == '\t';
        if (!space || !blank)
            es_text_add(out, space ? " " : text, 1);
        blank = space;
    }
}

static const char *lanes_text(unsigned lanes, char out[8])
{
    size_t count = 0;
    for (unsigned lane = 0; lane < 4; lane++)
        if (lanes >> lane & 1)
            out[count++] = (char)('0' + lane);
    out[count] = 0;
    return out;
}

static void put_place(const image_builder *b, const es_procedure *frame, uint16_t slot, uint32_t word, unsigned lanes)
{
    char text[8];
    es_text_buffer *out = &b->dump->out;
    if (slot)
        es_text_format(out, "byte %d of slot %u", (int)word, slot - 1u);
    else if (frame)
        es_text_format(out, "byte %d of the frame of %s", (int)word, frame->name);
    else
        es_text_format(out, "0x%08x", (unsigned)word);
    es_text_format(out, ", lanes %s", lanes_text(lanes, text));
}

static void put_events(image_builder *b, size_t number)
{
    const image_plan *plan = &b->plan;
    es_text_buffer *out = &b->dump->out;
    for (size_t i = 0; i < plan->write_count; i++) {
        const plan_write *write = &plan->writes[i];
        if (write->handler != number || write->cover)
            continue;
        es_text_format(out, "  at a write to ");
        put_place(b, write->frame, write->slot, write->word, write->lanes);
        es_text_format(out, write->events ? ": event bits 0x%x\n" : "\n", (unsigned)write->events);
    }
    for (size_t i = 0; i < plan->read_count; i++)
        if (plan->reads[i].handler == number) {
            es_text_format(out, "  at a read of ");
            put_place(b, NULL, plan->reads[i].slot, plan->reads[i].word, plan->reads[i].lanes);
            es_text_format(out, ": event bits 0x%x\n", (unsigned)plan->reads[i].events);
        }
    for (size_t i = 0; i < plan->control_count; i++) {
        const plan_control *control = &plan->controls[i];
        if (control->handler != number)
            continue;
        if (control->procedure)
            es_text_format(out, "  at %s(%s)", control->leave ? "leave" : "enter", control->procedure->name);
        else
            es_text_format(out, "  at a place in the code");
        es_text_format(out, "%s: event bits 0x%x\n", control->path ? " on a path" : "", (unsigned)control->events);
    }
    for (size_t i = 0; i < plan->deadline_count && number < plan->program->statement_count; i++)
        if (plan->deadlines[i].statement == number)
            es_text_format(out, "  when deadline %zu, of %llu clocks, is over\n", i,
                           (unsigned long long)plan->deadlines[i].clocks);
}

const char *es_dump_routine(image_builder *b, size_t number)
{
    const image_plan *plan = &b->plan;
    const plan_handler *handler = &plan->handlers[number];
    const char *name = plan->program->statements[handler->statement].name;
    switch (handler->purpose) {
    case PLAN_STATEMENT:
        return name ? es_arena_format(b->arena, "statement %zu (%s)", number, name)
                    : es_arena_format(b->arena, "statement %zu", number);
    case PLAN_AGE:
        return es_arena_format(b->arena, "note of writes to %s, for age()",
                               plan->ages[handler->number].reference->text);
    case PLAN_POINTER:
        return es_arena_format(b->arena, "note of writes to the pointer %s",
                               plan->pointers[handler->number].reference->text);
    case PLAN_DEADLINE:
        return es_arena_format(b->arena, "note of events for deadline %zu, of %s", handler->number,
                               es_dump_routine(b, handler->statement));
    default: return "note of writes to the current task";
    }
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

void es_dump_begin(image_builder *b)
{
    image_dump *dump = b->dump;
    if (!dump)
        return;
    es_text_clear(&dump->out);
    es_text_clear(&dump->title);
    find_cells(b);
    for (size_t i = 0; i < b->plan.handler_count; i++) {
        if (i < b->plan.program->statement_count) {
            es_text_format(&dump->out, "statement %zu: ", i);
            put_text(&dump->out, b->plan.program->statements[i].text);
        } else {
            es_text_format(&dump->out, "%s", es_dump_routine(b, i));
        }
        es_text_format(&dump->out, "\n");
        put_events(b, i);
    }
    es_text_format(&dump->out, "\nRAM of the image, %u bytes\n", (unsigned)b->plan.ram_size);
    for (size_t i = 0; i < dump->cell_count; i++)
        if (!i || dump->cells[i].at != dump->cells[i - 1].at)
            es_text_format(&dump->out, "  %4u %s\n", (unsigned)dump->cells[i].at, dump->cells[i].name);
}

void es_dump_title(image_builder *b, const char *format, ...)
{
    if (!b->dump)
        return;
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    es_text_clear(&b->dump->title);
    es_text_format(&b->dump->title, "%s", text ? text : "");
    free(text);
}

void es_dump_see(void *context, const es_ir_code *code, const char *pass)
{
    const image_builder *b = context;
    image_dump *dump = b->dump;
    if (strcmp(pass, dump->pass) != 0)
        return;
    es_text_format(&dump->out, "\n%s, at 0x%x\n", dump->title.length ? dump->title.text : "code", (unsigned)code->base);
    es_ir_print(code, &dump->out, cell_of, dump);
    es_text_clear(&dump->title);
}
