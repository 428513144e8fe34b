#include "report/style.h"

const char *es_style_code(enum es_style which)
{
    static const char *const codes[] = {
        [ES_STYLE_DIM] = "\033[2m",     [ES_STYLE_NAME] = "\033[1;36m", [ES_STYLE_PATH] = "\033[32m",
        [ES_STYLE_LOUD] = "\033[1;31m", [ES_STYLE_BOLD] = "\033[1m",    [ES_STYLE_INFERRED] = "\033[3;33m"};
    return codes[which];
}

void es_style_begin(es_report *report, enum es_style which)
{
    if (report->config.color)
        es_text_format(&report->line, "%s", es_style_code(which));
}

void es_style_end(es_report *report)
{
    if (report->config.color)
        es_text_format(&report->line, "\033[0m");
}
