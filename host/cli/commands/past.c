#include "cli/commands/past.h"

#include <string.h>

#include "symbols/code.h"

bool es_past_file_open(es_past_file *file, const char *recording, const char *program, es_error *err)
{
    memset(file, 0, sizeof *file);
    file->program = program;
    file->symbols = es_symbols_open(program, err);
    if (!file->symbols)
        return false;
    file->timeline = es_timeline_open(recording, file->symbols, err);
    if (!file->timeline) {
        es_past_file_close(file);
        return false;
    }
    file->isa = es_symbols_isa(file->symbols);
    file->hz = es_timeline_hz(file->timeline);
    file->arch = es_symbols_arch(file->symbols);
    return true;
}

void es_past_file_close(es_past_file *file)
{
    es_timeline_close(file->timeline);
    es_symbols_close(file->symbols);
    memset(file, 0, sizeof *file);
}
