/* What cannot be watched, said with a caret at its place in the statement. */
#ifndef ES_IMAGE_PLAN_REFUSE_H
#define ES_IMAGE_PLAN_REFUSE_H

#include "base/arena.h"
#include "image/image.h"
#include "image/plan/plan.h"
#include "lang/statement.h"
#include "probe_defs.h"
#include <image.h>

/* Fails with ES_USAGE, a caret at a place in the statements' text, and what to write instead (may be NULL). */
bool es_plan_refuse_at(const image_plan *plan, es_source source, size_t length, es_error *err, const char *hint,
                       const char *format, ...) __attribute__((format(printf, 6, 7)));

/* The same with a caret under the first place in the text that refers to references[index]; what to do instead. */
bool es_plan_refuse(const image_plan *plan, const es_statement *statement, size_t index, es_error *err,
                    const char *hint, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* The same with a caret under the beginning of a statement. */
bool es_plan_fail(const image_plan *plan, const es_statement *statement, es_error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The same under the first reference to a local of a procedure. */
bool es_plan_refuse_local(const image_plan *plan, const es_procedure *procedure, es_error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
