#include "net/formats/pnml.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "net/formats/pnml_private.h"

/* Elements that say nothing about the net's behaviour, wherever they stand. What is not listed here or read below is
 * refused. */
static const char *const harmless[] = {
    "name",    "toolspecific",   "label",         "labels",  "description", "comment", "orientation",
    "arcpath", "tagged",         "finalmarkings", "token",   "variables",   "size",    "view",
    "color",   "infiniteServer", "fontsize",      "authors", "version",
};

/* The text of a label: <text> in ISO 15909-2, <value> in older files. */
static const char *label_text(const es_pnml_node *node, const char *label)
{
    const es_pnml_node *child = es_pnml_child(node, label);
    const es_pnml_node *text = es_pnml_child(child, "text");
    if (!text)
        text = es_pnml_child(child, "value");
    return text ? text->text : NULL;
}

static bool is_harmless(const char *name)
{
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (strcmp(name, harmless[i]) == 0)
            return true;
    return false;
}

/* Marking or weight: a number; "Default,3" in files of PIPE, where the word is the colour of the tokens. */
static bool count_of(es_pnml_reader *r, const es_pnml_node *node, const char *label, int64_t least, int64_t otherwise,
                     int64_t *count)
{
    const char *text = label_text(node, label);
    *count = otherwise;
    if (!text || !*text)
        return true;
    const char *comma = strchr(text, ',');
    if (comma && strchr(comma + 1, ','))
        return es_pnml_fail(&r->tree, node, r->err,
                            "tokens of several colours ('%.60s'): only nets without colours can be held", text);
    return es_pnml_number(r, node, label, comma ? comma + 1 : text, least, UINT32_MAX - 1, count);
}

/* The reason why the element changes the net's behaviour in a way that cannot be held; NULL when it does not. */
static const char *refusal(const es_pnml_node *e)
{
    const char *value = es_pnml_child(e, "value") ? es_pnml_child(e, "value")->text : e->text;
    if (strncmp(e->name, "hl", 2) == 0 || strcmp(e->name, "condition") == 0 || strcmp(e->name, "type") == 0 ||
        strcmp(e->name, "structure") == 0 || strcmp(e->name, "declaration") == 0)
        return "belongs to a coloured (high-level) net: unfold it to a place/transition net first";
    if (strcmp(e->name, "guard") == 0)
        return "is a guard: only nets without data can be held";
    if (strcmp(e->name, "capacity") == 0)
        return strcmp(value, "0") == 0 ? NULL : "limits a place: express the limit by a complementary place";
    if (strcmp(e->name, "timed") == 0)
        return strcmp(value, "false") == 0 ? NULL : "makes a transition stochastic: a fixed delay is needed";
    if (strcmp(e->name, "inputArc") == 0 || strcmp(e->name, "outputArc") == 0 || strcmp(e->name, "transportArc") == 0)
        return "belongs to a timed-arc net: only nets whose transitions carry the time can be held";
    if (strcmp(e->name, "inhibitorArc") == 0)
        return "is an inhibitor arc: express it by a complementary place";
    return is_harmless(e->name) ? NULL : "is not known and could change the meaning of the net";
}

static bool check_children(es_pnml_reader *r, const es_pnml_node *node, const char *const *known)
{
    for (const es_pnml_node *child = node->children; child; child = child->next) {
        const char *const *k = known;
        while (*k && strcmp(*k, child->name) != 0)
            k++;
        const char *reason = *k ? NULL : refusal(child);
        if (reason)
            return es_pnml_fail(&r->tree, child, r->err, "<%.60s> in <%s> %s", child->name, node->name, reason);
    }
    return true;
}

static bool add_entry(es_pnml_reader *r, const es_pnml_node *node, enum es_pnml_kind kind, uint32_t index,
                      const char *other)
{
    r->entries = es_arena_grow(r->scratch, r->entries, r->entry_count, sizeof *r->entries);
    r->entries[r->entry_count++] = (es_pnml_entry){es_pnml_attribute_of(node, "id"), kind, index, other, node};
    return true;
}

/* Gives the message of *r->err the node's place. */
static bool fail_here(es_pnml_reader *r, const es_pnml_node *node)
{
    char text[sizeof r->err->text];
    memcpy(text, r->err->text, sizeof text);
    return es_pnml_fail(&r->tree, node, r->err, "%.1000s", text);
}

static bool add_place(es_pnml_reader *r, const es_pnml_node *node, const char *id, const char *name, const char *source)
{
    static const char *const known[] = {"initialMarking", NULL};
    int64_t tokens;
    if (es_pnml_attribute_of(node, "initialMarking"))
        return es_pnml_fail(&r->tree, node, r->err,
                            "this is a timed-arc net: only nets whose transitions carry the time can be held");
    if (!check_children(r, node, known) || !count_of(r, node, "initialMarking", 0, 0, &tokens))
        return false;
    uint32_t index = es_net_place_add(r->net, id, name, (uint32_t)tokens, source, r->err);
    return index == ES_NET_NONE ? fail_here(r, node) : add_entry(r, node, ES_PNML_PLACE, index, NULL);
}

