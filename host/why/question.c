#include "why/question.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cxx_name.h"
#include "base/endian.h"
#include "why/moment.h"
#include "why/names.h"
#include "why/variable.h"

/* Something with a value: all of a variable, or a part of it. */
typedef struct thing {
    const es_type *type;
    const es_value *value;        /* where the variable is; NULL: at `address` */
    uint32_t address;             /* of the part */
    uint32_t offset;              /* ... in the variable */
    uint32_t size;                /* of the variable */
    uint8_t bit_offset, bit_size; /* of a bit-field, as es_member has them; bit_size 0: it is none */
} thing;

typedef struct reader {
    es_why_question *question;
    es_timeline *timeline;
    es_machine *machine;
    const es_symbols *symbols;
    const es_isa *isa;
    es_error *err;
} reader;

/* --- variables ---------------------------------------------------------------------------------------------------- */

static bool find_variable(const reader *r, const char *qualifier, const char *name, thing *t)
{
    const es_value *value;
    const es_variable *found = es_why_variable(r->symbols, es_machine_pc(r->machine), qualifier, name, &value, r->err);
    if (found)
        *t = (thing){
            .type = found->type, .value = value, .address = value ? 0 : found->address, .size = found->type->size};
    return found;
}

/* Bytes of what it is now, and where they are. */
static void read_thing(const reader *r, const thing *t, uint8_t *bytes, uint8_t *unknown, es_value_part *parts,
                       size_t *count)
{
    es_value_context context = es_why_context(r->machine);
    *count = 1;
    parts[0] = (es_value_part){0, t->size, ES_VALUE_IN_MEMORY, t->address - t->offset};
    if (t->value)
        es_value_read(t->value, &context, t->size, bytes, unknown, parts, count);
    else
        context.memory(context.context, t->address - t->offset, t->size, bytes, unknown);
}

#define THING_MAX 4096 /* bytes of a variable */

/* Whether the thing has bits of this byte, counted from where its type begins. */
static bool has_byte(const thing *t, uint32_t byte)
{
    if (!t->bit_size)
        return byte < t->type->size;
    unsigned first = es_type_first_bit(t->type, t->type->size, t->bit_offset, t->bit_size);
    return byte >= first / 8 && byte < (first + t->bit_size + 7u) / 8;
}

static bool number_of(const reader *r, const thing *t, uint64_t *value)
{
    uint8_t bytes[THING_MAX], unknown[THING_MAX];
    es_value_part parts[ES_VALUE_PARTS];
    size_t count;
    if (t->size > THING_MAX || t->type->size > 8)
        return false;
    read_thing(r, t, bytes, unknown, parts, &count);
    for (uint32_t i = 0; i < t->type->size; i++) {
        if (has_byte(t, i) && unknown[t->offset + i])
            return false;
    }
    *value = es_endian_get(bytes + t->offset, t->type->size, t->type->big_endian);
    if (t->bit_size) {
        *value = *value >> t->bit_offset << (64 - t->bit_size);
        *value = t->type->is_signed ? (uint64_t)((int64_t)*value >> (64 - t->bit_size)) : *value >> (64 - t->bit_size);
    }
    return true;
}

/* --- members and elements ----------------------------------------------------------------------------------------- */

static const es_member *find_member(const es_type *type, const char *name, size_t length, uint32_t *offset)
{
    for (size_t i = 0; type->kind == ES_TYPE_STRUCT && i < type->member_count; i++) {
        const es_member *m = &type->members[i];
        if (m->name && strlen(m->name) == length && memcmp(m->name, name, length) == 0) {
            *offset += m->offset;
            return m;
        }
        const es_member *inner = m->name ? NULL : find_member(m->type, name, length, offset);
        if (inner) {
            *offset += m->offset;
            return inner;
        }
    }
    return NULL;
}

