#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

int es_cli_fail(const es_error *err)
{
    /* Messages about a place in a text begin with that place, as editors expect. */
    const char *prefix = strstr(err->text, ": error: ") ? "" : "earshot: ";
    fflush(stdout);
    fprintf(stderr, "%s%s\n", prefix, err->text);
    return err->code == ES_OK ? ES_PROBE : (int)err->code;
}
