#include <inttypes.h>
#include <string.h>

#include "net/formats/show.h"

#define LONG_NAME 9u /* letters; more do not fit into the circle */

struct drawing {
    const es_net *net;
    const es_net_show_options *options;
    es_text_buffer *out;
    int32_t *place_process; /* the process that all its neighbours belong to, or ES_NET_NO_PROCESS */
    bool apart;             /* each process by itself, with copies of the places that it shares */
};

/* The node of a place as a process sees it. */
static void put_node_of(struct drawing *d, uint32_t place, int32_t process)
{
    es_text_format(d->out, "p%u", place);
    if (d->apart && d->place_process[place] != process && process != ES_NET_NO_PROCESS)
        es_text_format(d->out, "_%d", (int)process);
}

/* One rule's conditions as words: "mail and not full". */
static void put_conditions(struct drawing *d, const es_net_rule *rule)
{
    static const char *const words[] = {" from ", " to ", " last "};
    for (uint32_t i = 0; i < rule->condition_count; i++) {
        const es_net_condition *c = &rule->conditions[i];
        const es_net_set *sets[] = {&c->from, &c->to, &c->last};
        es_text_format(d->out, "%s%s", i ? " and " : "", c->absent ? "not " : "");
        es_text_xml_string(d->out, d->net->places[c->place].name);
        for (int k = 0; k < 3; k++)
            for (uint32_t t = 0; t < sets[k]->count; t++) {
                es_text_format(d->out, "%s", t ? ", " : words[k]);
                es_text_xml_string(d->out, d->net->transitions[sets[k]->transitions[t]].name);
            }
    }
}

/* When a token goes this way: one line a rule. */
static void put_edge_label(struct drawing *d, const es_net_arc *arc)
{
    const es_net_place *place = &d->net->places[arc->place];
    bool choice = !arc->to_place && place->output_count > 1 && place->rule_count, begun = false;
    if (arc->weight == 1 && !choice)
        return;
    es_text_format(d->out, " label=<");
    if (arc->weight != 1) {
        es_text_format(d->out, "<b>%u</b>", arc->weight);
        begun = true;
    }
    for (uint32_t r = 0; choice && r < place->rule_count; r++) {
        if (place->rules[r].transition != arc->transition)
            continue;
        es_text_format(d->out, "%s", begun ? "<br/>" : "");
        begun = true;
        es_text_format(d->out, place->rules[r].condition_count ? "if " : r ? "else" : "always");
        put_conditions(d, &place->rules[r]);
    }
    es_text_format(d->out, begun ? ">" : "never>");
}

/* The token above the name; long names widen the circle to an ellipse. What a process shares is dashed, where each
 * is drawn by itself. */
static void put_place(struct drawing *d, uint32_t index, int32_t process)
{
    const es_net_place *place = &d->net->places[index];
    size_t length = 0;
    for (const char *c = place->name; *c; c++)
        length += ((unsigned char)*c & 0xC0) != 0x80;
    es_text_format(d->out, "    ");
    put_node_of(d, index, process);
    es_text_format(d->out, " [shape=%s%s%s label=<", length > LONG_NAME ? "ellipse" : "circle width=.74 fixedsize=true",
                   place->output_count > 1 ? " penwidth=2" : "",
                   d->place_process[index] != process ? " style=dashed color=\"#6a7682\"" : "");
    if (place->tokens == 1)
        es_text_format(d->out, "<font point-size=\"15\">\xE2\x97\x8F</font><br/>");
    else if (place->tokens)
        es_text_format(d->out, "<b>%u</b><br/>", place->tokens);
    es_text_xml_string(d->out, place->name);
    es_text_format(d->out, ">];\n");
}

static bool is_missing(const struct drawing *d, uint32_t transition)
{
    const es_net_findings *f = d->options->findings;
    for (size_t i = 0; f && i < f->mark_count; i++)
        if (f->marks[i] == transition)
            return true;
    return false;
}

