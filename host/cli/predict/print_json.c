#include <stdio.h>

#include "base/json.h"
#include "cli/predict/private.h"

static void machine_json(es_json *j, const predict_case *c)
{
    const es_predict_machine *m = &c->machine;
    es_json_put_uint(j, "cores", m->cores);
    es_json_put_string(j, "speed", c->speed ? c->speed : "1");
    es_json_put_string(j, "scheduler", es_predict_scheduler_name(m->scheduler));
    es_json_put_string(j, "ports", es_predict_memory_name(m->memory));
    es_json_put_uint(j, "wait", m->wait);
    es_json_put_uint(j, "latency", m->latency);
    es_json_put_uint(j, "bell", m->bell);
    es_json_put_uint(j, "kernel", m->free_kernel ? 0 : m->kernel ? m->kernel : 100);
}

static void waiting_json(es_json *j, const es_predict_waiting *w, uint32_t scale)
{
    es_json_put_uint(j, "waits", w->waits);
    es_json_put_uint(j, "passes", w->passes);
    es_json_put_double(j, "clocks", (double)w->ticks / scale);
    es_json_put_double(j, "longest", (double)w->worst / scale);
}

static void objects_json(es_json *j, const predict_job *job, const es_predict_result *r)
{
    es_json_key(j, "objects");
    es_json_begin(j, '[');
    for (size_t o = 0; o < job->trace->object_count; o++) {
        es_json_begin(j, '{');
        es_json_put_string(j, "name", job->trace->objects[o].name);
        es_json_put_uint(j, "address", job->trace->objects[o].address);
        es_json_put_string(j, "kind", es_predict_kind_name(job->trace->objects[o].kind));
        waiting_json(j, &r->objects[o], r->scale);
        es_json_end(j, '}');
    }
    es_json_end(j, ']');
    es_json_key(j, "kernel_lock");
    es_json_begin(j, '{');
    waiting_json(j, &r->lock, r->scale);
    es_json_end(j, '}');
}

static void cores_json(es_json *j, const predict_case *c)
{
    es_json_key(j, "core");
    es_json_begin(j, '[');
    for (unsigned k = 0; k < c->machine.cores; k++) {
        es_json_begin(j, '{');
        es_json_put_double(j, "own", (double)c->result.runs[k] / c->result.scale);
        es_json_put_double(j, "library", (double)c->result.kernel[k] / c->result.scale);
        es_json_put_double(j, "spins", (double)c->result.spins[k] / c->result.scale);
        es_json_end(j, '}');
    }
    es_json_end(j, ']');
}

static void single_json(es_json *j, const predict_job *job)
{
    es_json_key(j, "critical");
    es_json_begin(j, '[');
    for (size_t i = 0; i < job->critical.count; i++) {
        const es_predict_share *s = &job->critical.shares[i];
        es_json_begin(j, '{');
        es_json_put_string(j, "what", s->what);
        es_json_put_double(j, "clocks", (double)s->ticks / job->cases[0].result.scale);
        es_json_end(j, '}');
    }
    es_json_end(j, ']');
    es_json_key(j, "changes");
    es_json_begin(j, '[');
    for (size_t i = 0; i < job->change_count; i++) {
        es_json_begin(j, '{');
        es_json_put_string(j, "what", job->changes[i].what);
        es_json_put_uint(j, "makespan", job->changes[i].makespan);
        es_json_end(j, '}');
    }
    es_json_end(j, ']');
}

static void head_json(es_json *j, const predict_job *job)
{
    const es_predict_trace *t = job->trace;
    es_text_buffer depends = {0};
    es_predict_depends_text(&depends, t->depends);
    es_json_begin(j, '{');
    es_json_put_string(j, "type", "trace");
    es_json_put_uint(j, "threads", t->thread_count);
    es_json_put_uint(j, "blocks", t->block_count);
    es_json_put_uint(j, "firings", job->steps->firings);
    es_json_put_uint(j, "events", t->event_count);
    es_json_put_uint(j, "alone", job->alone);
    es_json_put_bool(j, "whole", job->whole);
    es_json_put_string(j, "hits", job->way);
    es_json_put_bool(j, "memory_seen", !(t->depends & ES_PREDICT_UNSEEN));
    es_json_put_string(j, "depends_on_timing", depends.length ? depends.text : NULL);
    es_json_end(j, '}');
    es_text_free(&depends);
}

void es_predict_print_json(const predict_job *job)
{
    es_text_buffer out = {0};
    es_json j = {.out = &out};
    head_json(&j, job);
    puts(out.text);
    for (size_t i = 0; i < job->count; i++) {
        const predict_case *c = &job->cases[i];
        es_text_clear(&out);
        j = (es_json){.out = &out};
        es_json_begin(&j, '{');
        es_json_put_string(&j, "type", "prediction");
        machine_json(&j, c);
        es_json_put_uint(&j, "makespan", c->makespan);
        es_json_put_uint(&j, "low", c->bounds.low);
        es_json_put_uint(&j, "high", c->bounds.high);
        es_json_put_double(&j, "speed_up", c->makespan ? (double)job->alone / (double)c->makespan : 0);
        es_json_put_bool(&j, "lock_decides", es_predict_lock_decides(&c->machine, &c->result));
        es_json_put_uint(&j, "preemptions", c->result.preemptions);
        cores_json(&j, c);
        objects_json(&j, job, &c->result);
        if (job->count == 1)
            single_json(&j, job);
        es_json_end(&j, '}');
        puts(out.text);
    }
    es_text_free(&out);
}
