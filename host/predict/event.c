#include "predict/event.h"

#include <string.h>

static const struct {
    const char *name;
    bool object;
} kinds[ES_PREDICT_KINDS] = {
    [ES_PREDICT_END] = {"end", false},        [ES_PREDICT_FORK] = {"fork", false},
    [ES_PREDICT_JOIN] = {"join", false},      [ES_PREDICT_LOCK] = {"lock", true},
    [ES_PREDICT_UNLOCK] = {"unlock", true},   [ES_PREDICT_WAIT] = {"wait", true},
    [ES_PREDICT_SIGNAL] = {"signal", true},   [ES_PREDICT_BROADCAST] = {"broadcast", true},
    [ES_PREDICT_BARRIER] = {"barrier", true}, [ES_PREDICT_ACQUIRE] = {"acquire", true},
    [ES_PREDICT_RELEASE] = {"release", true}, [ES_PREDICT_PUT] = {"put", true},
    [ES_PREDICT_GET] = {"get", true},         [ES_PREDICT_YIELD] = {"yield", false},
};

const char *es_predict_kind_name(enum es_predict_kind kind)
{
    return kind < ES_PREDICT_KINDS ? kinds[kind].name : "?";
}

enum es_predict_kind es_predict_kind_of(const char *name)
{
    unsigned kind = 0;
    while (kind < ES_PREDICT_KINDS && strcmp(kinds[kind].name, name) != 0)
        kind++;
    return kind;
}

bool es_predict_kind_has_object(enum es_predict_kind kind)
{
    return kind < ES_PREDICT_KINDS && kinds[kind].object;
}
