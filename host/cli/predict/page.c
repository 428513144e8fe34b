/* The page of `earshot predict --html`: the picture, and below it what the text says. */
#include <inttypes.h>
#include <stdlib.h>

#include "cli/predict/private.h"

enum { SHARES = 20, OBJECTS = 8 };

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void add_machines(const predict_job *job, es_text_buffer *out)
{
    es_text_format(out,
                   "<table><tr><th>makespan<th>speed-up<th>busy<th>at least<th>at most<th class=\"text\">machine\n");
    for (size_t i = 0; i < job->count; i++) {
        const predict_case *c = &job->cases[i];
        uint64_t busy = 0;
        for (unsigned k = 0; k < c->machine.cores; k++)
            busy += c->result.runs[k] + c->result.kernel[k] + c->result.spins[k];
        es_text_format(out, "<tr><td>%" PRIu64 "<td>%.2f<td>%.0f %%<td>%" PRIu64 "<td>%" PRIu64 "<td class=\"text\">",
                       c->makespan, c->makespan ? (double)job->alone / (double)c->makespan : 0,
                       percent(busy, c->result.makespan * c->machine.cores), c->bounds.low, c->bounds.high);
        es_text_buffer machine = {0};
        es_predict_machine_text(&machine, c);
        es_text_xml_string(out, machine.text);
        es_text_free(&machine);
        es_text_format(out, "\n");
    }
    es_text_format(out, "</table>\n");
}

static void add_cores(const predict_case *c, es_text_buffer *out)
{
    const es_predict_result *r = &c->result;
    es_text_format(out, "<h2>Cores</h2>\n<table><tr><th>core<th>own code<th>library<th>waits for its lock<th>idle\n");
    for (unsigned k = 0; k < c->machine.cores; k++)
        es_text_format(out, "<tr><td>%u<td>%.1f %%<td>%.1f %%<td>%.1f %%<td>%.1f %%\n", k,
                       percent(r->runs[k], r->makespan), percent(r->kernel[k], r->makespan),
                       percent(r->spins[k], r->makespan),
                       percent(r->makespan - r->runs[k] - r->kernel[k] - r->spins[k], r->makespan));
    es_text_format(out, "</table>\n");
}

static void add_waiting_row(const es_predict_waiting *w, uint32_t scale, const char *kind, const char *name,
                            es_text_buffer *out)
{
    es_text_format(out, "<tr><td>%" PRIu64 "<td>%" PRIu64 "<td>%" PRIu64 "<td>%" PRIu64 "<td class=\"text\">", w->waits,
                   w->passes, w->ticks / scale, w->worst / scale);
    es_text_xml_string(out, name);
    es_text_format(out, "%s%s\n", *kind ? ", " : "", kind);
}

static int longest_first(const void *a, const void *b)
{
    const es_predict_waiting *x = *(const es_predict_waiting *const *)a, *y = *(const es_predict_waiting *const *)b;
    return (x->ticks < y->ticks) - (x->ticks > y->ticks);
}

static void add_waiting(const predict_job *job, es_text_buffer *out)
{
    const es_predict_result *r = &job->cases[0].result;
    const es_predict_trace *t = job->trace;
    const es_predict_waiting **sorted = es_malloc((r->object_count + 1) * sizeof *sorted);
    for (size_t o = 0; o < r->object_count; o++)
        sorted[o] = &r->objects[o];
    qsort(sorted, r->object_count, sizeof *sorted, longest_first);
    es_text_format(out,
                   "<h2>Waiting</h2>\n<table><tr><th>waits<th>passes<th>clocks<th>longest<th class=\"text\">for\n");
    for (size_t i = 0; i < r->object_count && i < OBJECTS && sorted[i]->ticks; i++) {
        size_t o = (size_t)(sorted[i] - r->objects);
        bool object = o < t->object_count; /* the one after the last: threads */
        const char *name = object ? t->objects[o].name : "threads' ends";
        add_waiting_row(sorted[i], r->scale, object ? es_predict_kind_name(t->objects[o].kind) : "", name ? name : "",
                        out);
    }
    add_waiting_row(&r->lock, r->scale, "", "the kernel's lock", out);
    es_text_format(out, "</table>\n");
    free(sorted);
}

static void add_shares(const predict_job *job, es_text_buffer *out)
{
    const es_predict_critical *k = &job->critical;
    es_text_format(out, "<h2>Critical path</h2>\n<table>\n");
    for (size_t i = 0; i < k->count && i < SHARES; i++) {
        es_text_format(out, "<tr><td>%.1f %%<td class=\"text\">", percent(k->shares[i].ticks, k->ticks));
        es_text_xml_string(out, k->shares[i].what);
        es_text_format(out, "\n");
    }
    es_text_format(out, "</table>\n<h2>What would pay</h2>\n<table>\n");
    double now = (double)job->cases[0].makespan;
    for (size_t i = 0; i < job->change_count; i++) {
        es_text_format(out, "<tr><td>%.1f %%<td class=\"text\">",
                       now > 0 ? 100 * (now - (double)job->changes[i].makespan) / now : 0);
        es_text_xml_string(out, job->changes[i].what);
        es_text_format(out, "\n");
    }
    es_text_format(out, "</table>\n");
}

static void add_notes(const predict_job *job, es_text_buffer *out)
{
    es_text_buffer depends = {0};
    es_predict_depends_text(&depends, job->trace->depends);
    if (depends.length)
        es_text_format(out, "<p>On another machine it may take other ways: %s.</p>\n", depends.text);
    es_text_free(&depends);
    if (!job->whole)
        es_text_format(
            out, "<p>The recorded run ends before the program does: this is of the part that was recorded.</p>\n");
    if (es_predict_is_unseen(job->trace))
        es_text_format(out, "<p>Note: " PREDICT_UNSEEN ".</p>\n");
}

bool es_predict_draw_page(const predict_job *job, es_text_buffer *out, es_error *err)
{
    bool good = true;
    const char *name = es_base_name(job->request->program);
    es_text_format(out, "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>");
    es_text_xml_string(out, name);
    es_text_format(out, " on other machines</title>\n<style>body{font:15px sans-serif;max-width:960px;margin:2em auto}"
                        "td,th{padding:2px 12px;text-align:right}.text{text-align:left}</style>\n<h1>");
    es_text_xml_string(out, name);
    es_text_format(out, " on other machines</h1>\n");
    add_notes(job, out);
    if (job->count > 1)
        es_predict_draw_curve(job, out);
    else
        good = es_predict_draw_gantt(job, out, err);
    add_machines(job, out);
    if (job->count == 1) {
        add_cores(&job->cases[0], out);
        add_waiting(job, out);
        add_shares(job, out);
    }
    es_text_format(out, "</html>\n");
    return good;
}
