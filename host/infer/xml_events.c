/* Names of events in Trace Compass's XML, with * for anything. */
#include <string.h>

#include "infer/xml.h"

#define FILE_BYTES_MAX (16u << 20)

/* Does a pattern of so many characters match all of the name? Each * takes as little as it may; the last one that took
 * too little takes more. */
static bool matches(const char *pattern, size_t length, const char *name)
{
    size_t at = 0, star = SIZE_MAX;
    const char *retry = name;
    while (*name) {
        if (at < length && pattern[at] == '*') {
            star = at++;
            retry = name;
        } else if (at < length && pattern[at] == *name) {
            at++;
            name++;
        } else if (star != SIZE_MAX) {
            at = star + 1;
            name = ++retry;
        } else
            return false;
    }
    while (at < length && pattern[at] == '*')
        at++;
    return at == length;
}

bool es_infer_xml_names(const char *names, const char *event)
{
    if (!names || !*names)
        return true;
    for (const char *at = names; *at; at += *at == '|') {
        size_t length = strcspn(at, "|");
        if (matches(at, length, event))
            return true;
        at += length;
    }
    return false;
}

static bool wants_names(const char *text)
{
    for (const char *at = text; (at = strstr(at, "<transition")); at++) {
        size_t length = strcspn(at, ">");
        const char *event = memmem(at, length, "event=", 6);
        if (!event || memchr(event, '*', strcspn(event + 7, "\"'>") + 7))
            return true;
    }
    return false;
}

bool es_infer_wants_names(const char *path)
{
    es_text_buffer text = {0};
    es_error err;
    bool wants = es_text_read_file(&text, path, FILE_BYTES_MAX, &err) && text.text && strstr(text.text, "<fsm") &&
                 wants_names(text.text);
    es_text_free(&text);
    return wants;
}
