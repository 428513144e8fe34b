#include "cli/list/statement_names.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define WORD "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

void es_print_statement_names(const char *text)
{
    bool may_begin = true;
    while (*text) {
        size_t length = strspn(text, WORD);
        if (*text == '#') {
            text += strcspn(text, "\n");
            continue;
        }
        if (may_begin && length && text[length] == ':' && text[length + 1] && strchr(" \t\r\n", text[length + 1]))
            printf("%.*s\n", (int)length, text);
        may_begin = length == 0 && (*text == '\n' || *text == '}' || (may_begin && strchr(" \t\r", *text)));
        text += length ? length : 1;
    }
}
