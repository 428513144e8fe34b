#include <stdlib.h>
#include <unistd.h>

#include "daemon/run.h"

void es_run_options_free(es_run_options *options)
{
    for (size_t i = 0; i < options->text_count; i++) {
        free((char *)options->texts[i].file);
        free((char *)options->texts[i].text);
    }
    free(options->texts);
    free(options->name);
    free(options->probe);
    free(options->program);
    free(options->path);
    free(options->directory);
    free((char *)options->access.choice.name);
    if (options->program_file >= 0)
        close(options->program_file);
}