/* The delay that a transition has in TINA's TpnPNML: only intervals that are a point. */
static bool interval_of(es_pnml_reader *r, const es_pnml_node *node, int64_t *delay)
{
    const es_pnml_node *interval = es_pnml_child(es_pnml_child(node, "delay"), "interval");
    const es_pnml_node *from = es_pnml_child(interval, "cn"), *to = from ? es_pnml_next(from) : NULL;
    const char *closure = es_pnml_attribute_of(interval, "closure");
    *delay = 0;
    if (!interval)
        return true;
    bool whole = from && !to && strcmp(from->text, "0") == 0 && es_pnml_child(interval, "ci") && closure &&
                 strcmp(closure, "closed-open") == 0;
    if (whole) /* [0,w[ is TINA's default: no time at all */
        return true;
    if (!from || !to || strcmp(from->text, to->text) != 0 || (closure && strcmp(closure, "closed") != 0))
        return es_pnml_fail(&r->tree, interval, r->err,
                            "an interval of delays: only one fixed delay can be held, as [5,5]");
    return es_pnml_number(r, from, "the delay", from->text, 0, ES_NET_TICKS_MAX, delay);
}

static bool add_transition(es_pnml_reader *r, const es_pnml_node *node, const char *id, const char *name,
                           const char *source)
{
    static const char *const known[] = {"delay", "rate", "priority", NULL};
    int64_t delay;
    if (!check_children(r, node, known) || !interval_of(r, node, &delay))
        return false;
    const char *priority = label_text(node, "priority");
    if (priority && strcmp(priority, "1") != 0 && strcmp(priority, "0") != 0)
        return es_pnml_fail(
            &r->tree, es_pnml_child(node, "priority"), r->err,
            "a priority of another tool: give the order in the toolspecific section, priority=\"N\" in <timing>");
    uint32_t index = es_net_transition_add(r->net, id, name, delay, source, r->err);
    return index == ES_NET_NONE ? fail_here(r, node) : add_entry(r, node, ES_PNML_TRANSITION, index, NULL);
}

static bool add_node(es_pnml_reader *r, const es_pnml_node *node)
{
    const es_pnml_node *tool = es_pnml_tool(node), *original = es_pnml_child(tool, "original"),
                       *source = es_pnml_child(tool, "source");
    const char *version = es_pnml_attribute_of(tool, "version");
    const char *id = es_pnml_attribute_of(node, "id");
    if (!id || !*id)
        return es_pnml_fail(&r->tree, node, r->err, "<%s> needs an id", node->name);
    if (tool && (!version || strcmp(version, "1") != 0))
        return es_pnml_fail(&r->tree, tool, r->err, "the section for earshot has version \"%.20s\"; known is \"1\"",
                            version ? version : "");
    const char *name = label_text(node, "name");
    bool (*add)(es_pnml_reader *, const es_pnml_node *, const char *, const char *, const char *) =
        strcmp(node->name, "place") == 0 ? add_place : add_transition;
    return add(r, node, original ? es_pnml_attribute_of(original, "id") : id, name && *name ? name : NULL,
               source ? source->text : NULL);
}

static bool add_reference(es_pnml_reader *r, const es_pnml_node *node)
{
    const char *id = es_pnml_attribute_of(node, "id"), *other = es_pnml_attribute_of(node, "ref");
    if (!id || !*id || !other || !*other)
        return es_pnml_fail(&r->tree, node, r->err, "<%s> needs an id and a ref", node->name);
    return add_entry(r, node,
                     strcmp(node->name, "referencePlace") == 0 ? ES_PNML_PLACE_REFERENCE : ES_PNML_TRANSITION_REFERENCE,
                     ES_NET_NONE, other);
}

/* All nodes of a net or page; arcs are kept for later. The tree's depth is limited, and so is the recursion. */
static bool read_page(es_pnml_reader *r, const es_pnml_node *page) /* NOLINT(misc-no-recursion) */
{
    for (const es_pnml_node *node = page->children; node; node = node->next) {
        bool good = true;
        if (strcmp(node->name, "place") == 0 || strcmp(node->name, "transition") == 0) {
            good = add_node(r, node);
        } else if (strcmp(node->name, "referencePlace") == 0 || strcmp(node->name, "referenceTransition") == 0) {
            good = add_reference(r, node);
        } else if (strcmp(node->name, "page") == 0) {
            good = read_page(r, node);
        } else if (strcmp(node->name, "arc") == 0) {
            r->arcs = es_arena_grow(r->scratch, r->arcs, r->arc_count, sizeof *r->arcs);
            r->arcs[r->arc_count++] = node;
        } else {
            const char *reason = refusal(node);
            good =
                !reason || es_pnml_fail(&r->tree, node, r->err, "<%.60s> in <%s> %s", node->name, page->name, reason);
        }
        if (!good)
            return false;
    }
    return true;
}

static int by_id(const void *a, const void *b)
{
    const es_pnml_entry *one = a, *other = b;
    int order = strcmp(one->id, other->id);
    if (order == 0 && one->node != other->node)
        order = one->node->line < other->node->line ||
                        (one->node->line == other->node->line && one->node->column < other->node->column)
                    ? -1
                    : 1;
    return order;
}

