/* picolibc's stdout and stderr: the console. Linked only where used. */
#include "target.h"

#include <stdio.h>

static int put(char c, FILE *stream)
{
    (void)stream;
    target_put_char(c);
    return (unsigned char)c;
}

static FILE console = FDEV_SETUP_STREAM(put, NULL, NULL, _FDEV_SETUP_WRITE);
FILE *const stdout = &console;
FILE *const stderr = &console;
