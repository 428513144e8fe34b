#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "net/formats/pnml.h"

struct writer {
    const es_net *net;
    es_text_buffer *out;
    es_arena *arena;
    const char **ids; /* XML ids: of places, then of transitions */
    uint32_t arc_number;
};

static bool is_name_start(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_name_rest(unsigned char c)
{
    return is_name_start(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

static bool is_xml_name(const char *id)
{
    if (!is_name_start((unsigned char)*id))
        return false;
    while (is_name_rest((unsigned char)*id))
        id++;
    return *id == 0;
}

/* What XML 1.0 can hold: UTF-8 without control characters. */
static bool is_xml_text(const char *text)
{
    for (size_t room = text ? strlen(text) : 0; room;) {
        size_t length = es_utf8_length(text, room);
        bool control = (unsigned char)*text < ' ' && *text != '\t' && *text != '\n';
        bool nonchar = length == 3 && memcmp(text, "\xEF\xBF", 2) == 0 && (unsigned char)text[2] >= 0xBE;
        if (!length || control || nonchar)
            return false;
        text += length;
        room -= length;
    }
    return true;
}

/* Adds text with what has a meaning in XML escaped; newlines and tabs so that an attribute keeps them. */
static void add_text(es_text_buffer *out, const char *text)
{
    for (; *text; text++) {
        const char *escape = *text == '&'    ? "&amp;"
                             : *text == '<'  ? "&lt;"
                             : *text == '>'  ? "&gt;"
                             : *text == '"'  ? "&quot;"
                             : *text == '\n' ? "&#10;"
                             : *text == '\t' ? "&#9;"
                                             : NULL;
        if (escape)
            es_text_add(out, escape, strlen(escape));
        else
            es_text_add(out, text, 1);
    }
}

/* A value between two pieces of markup. */
static void put(struct writer *w, const char *begin, const char *value, const char *end)
{
    es_text_add(w->out, begin, strlen(begin));
    add_text(w->out, value);
    es_text_add(w->out, end, strlen(end));
}

static const char *place_id(const struct writer *w, uint32_t place)
{
    return w->ids[place];
}

static const char *transition_id(const struct writer *w, uint32_t transition)
{
    return w->ids[w->net->place_count + transition];
}

static const char *original_id(const struct writer *w, uint32_t node)
{
    return node < w->net->place_count ? w->net->places[node].id : w->net->transitions[node - w->net->place_count].id;
}

static bool is_taken(const es_net *net, const char *id)
{
    return es_net_place_find(net, id) != ES_NET_NONE || es_net_transition_find(net, id) != ES_NET_NONE;
}

/* Ids that are no XML names are numbered: n1, n2, ... unless another node is called so. */
static void choose_ids(struct writer *w)
{
    uint32_t count = w->net->place_count + w->net->transition_count, number = 0;
    w->ids = es_arena_alloc(w->arena, (count + 1) * sizeof *w->ids);
    for (uint32_t i = 0; i < count; i++) {
        w->ids[i] = original_id(w, i);
        if (is_xml_name(w->ids[i]))
            continue;
        do
            w->ids[i] = es_arena_format(w->arena, "n%u", ++number);
        while (is_taken(w->net, w->ids[i]));
    }
}

/* An id for what is no node: `wish` when that is an XML name that no node has. */
static const char *free_id(struct writer *w, const char *wish, const char *otherwise)
{
    const char *id = is_xml_name(wish) ? wish : otherwise;
    while (is_taken(w->net, id))
        id = es_arena_format(w->arena, "%s_", id);
    return id;
}

static bool check_texts(const struct writer *w, es_error *err)
{
    const es_net *net = w->net;
    for (uint32_t i = 0; i < net->place_count + net->transition_count; i++) {
        bool place = i < net->place_count;
        uint32_t t = place ? 0 : i - net->place_count;
        const char *name = place ? net->places[i].name : net->transitions[t].name;
        const char *source = place ? net->places[i].source : net->transitions[t].source;
        if (!is_xml_text(original_id(w, i)) || !is_xml_text(name) || !is_xml_text(source))
            return es_fail(
                err, ES_USAGE,
                "%s number %u has an id, a name or a source with bytes that are no text; PNML cannot hold them",
                place ? "place" : "transition", place ? i : t);
    }
    bool good = is_xml_text(net->id) && is_xml_text(net->name) && is_xml_text(net->tick);
    for (uint32_t i = 0; i < net->process_count; i++)
        good = good && is_xml_text(net->processes[i]);
    return good || es_fail(err, ES_USAGE, "a name in the net holds bytes that are no text; PNML cannot hold them");
}

/* Readers take blanks around a name away. One that is the id all the same is left out: it comes back from there. */
static void write_name(struct writer *w, const char *name, const char *id, const char *indent)
{
    size_t length = strlen(name);
    bool blanks = length && (strchr(" \t\n", name[0]) || strchr(" \t\n", name[length - 1]));
    if (blanks && strcmp(name, id) == 0)
        return;
    es_text_format(w->out, "%s<name>", indent);
    put(w, "<text>", name, "</text></name>\n");
}

static void begin_tool(struct writer *w, const char *indent)
{
    es_text_format(w->out, "%s<toolspecific tool=\"earshot\" version=\"1\">\n", indent);
}

/* <original> and <source>, as far as needed. */
static void write_origin(struct writer *w, uint32_t node, const char *source)
{
    if (w->ids[node] != original_id(w, node))
        put(w, "          <original id=\"", original_id(w, node), "\"/>\n");
    if (source)
        put(w, "          <source>", source, "</source>\n");
}

static void write_set(struct writer *w, const char *name, const es_net_set *set)
{
    for (uint32_t i = 0; i < set->count; i++) {
        es_text_format(w->out, "              <%s", name);
        put(w, " ref=\"", transition_id(w, set->transitions[i]), "\"/>\n");
    }
}

static void write_rule(struct writer *w, const es_net_rule *rule)
{
    put(w, "          <rule to=\"", transition_id(w, rule->transition), rule->condition_count ? "\">\n" : "\"/>\n");
    for (uint32_t i = 0; i < rule->condition_count; i++) {
        const es_net_condition *c = &rule->conditions[i];
        bool plain = c->to.count + c->from.count + c->last.count == 0;
        put(w, "            <when place=\"", place_id(w, c->place), c->absent ? "\" absent=\"true\"" : "\"");
        es_text_format(w->out, "%s", plain ? "/>\n" : ">\n");
        write_set(w, "to", &c->to);
        write_set(w, "from", &c->from);
        write_set(w, "last", &c->last);
        if (!plain)
            es_text_format(w->out, "            </when>\n");
    }
    if (rule->condition_count)
        es_text_format(w->out, "          </rule>\n");
}

static void write_place(struct writer *w, uint32_t index)
{
    const es_net_place *place = &w->net->places[index];
    put(w, "      <place id=\"", place_id(w, index), "\">\n");
    write_name(w, place->name, place->id, "        ");
    if (place->tokens)
        es_text_format(w->out, "        <initialMarking><text>%u</text></initialMarking>\n", place->tokens);
    if (w->ids[index] != place->id || place->source || place->initial_route != ES_NET_NONE || place->rule_count ||
        place->signal) {
        begin_tool(w, "        ");
        write_origin(w, index, place->source);
        if (place->initial_route != ES_NET_NONE)
            put(w, "          <initialRoute to=\"", transition_id(w, place->initial_route), "\"/>\n");
        if (place->signal)
            es_text_format(w->out, "          <signal/>\n");
        for (uint32_t i = 0; i < place->rule_count; i++)
            write_rule(w, &place->rules[i]);
        es_text_format(w->out, "        </toolspecific>\n");
    }
    es_text_format(w->out, "      </place>\n");
}

static void write_transition(struct writer *w, uint32_t index)
{
    const es_net_transition *t = &w->net->transitions[index];
    put(w, "      <transition id=\"", transition_id(w, index), "\">\n");
    write_name(w, t->name, t->id, "        ");
    begin_tool(w, "        ");
    write_origin(w, w->net->place_count + index, t->source);
    es_text_format(w->out, "          <timing delay=\"%" PRId64 "\"%s%s%s%s priority=\"%u\"", t->delay,
                   t->untimed ? " untimed=\"true\"" : "", t->fixed ? " fixed=\"true\"" : "",
                   t->idle ? " idle=\"true\"" : "", t->steady ? " steady=\"true\"" : "", t->priority);
    if (t->process != ES_NET_NO_PROCESS)
        es_text_format(w->out, " process=\"%d\"", (int)t->process);
    es_text_format(w->out, "/>\n");
    if (t->monitor) {
        es_text_format(w->out, "          <monitor mark=\"%" PRId64 "\"", t->mark);
        if (t->mark_max != ES_NET_UNKNOWN)
            es_text_format(w->out, " markMax=\"%" PRId64 "\"", t->mark_max);
        es_text_format(w->out, "/>\n");
    }
    es_text_format(w->out, "        </toolspecific>\n      </transition>\n");
}

static void write_arc(struct writer *w, uint32_t index)
{
    const es_net_arc *arc = &w->net->arcs[index];
    const char *place = place_id(w, arc->place), *transition = transition_id(w, arc->transition);
    const char *id;
    do
        id = es_arena_format(w->arena, "arc%u", ++w->arc_number);
    while (is_taken(w->net, id));
    put(w, "      <arc id=\"", id, "\"");
    put(w, " source=\"", arc->to_place ? transition : place, "\"");
    put(w, " target=\"", arc->to_place ? place : transition, "\"");
    if (arc->weight == 1)
        es_text_format(w->out, "/>\n");
    else
        es_text_format(w->out, "><inscription><text>%u</text></inscription></arc>\n", arc->weight);
}

static void write_net_section(struct writer *w)
{
    const es_net *net = w->net;
    if (!net->tick && !net->process_count)
        return;
    begin_tool(w, "    ");
    if (net->tick)
        put(w, "      <tick>", net->tick, "</tick>\n");
    for (uint32_t i = 0; i < net->process_count; i++) {
        if (!net->processes[i])
            continue;
        es_text_format(w->out, "      <process number=\"%u\"", i);
        put(w, " name=\"", net->processes[i], "\"/>\n");
    }
    es_text_format(w->out, "    </toolspecific>\n");
}

bool es_pnml_write(const es_net *net, es_text_buffer *out, es_error *err)
{
    struct writer w = {.net = net, .out = out, .arena = es_arena_new()};
    choose_ids(&w);
    bool good = check_texts(&w, err);
    if (good) {
        es_text_format(w.out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                              "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n");
        put(&w, "  <net id=\"", free_id(&w, net->id, "net"),
            "\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">\n");
        write_name(&w, net->name, "", "    ");
        write_net_section(&w);
        put(&w, "    <page id=\"", free_id(&w, "page1", ""), "\">\n");
        for (uint32_t i = 0; i < net->place_count; i++)
            write_place(&w, i);
        for (uint32_t i = 0; i < net->transition_count; i++)
            write_transition(&w, i);
        for (uint32_t i = 0; i < net->arc_count; i++)
            write_arc(&w, i);
        es_text_format(w.out, "    </page>\n  </net>\n</pnml>\n");
    }
    es_arena_free(w.arena);
    return good;
}
