#include <stdio.h>

#include "cli/predict/private.h"
#include "predict/from_hits.h"

bool es_predict_print_points(const es_symbols *symbols, es_error *err)
{
    es_text_buffer out = {0};
    bool good = es_predict_hits_statements(symbols, &out, err);
    if (good)
        fputs(out.text, stdout);
    es_text_free(&out);
    return good;
}
