/* libFuzzer's entry: any text must parse or be refused, without crash, leak or hang. */
#include <stdlib.h>
#include <string.h>

#include "fake_symbols.h"
#include "lang/statement.h"
#include "required.h"
#include "show.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = 0;
    es_text one = {"fuzz", text};
    es_program program;
    es_error err;
    es_text_buffer earlier = {0};
    bool good = es_program_parse_all(fake_symbols(), &one, 1, &program, &earlier, &err);
    es_text_free(&earlier);
    if (good) {
        es_text_buffer shown = {0};
        for (size_t i = 0; i < program.statement_count; i++) { /* walks all that hangs on it */
            show_statement(&shown, &program, &program.statements[i]);
            show_last_condition(&shown, &program.statements[i]);
        }
        es_text_free(&shown);
        required(&program, 0, &err);
        es_program_free(&program);
    }
    free(text);
    return 0;
}