/* A bar, and beside it name, delay, what the mark adds, place in the source. Arcs end at the bar, which is cell "b". */
static void put_transition(struct drawing *d, uint32_t index)
{
    const es_net_transition *t = &d->net->transitions[index];
    const char *look = is_missing(d, index) ? "border=\"2\" color=\"#c92a2a\" bgcolor=\"#ffc9c9\" style=\"dashed\""
                       : t->monitor         ? "border=\"1\" color=\"#1c5d99\" bgcolor=\"#1c5d99\""
                       : t->untimed         ? "border=\"1\" bgcolor=\"black\""
                                            : "border=\"1\" bgcolor=\"white\"";
    int thickness = t->untimed && !t->monitor && !is_missing(d, index) ? 3 : 9;
    es_text_format(
        d->out,
        "    t%u [shape=plain label=<<table border=\"0\" cellborder=\"0\" cellspacing=\"2\" cellpadding=\"0\"><tr>"
        "<td port=\"b\" fixedsize=\"true\" width=\"%d\" height=\"%d\" %s></td>%s<td align=\"left\">",
        index, d->options->across ? thickness : 36, d->options->across ? 36 : thickness, look,
        d->options->across ? "</tr><tr>" : "");
    es_text_format(d->out, "<b>");
    es_text_xml_string(d->out, t->name);
    es_text_format(d->out, "</b><br align=\"left\"/>");
    if (t->delay)
        es_text_format(d->out, "<font point-size=\"9\">%" PRId64 "</font>", t->delay);
    if (t->monitor && t->mark)
        es_text_format(d->out, "<font point-size=\"9\" color=\"#1c5d99\">%s+%" PRId64 "</font>",
                       t->delay ? "&#160;&#160;" : "", t->mark);
    if (t->delay || (t->monitor && t->mark))
        es_text_format(d->out, "<br align=\"left\"/>");
    if (t->source) {
        es_text_format(d->out, "<font point-size=\"8\" color=\"#666666\">");
        es_text_xml_string(d->out, t->source);
        es_text_format(d->out, "</font><br align=\"left\"/>");
    }
    es_text_format(d->out, "</td></tr></table>>];\n");
}

/* Of a shared place: is there no process that has a copy of it? */
static bool is_alone(const struct drawing *d, uint32_t p)
{
    const es_net_place *place = &d->net->places[p];
    for (uint32_t i = 0; i < place->input_count + place->output_count; i++) {
        uint32_t t = i < place->input_count ? place->inputs[i] : place->outputs[i - place->input_count];
        if (d->net->transitions[t].process == ES_NET_NO_PROCESS)
            return true;
    }
    return place->input_count + place->output_count == 0;
}

static void put_arcs(struct drawing *d)
{
    for (uint32_t i = 0; i < d->net->arc_count; i++) {
        const es_net_arc *arc = &d->net->arcs[i];
        const int32_t process = d->net->transitions[arc->transition].process;
        es_text_format(d->out, "  ");
        if (arc->to_place)
            es_text_format(d->out, "t%u:b:%s -> ", arc->transition, d->options->across ? "e" : "s");
        put_node_of(d, arc->place, process);
        if (!arc->to_place)
            es_text_format(d->out, " -> t%u:b:%s", arc->transition, d->options->across ? "w" : "n");
        es_text_format(d->out, " [");
        put_edge_label(d, arc);
        es_text_format(d->out, "];\n");
    }
    for (uint32_t p = 0; p < d->net->place_count; p++) /* who decides where tokens of p go */
        for (uint32_t i = 0; d->net->places[p].output_count > 1 && i < d->net->places[p].control_count; i++) {
            if (d->apart && d->place_process[p] == ES_NET_NO_PROCESS && !is_alone(d, p))
                continue; /* only copies of it are drawn: the labels of their arcs say so */
            es_text_format(d->out, "  ");
            put_node_of(d, d->net->places[p].controls[i], d->place_process[p]);
            es_text_format(
                d->out, " -> p%u [style=dotted color=\"#888888\" arrowhead=odot arrowsize=.6 constraint=false];\n", p);
        }
}

