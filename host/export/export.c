#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "export/private.h"
#include "record/json.h"

#define WRITE_AT 65536u

struct es_export {
    const es_export_form *form;
    FILE *file;
    int64_t origin_ns;
    void *state; /* NULL: nothing has begun */
    es_text_buffer out;
    bool failed;
    int error;
};

static void write_out(es_export *e)
{
    errno = 0;
    if (!e->failed && e->out.length && fwrite(e->out.text, 1, e->out.length, e->file) != e->out.length) {
        e->failed = true;
        e->error = errno;
    }
    if (e->out.text)
        es_text_clear(&e->out);
}

static void take(void *context, const es_record *record)
{
    es_export *e = context;
    if (record->kind == ES_RECORD_BEGIN && !e->state)
        e->state = e->form->begin(&e->out, record->schema, e->origin_ns);
    if (!e->state)
        return;
    e->form->take(e->state, &e->out, record);
    if (e->out.length >= WRITE_AT)
        write_out(e);
}

es_export *es_export_new(enum es_export_format format, FILE *file, int64_t origin_ns)
{
    static const es_export_form *const forms[] = {[ES_EXPORT_JSON] = &es_export_json,
                                                  [ES_EXPORT_CSV] = &es_export_csv,
                                                  [ES_EXPORT_VCD] = &es_export_vcd,
                                                  [ES_EXPORT_PERFETTO] = &es_export_perfetto,
                                                  [ES_EXPORT_LCOV] = &es_export_lcov};
    es_export *e = es_malloc(sizeof *e);
    *e = (es_export){.form = forms[format], .file = file, .origin_ns = origin_ns};
    return e;
}

es_sink es_export_sink(es_export *export)
{
    return (es_sink){take, export};
}

bool es_export_failed(const es_export *export)
{
    return export->failed;
}

bool es_export_end(es_export *e, const char *name, es_error *err)
{
    if (e->state)
        e->form->end(e->state, &e->out);
    write_out(e);
    errno = 0;
    if (!e->failed && fflush(e->file) != 0) {
        e->failed = true;
        e->error = errno;
    }
    bool good = !e->failed || es_fail(err, ES_OUTPUT, "%s: cannot be written: %s", name, strerror(e->error));
    int error = e->error;
    es_text_free(&e->out);
    free(e);
    errno = error; /* free() may have changed it */
    return good;
}

/* --- JSON: as the program prints it ------------------------------------------------------------------------------- */

static void *json_begin(es_text_buffer *out, const es_schema *schema, int64_t origin_ns)
{
    static int any;
    (void)out, (void)schema, (void)origin_ns;
    return &any;
}

static void json_take(void *state, es_text_buffer *out, const es_record *record)
{
    (void)state;
    if (record->kind != ES_RECORD_PROGRESS)
        es_record_json(out, record, NULL);
}

static void json_end(void *state, es_text_buffer *out)
{
    (void)state, (void)out;
}

const es_export_form es_export_json = {json_begin, json_take, json_end};