static bool dereference(const reader *r, thing *t)
{
    uint64_t pointer;
    if (t->type->kind != ES_TYPE_POINTER || !t->type->of)
        return es_fail(r->err, ES_USAGE, "what stands before the * or -> is no pointer");
    if (!number_of(r, t, &pointer))
        return es_fail(r->err, ES_USAGE, "the pointer's value is not known at that moment");
    if (!pointer)
        return es_fail(r->err, ES_USAGE, "the pointer is NULL at that moment");
    *t = (thing){.type = t->type->of, .address = (uint32_t)pointer, .size = t->type->of->size};
    return true;
}

static void move_into(thing *t, const es_type *type, uint32_t offset)
{
    t->type = type;
    t->address += offset;
    t->offset += offset;
    t->bit_size = 0;
}

static bool take_member(const reader *r, const char **at, thing *t)
{
    uint32_t offset = 0;
    size_t length = es_cxx_component(*at);
    const es_member *m = find_member(t->type, *at, length, &offset);
    if (!m)
        return es_fail(r->err, ES_USAGE, "%s has no member '%.*s'", t->type->name ? t->type->name : "it", (int)length,
                       *at);
    *at += length;
    move_into(t, m->type, offset);
    t->bit_offset = m->bit_offset;
    t->bit_size = m->bit_size;
    return true;
}

static bool take_element(const reader *r, const char **at, thing *t)
{
    char *end;
    long index = strtol(*at, &end, 0);
    if (end == *at || *end != ']')
        return es_fail(r->err, ES_USAGE, "an index is a number here: history[3]");
    *at = end + 1;
    if (t->type->kind == ES_TYPE_POINTER) {
        if (!dereference(r, t))
            return false;
        t->address += (uint32_t)index * t->type->size;
        return true;
    }
    if (t->type->kind != ES_TYPE_ARRAY || !t->type->of || index < 0 || (unsigned long)index >= t->type->count)
        return es_fail(r->err, ES_USAGE, "it has no element [%ld]", index);
    move_into(t, t->type->of, (uint32_t)index * t->type->of->size);
    return true;
}

static bool take_rest(const reader *r, const char *at, thing *t)
{
    bool good = true;
    while (good && *at) {
        if (at[0] == '.') {
            at++;
            good = take_member(r, &at, t);
        } else if (at[0] == '-' && at[1] == '>') {
            at += 2;
            good = dereference(r, t) && take_member(r, &at, t);
        } else if (at[0] == '[') {
            at++;
            good = take_element(r, &at, t);
        } else {
            return es_fail(r->err, ES_USAGE,
                           "'%s' is not understood: a name, with .member, ->member or [number] after it", at);
        }
    }
    return good;
}

/* --- places ------------------------------------------------------------------------------------------------------- */

static bool add_place(const reader *r, es_why_place place)
{
    es_why_question *q = r->question;
    for (size_t i = 0; i < q->place_count; i++)
        if (q->places[i].memory == place.memory && q->places[i].where == place.where) {
            q->places[i].lanes |= place.lanes;
            return true;
        }
    if (q->place_count == ES_WHY_PLACES_MAX)
        return es_fail(r->err, ES_USAGE, "it is too large: ask for a part of it");
    q->places[q->place_count++] = place;
    return true;
}

static bool add_part(const reader *r, const es_value_part *part, const thing *t, bool *any)
{
    for (uint32_t i = 0; i < part->size; i++) {
        uint32_t byte = part->offset + i, address = part->where + i;
        if (byte < t->offset || !has_byte(t, byte - t->offset))
            continue;
        es_why_place place = part->place == ES_VALUE_IN_MEMORY
                                 ? (es_why_place){true, (uint8_t)(1u << (address & 3)), address & ~3u}
                                 : (es_why_place){false, 15, part->where};
        if (part->place != ES_VALUE_IN_MEMORY && part->place != ES_VALUE_IN_REGISTER)
            return true;
        *any = true;
        if (!add_place(r, place))
            return false;
    }
    return true;
}

