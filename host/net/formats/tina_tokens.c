/* What the current token is, for all that read the .net format. */
#include "net/formats/tina_private.h"

bool es_tina_is_name(const es_tina_reader *r)
{
    return r->lexer.token == ES_TINA_NAME || r->lexer.token == ES_TINA_QUOTED;
}

bool es_tina_is_mark(const es_tina_reader *r, char mark)
{
    return r->lexer.token == ES_TINA_MARK && r->lexer.mark == mark;
}

bool es_tina_number(es_tina_reader *r, const char *what, int64_t most, int64_t *value)
{
    const char *c = r->lexer.text;
    bool good = r->lexer.token == ES_TINA_NAME && *c >= '0' && *c <= '9';
    *value = 0;
    for (; good && *c >= '0' && *c <= '9'; c++) {
        good = *value <= (most - (*c - '0')) / 10;
        *value = good ? *value * 10 + (*c - '0') : 0;
    }
    int64_t unit = *c == 'K' ? 1000 : *c == 'M' ? 1000000 : 1;
    if (good && unit > 1) {
        c++;
        good = *value <= most / unit;
        *value *= good ? unit : 0;
    }
    if (!good || *c)
        return es_tina_fail(&r->lexer, "%s has to be a number up to %lld, not %s", what, (long long)most,
                            es_tina_shown(&r->lexer));
    return es_tina_next(&r->lexer);
}
