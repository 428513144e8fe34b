/* libFuzzer's entry: the input is a program file. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "exercise.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char path[512];
    if (!path[0])
        snprintf(path, sizeof path, "%s/fuzz-%ld.elf", TEST_DIR, (long)getpid());
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size)
        abort();
    fclose(file);
    es_error err;
    es_symbols *symbols = es_symbols_open(path, &err);
    if (symbols)
        exercise(symbols);
    es_symbols_close(symbols);
    unlink(path);
    return 0;
}
