/* Files of machines, of either kind. */
#include <string.h>

#include "infer/machine.h"

#define FILE_BYTES_MAX (16u << 20)

bool es_infer_load(es_infer_model *model, const char *path, es_error *err)
{
    es_text_buffer text = {0};
    if (!es_text_read_file(&text, path, FILE_BYTES_MAX, err)) {
        es_text_free(&text);
        return false;
    }
    const char *begin = text.text ? text.text : "";
    begin += strspn(begin, " \t\r\n\xEF\xBB\xBF");
    bool good = *begin == '<' ? es_infer_parse_xml(model, path, text.text, text.length, err)
                              : es_infer_parse(model, path, text.text ? text.text : "", text.length, err);
    es_text_free(&text);
    return good;
}