static bool sort_entries(es_pnml_reader *r)
{
    if (r->entry_count)
        qsort(r->entries, r->entry_count, sizeof *r->entries, by_id);
    for (size_t i = 1; i < r->entry_count; i++)
        if (strcmp(r->entries[i - 1].id, r->entries[i].id) == 0)
            return es_pnml_fail(&r->tree, r->entries[i].node, r->err, "the id '%.60s' is taken already, in line %u",
                                r->entries[i].id, r->entries[i - 1].node->line);
    return true;
}

static bool add_arc(es_pnml_reader *r, const es_pnml_node *node)
{
    static const char *const known[] = {"inscription", "type", "arctype", NULL};
    const char *type = es_pnml_attribute_of(node, "type");
    const es_pnml_node *typed =
        es_pnml_child(node, "type") ? es_pnml_child(node, "type") : es_pnml_child(node, "arctype");
    if (typed && !type)
        type =
            es_pnml_attribute_of(typed, "value") ? es_pnml_attribute_of(typed, "value") : label_text(node, typed->name);
    if (type && strcmp(type, "normal") != 0)
        return es_pnml_fail(&r->tree, node, r->err, "an arc of type '%.60s': only normal ones can be held", type);
    const char *source = es_pnml_attribute_of(node, "source"), *target = es_pnml_attribute_of(node, "target");
    if (!source || !target)
        return es_pnml_fail(&r->tree, node, r->err, "<arc> needs a source and a target");
    int64_t weight;
    if (!check_children(r, node, known) || !count_of(r, node, "inscription", 1, 1, &weight))
        return false;
    const es_pnml_entry *from = es_pnml_follow(r, source), *to = es_pnml_follow(r, target);
    if (!from || !to)
        return es_pnml_fail(&r->tree, node, r->err, "there is no node with the id '%.60s'", from ? target : source);
    if (from->kind == to->kind)
        return es_pnml_fail(&r->tree, node, r->err, "the arc connects two %ss",
                            from->kind == ES_PNML_PLACE ? "place" : "transition");
    bool good = from->kind == ES_PNML_PLACE ? es_net_arc_in(r->net, from->index, to->index, (uint32_t)weight, r->err)
                                            : es_net_arc_out(r->net, from->index, to->index, (uint32_t)weight, r->err);
    return good || fail_here(r, node);
}

/* Types that are place/transition nets by the names that tools give them. */
static bool check_type(es_pnml_reader *r, const es_pnml_node *net)
{
    static const char *const types[] = {"ptnet", "P/T net", "ptNetb", "pnmlcoremodel", "pnmlcore", "tpn", "pnml"};
    const char *type = es_pnml_attribute_of(net, "type");
    if (!type)
        return true;
    const char *slash = strrchr(type, '/');
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcasecmp(type, types[i]) == 0 || (slash && strcasecmp(slash + 1, types[i]) == 0))
            return true;
    return es_pnml_fail(&r->tree, net, r->err, "a net of type '%.120s': only place/transition nets can be held%s", type,
                        strstr(type, "symmetric") || strstr(type, "highlevel") || strstr(type, "hlpn")
                            ? "; unfold its colours first"
                            : "");
}

static bool read_net(es_pnml_reader *r)
{
    const es_pnml_node *root = r->tree.root, *net = es_pnml_child(root, "net");
    if (strcmp(root->name, "pnml") != 0 || !net)
        return es_pnml_fail(&r->tree, root, r->err,
                            "this is not PNML: <pnml> with a <net> in it is needed, not <%.60s>", root->name);
    if (es_pnml_next(net))
        return es_pnml_fail(&r->tree, es_pnml_next(net), r->err, "a second net: one a file can be read");
    if (!check_type(r, net))
        return false;
    const char *id = es_pnml_attribute_of(net, "id");
    r->net = es_net_new(id && *es_pnml_trimmed(r->scratch, id) ? es_pnml_trimmed(r->scratch, id) : NULL);
    const char *name = label_text(net, "name");
    if (name && *name)
        r->net->name = es_arena_copy(r->net->arena, name, strlen(name));
    if (!read_page(r, net) || !sort_entries(r))
        return false;
    for (size_t i = 0; i < r->arc_count; i++)
        if (!add_arc(r, r->arcs[i]))
            return false;
    if (!es_net_finish(r->net, r->err)) /* the sections name outputs, which are known from here on */
        return fail_here(r, net);
    return es_pnml_read_tools(r, net) && (es_net_finish(r->net, r->err) || fail_here(r, net));
}

es_net *es_pnml_read(const char *file, const char *bytes, size_t size, es_error *err)
{
    es_error ignored = {0};
    es_pnml_reader reader = {.scratch = es_arena_new(), .err = err ? err : &ignored};
    bool good = es_pnml_parse(file, bytes, size, reader.scratch, &reader.tree, reader.err) && read_net(&reader);
    es_arena_free(reader.scratch);
    if (good)
        return reader.net;
    es_net_free(reader.net);
    return NULL;
}