static bool add_places(const reader *r, const thing *t)
{
    uint8_t bytes[THING_MAX], unknown[THING_MAX];
    es_value_part parts[ES_VALUE_PARTS];
    size_t count;
    bool any = false;
    if (t->size > THING_MAX && t->value)
        return es_fail(r->err, ES_USAGE, "it is too large");
    thing part = *t;
    if (!t->value) { /* only the part is read */
        part.size = t->type->size;
        part.offset = 0;
    }
    if (part.size > THING_MAX)
        return es_fail(r->err, ES_USAGE, "it is too large: ask for a part of it");
    read_thing(r, &part, bytes, unknown, parts, &count);
    for (size_t i = 0; i < count && i < ES_VALUE_PARTS; i++)
        if (!add_part(r, &parts[i], &part, &any))
            return false;
    return any || es_fail(r->err, ES_USAGE, "it is a constant there, or made of others: nothing has written it");
}

static void show(const reader *r, const char *name, const thing *t)
{
    uint64_t value;
    es_text_buffer *out = &r->question->shown;
    es_text_format(out, "%s", name);
    if (t->type->kind == ES_TYPE_STRUCT || t->type->kind == ES_TYPE_ARRAY || t->type->size > 8)
        return;
    es_text_format(out, " = ");
    if (number_of(r, t, &value))
        es_why_value(out, t->type, value, t->type->size);
    else
        es_text_format(out, "not known");
}

static bool take_register(const reader *r, const char *name)
{
    es_machine_registers registers;
    es_machine_get(r->machine, &registers);
    for (unsigned reg = 1; reg < r->isa->name_count; reg++) {
        if (strcmp(r->isa->names[reg], name) != 0)
            continue;
        es_text_format(&r->question->shown, "%s", name);
        if (reg < 32 && !registers.x_unknown[reg])
            es_text_format(&r->question->shown, " = %" PRId32, (int32_t)registers.x[reg]);
        r->question->places[r->question->place_count++] = (es_why_place){false, 15, reg};
        return true;
    }
    return false;
}

/* f\x, file.c\x or x, and what follows it. */
static bool take_variable(const reader *r, const char *text)
{
    thing t;
    bool pointed = *text == '*';
    const char *name = text + pointed, *bar = strrchr(name, '\\');
    es_text_buffer qualifier = {0}, word = {0};
    if (bar)
        es_text_add(&qualifier, name, (size_t)(bar - name));
    name = bar ? bar + 1 : name;
    size_t length = es_cxx_scoped(name);
    es_text_add(&word, name, length);
    bool good = (length && (!bar || qualifier.length)) || es_fail(r->err, ES_USAGE, "'%s' is no variable's name", text);
    good = good && find_variable(r, qualifier.text, word.text, &t);
    es_text_free(&qualifier);
    es_text_free(&word);
    if (good && t.type->kind == ES_TYPE_POINTER && t.type->is_reference)
        good = dereference(r, &t);
    good = good && take_rest(r, name + length, &t) && (!pointed || dereference(r, &t));
    if (good)
        show(r, text, &t);
    return good && add_places(r, &t);
}

static bool take_name(const reader *r, const char *text)
{
    const es_variable *found[1];
    return (!es_symbols_find(r->symbols, NULL, text, found, 1) && take_register(r, text)) || take_variable(r, text);
}

bool es_why_question_read(es_why_question *question, es_timeline *timeline, const es_symbols *symbols,
                          const es_isa *isa, const char *text, es_error *err)
{
    reader r = {question, timeline, es_timeline_machine(timeline), symbols, isa, err};
    *question = (es_why_question){0};
    const char *at = strstr(text, " at ");
    if (!at)
        return es_fail(err, ES_USAGE, "'%s': say when, for example 'x at 1.5ms', 'x at end' or 'x at main.c:12'", text);
    es_text_buffer name = {0};
    const char *when = at + 4 + strspn(at + 4, " ");
    for (; at > text && at[-1] == ' '; at--)
        continue;
    text += strspn(text, " ");
    es_text_add(&name, text, at > text ? (size_t)(at - text) : 0);
    bool good = es_why_go(timeline, symbols, isa, when, err);
    question->moment = es_timeline_now(timeline);
    good = good && take_name(&r, name.text);
    es_text_free(&name);
    if (!good)
        es_why_question_free(question);
    return good;
}

void es_why_question_free(es_why_question *question)
{
    es_text_free(&question->shown);
}