static void find_processes(struct drawing *d, es_arena *arena)
{
    d->place_process = es_arena_alloc(arena, (d->net->place_count + 1) * sizeof *d->place_process);
    for (uint32_t p = 0; p < d->net->place_count; p++) {
        const es_net_place *place = &d->net->places[p];
        uint32_t count = place->input_count + place->output_count;
        int32_t process = ES_NET_NO_PROCESS;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t t = i < place->input_count ? place->inputs[i] : place->outputs[i - place->input_count];
            process = i == 0 || process == d->net->transitions[t].process ? d->net->transitions[t].process
                                                                          : ES_NET_NO_PROCESS;
            if (process == ES_NET_NO_PROCESS)
                break;
        }
        d->place_process[p] = process;
    }
}

/* Does the process take tokens from the place, put them there, or ask for them? */
static bool touches(const struct drawing *d, int32_t process, uint32_t p, const bool *asked)
{
    const es_net_place *place = &d->net->places[p];
    for (uint32_t i = 0; i < place->input_count; i++)
        if (d->net->transitions[place->inputs[i]].process == process)
            return true;
    for (uint32_t i = 0; i < place->output_count; i++)
        if (d->net->transitions[place->outputs[i]].process == process)
            return true;
    return asked[p];
}

/* The nodes of one process, or those of none. */
static void put_nodes(struct drawing *d, int32_t process, es_arena *arena)
{
    bool *asked = es_arena_alloc(arena, d->net->place_count + 1);
    for (uint32_t p = 0; p < d->net->place_count; p++)
        for (uint32_t i = 0; d->place_process[p] == process && i < d->net->places[p].control_count; i++)
            asked[d->net->places[p].controls[i]] = true;
    for (uint32_t p = 0; p < d->net->place_count; p++)
        if (d->place_process[p] == process ? process != ES_NET_NO_PROCESS || !d->apart || is_alone(d, p)
                                           : d->apart && process != ES_NET_NO_PROCESS && touches(d, process, p, asked))
            put_place(d, p, process);
    for (uint32_t t = 0; t < d->net->transition_count; t++)
        if (d->net->transitions[t].process == process)
            put_transition(d, t);
}

static void put_processes(struct drawing *d, es_arena *arena)
{
    bool *used = es_arena_alloc(arena, UINT16_MAX + 1);
    for (uint32_t t = 0; t < d->net->transition_count; t++)
        if (d->net->transitions[t].process >= 0 && d->net->transitions[t].process <= UINT16_MAX)
            used[d->net->transitions[t].process] = true;
    for (int32_t p = 0; p <= UINT16_MAX; p++) {
        if (!used[p])
            continue;
        const char *name = (uint32_t)p < d->net->process_count ? d->net->processes[p] : NULL;
        es_text_format(
            d->out, "  subgraph cluster_%d {\n    color=\"#c3ccd5\"; fontcolor=\"#44525e\"; style=rounded; label=<<b>",
            (int)p);
        if (name && *name)
            es_text_xml_string(d->out, name);
        else
            es_text_format(d->out, "process %d", (int)p);
        es_text_format(d->out, "</b>>;\n");
        put_nodes(d, p, arena);
        es_text_format(d->out, "  }\n");
    }
    put_nodes(d, ES_NET_NO_PROCESS, arena);
}

void es_net_show_dot(const es_net *net, const es_net_show_options *options, es_text_buffer *out)
{
    struct drawing d = {.net = net, .options = options, .out = out, .apart = options->apart};
    es_arena *arena = es_arena_new();
    find_processes(&d, arena);
    es_text_format(
        out,
        "digraph net {\n  graph [rankdir=%s nodesep=.35 ranksep=.38 fontname=\"Helvetica\" fontsize=12 labelloc=t%s "
        "label=<<b>",
        options->across ? "LR" : "TB", d.apart ? " packmode=\"array_1\"" : "");
    es_text_xml_string(out, net->name);
    es_text_format(out,
                   "</b>%s>];\n  node [fontname=\"Helvetica\" fontsize=10];\n  edge [fontname=\"Helvetica\" fontsize=9 "
                   "arrowsize=.7 "
                   "color=\"#333333\"];\n",
                   d.apart ? "<br/>each process by itself; dashed: what it shares with others" : "");
    put_processes(&d, arena);
    put_arcs(&d);
    es_text_format(out, "}\n");
    es_arena_free(arena);
}
