#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/cli.h"

bool es_cli_write_out(const es_text_buffer *text, const char *path, es_error *err)
{
    if (!path) {
        fwrite(text->text, 1, text->length, stdout);
        return true;
    }
    struct stat there;
    bool beside = stat(path, &there) != 0 || S_ISREG(there.st_mode); /* nothing takes a device's place */
    es_text_buffer part = {0};
    es_text_format(&part, "%s%s", path, beside ? ".part" : "");
    FILE *file = fopen(part.text, "we");
    bool good = file && fwrite(text->text, 1, text->length, file) == text->length;
    good = file && fclose(file) == 0 && good && (!beside || rename(part.text, path) == 0);
    if (!good && !beside && errno == EPIPE) {
        good = true; /* who read it has gone */
    } else if (!good) {
        es_fail(err, ES_OUTPUT, "%s: cannot be written: %s", path, strerror(errno));
        if (file && beside)
            unlink(part.text);
    }
    es_text_free(&part);
    return good;
}
