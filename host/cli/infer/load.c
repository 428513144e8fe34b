/* --machine: files of machines, and programs. */
#include <stdio.h>
#include <string.h>

#include "cli/infer/private.h"
#include "infer/compound.h"
#include "infer/net.h"
#include "infer/program.h"

#define LOST_EVENT "earshot:lost" /* docs/traces.md */

static bool take_event(void *context, const es_infer_event *event, es_error *err)
{
    (void)context, (void)event, (void)err;
    return true;
}

static bool take_loss(void *context, const es_infer_loss *loss, es_error *err)
{
    (void)context, (void)loss, (void)err;
    return true;
}

/* Takes in the names of all events that the trace has. */
static bool read_names(const es_infer_request *q, es_infer_model *model, es_error *err)
{
    es_infer_sink sink = {NULL, take_event, take_loss};
    model->words.open = true;
    if (!es_infer_read(q->trace, &model->words, &sink, err) ||
        (q->statistics && !es_infer_read(q->statistics, &model->words, &sink, err)))
        return false;
    model->words.open = false;
    model->of_probe = es_infer_event_number(&model->words, LOST_EVENT, strlen(LOST_EVENT), false) != ES_INFER_NONE;
    return true;
}

/* The machine of a program is of the procedures that the trace has: so its names of events come first. */
static bool add_program(const es_infer_request *q, es_infer_model *model, const char *path, es_infer_program **program,
                        es_error *err)
{
    uint32_t depth = 0;
    if (*program)
        return es_fail(err, ES_USAGE, "%s: there is a program already: one of --machine may be an ELF", path);
    if (!read_names(q, model, err))
        return false;
    *program = es_infer_program_add(model, path, q->key, &depth, err);
    if (!*program)
        return false;
    if (depth)
        fprintf(stderr,
                "earshot: the states are the %u innermost calls: after a return to what is outside of them, "
                "several may be possible\n",
                depth);
    const char *name;
    for (uint32_t i = 0; (name = es_infer_program_endless(*program, i)); i++)
        fprintf(stderr, "earshot: the trace never leaves %s: that it does not return is taken as given\n", name);
    if ((name = es_infer_program_stranger(*program, 0)))
        fprintf(stderr, "earshot: the trace has %s%s, and %s no such procedure: is it a trace of another program?\n",
                name, es_infer_program_stranger(*program, 1) ? " and others" : "", path);
    return true;
}

bool es_infer_has_program(const es_infer_request *q, const char *path, es_error *err)
{
    return q->elf || es_fail(err, ES_USAGE, "%s: which program are these statements about? --program FILE.elf", path);
}

static bool add_net(es_infer_model *model, const char *path, es_error *err)
{
    uint32_t left_out = 0;
    if (!es_infer_net_add(model, path, &left_out, err))
        return false;
    if (left_out)
        fprintf(stderr, "earshot: %u %s of the net %s more than one token: no machine\n", (unsigned)left_out,
                es_plural(left_out, "process", "processes"), es_plural(left_out, "has", "have"));
    return true;
}

static bool add_file(const es_infer_request *q, es_infer_model *model, const char *path, es_infer_program **program,
                     es_error *err)
{
    if (es_infer_is_program(path))
        return add_program(q, model, path, program, err);
    if (es_infer_is_ending(path, ".watch"))
        return es_infer_has_program(q, path, err) && read_names(q, model, err) &&
               es_infer_compound_add(model, path, q->elf, err);
    if (es_infer_is_net(path))
        return add_net(model, path, err);
    return (!es_infer_wants_names(path) || read_names(q, model, err)) && es_infer_load(model, path, err);
}

bool es_infer_load_machines(const es_infer_request *q, es_infer_model *model, es_infer_program **program, es_error *err)
{
    bool good = true;
    for (unsigned i = 0; good && i < q->file_count; i++)
        good = add_file(q, model, q->files[i], program, err);
    if (good && q->key && !*program)
        return es_fail(err, ES_USAGE,
                       "--key is of the calls of a program, or of --learn: machines name their own keys");
    return good;
}
