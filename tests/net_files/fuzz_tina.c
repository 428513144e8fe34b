/* libFuzzer's entry: any bytes must be read as .net or refused; what is read can be written and read again. */
#include <stdlib.h>

#include "net/formats/tina.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    es_error err;
    es_net *net = es_tina_read("fuzz", (const char *)data, size, &err);
    if (!net)
        return 0;
    es_text_buffer first = {0}, second = {0};
    if (es_tina_write(net, &first, &err)) {
        es_net *again = es_tina_read("again", first.text, first.length, &err);
        if (!again || !es_tina_write(again, &second, &err) || first.length != second.length)
            abort();
        es_net_free(again);
    }
    es_text_free(&first);
    es_text_free(&second);
    es_net_free(net);
    return 0;
}
