#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

int es_cli_fail(const es_error *err)
{
    /* Messages about a place in a text begin with that place, as editors expect. */
    const char *prefix = strstr(err->text, ": error: ") ? "" : "earshot: ";
    fflush(stdout);
    fprintf(stderr, "%s%s\n", prefix, err->text);
    return err->code == ES_OK ? ES_PROBE : (int)err->code;
}

bool es_cli_has_reader_left(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) == 1 && (out.revents & (POLLERR | POLLHUP));
}
