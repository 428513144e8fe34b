#include "base/error.h"

#include <stdio.h>
#include <string.h>

const char *es_code_name(enum es_code code)
{
    static const char *const names[] = {[ES_OK] = "ok",       [ES_EXPECTATION] = "expectation",
                                        [ES_USAGE] = "usage", [ES_PROBE] = "probe",
                                        [ES_LOST] = "lost",   [ES_OUTPUT] = "output"};
    return names[code];
}

bool es_vfail(es_error *err, enum es_code code, const char *format, va_list args)
{
    if (err) {
        err->code = code;
        vsnprintf(err->text, sizeof err->text, format, args);
    }
    return false;
}

bool es_fail(es_error *err, enum es_code code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    es_vfail(err, code, format, args);
    va_end(args);
    return false;
}

bool es_fail_in(es_error *err, const char *format, ...)
{
    if (!err)
        return false;
    char where[256];
    char what[sizeof err->text];
    va_list args;
    va_start(args, format);
    vsnprintf(where, sizeof where, format, args);
    va_end(args);
    memcpy(what, err->text, sizeof what);
    size_t used = (size_t)snprintf(err->text, sizeof err->text, "%s: ", where);
    size_t room = sizeof err->text - used;
    size_t length = strnlen(what, room - 1);
    memcpy(err->text + used, what, length);
    err->text[used + length] = 0;
    return false;
}
