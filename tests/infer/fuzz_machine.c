/* libFuzzer's entry: any bytes must be read as machines or refused; what is read can be written and read again. The
 * first byte says whether it is the text format or XML. */
#include <stdlib.h>

#include "infer/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    es_error err;
    es_infer_model *model = es_infer_model_new();
    const char *text = (const char *)data + 1;
    if (*data == '<' ? es_infer_parse_xml(model, "fuzz", text, size - 1, &err)
                     : es_infer_parse(model, "fuzz", text, size - 1, &err)) {
        es_text_buffer first = {0}, second = {0};
        es_infer_model *again = es_infer_model_new();
        es_infer_write(model, &first);
        if (*data != '<') {
            if (!es_infer_parse(again, "again", first.text, first.length, &err))
                abort();
            es_infer_write(again, &second);
            if (first.length != second.length)
                abort();
        }
        es_infer_model_free(again);
        es_text_free(&first);
        es_text_free(&second);
    }
    es_infer_model_free(model);
    return 0;
}
