/* Linkage names to names. */
#include <stdlib.h>
#include <string.h>

#include "base/cxx_name.h"
#include "symbols/internal.h"

#define LINKAGE_MAX 1024 /* longer ones stay as they are: what they stand for may be endless */

/* libstdc++, which the host is linked with for its simulation, has the demangler of the compiler. */
// NOLINTNEXTLINE(bugprone-reserved-identifier)
char *__cxa_demangle(const char *linkage, char *into, size_t *length, int *status);

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* "unsigned int larger<int>(int)": procedures that are made of templates have the type of what they return before the
 * name. */
static const char *after_result(const char *text)
{
    for (const char *at = text; *at;) {
        size_t length = es_cxx_component(at);
        const char *after = at + length;
        if (length && (begins(after, "::") || *after == '(' || *after == 0)) {
            size_t all = es_cxx_scoped(at);
            if (!all || at[all] == '(' || at[all] == 0)
                return all ? at : NULL;
            length = all; /* the type has scopes of its own */
            after = at + all;
        }
        at = length ? after : at + 1;
        while (*at == ' ' || *at == '*' || *at == '&')
            at++;
    }
    return NULL;
}

/* Rust's names of the older kind end in a hash. */
static size_t without_hash(const char *name, size_t length)
{
    const char *hash = length > 19 ? name + length - 19 : NULL;
    if (!hash || !begins(hash, "::h") || strspn(hash + 3, "0123456789abcdef") < 16)
        return length;
    return length - 19;
}

bool es_symbols_demangle(const char *linkage, es_text_buffer *name, es_text_buffer *parameters)
{
    int status;
    bool data = begins(linkage, "_ZT") || begins(linkage, "_ZG"); /* of classes, made by the compiler */
    if (!begins(linkage, "_Z") || data || strlen(linkage) > LINKAGE_MAX)
        return false;
    char *text = __cxa_demangle(linkage, NULL, NULL, &status);
    const char *start = text ? text : "";
    while (begins(start, "(anonymous namespace)::"))
        start += strlen("(anonymous namespace)::");
    const char *at = es_cxx_scoped(start) && start[es_cxx_scoped(start)] != ' ' ? start : after_result(start);
    size_t length = at ? es_cxx_scoped(at) : 0;
    bool good = length && (at[length] == '(' || at[length] == 0) && !strchr(start, '$') && !strstr(start, " thunk to ");
    if (good) {
        const char *cut = at;
        for (const char *odd; (odd = strstr(cut, "(anonymous namespace)::")) && odd < at + length;) {
            es_text_add(name, cut, (size_t)(odd - cut));
            cut = odd + strlen("(anonymous namespace)::");
        }
        es_text_add(name, cut, without_hash(cut, (size_t)(at + length - cut)));
        const char *clone = strstr(at + length, " [clone");
        es_text_add(parameters, at + length, clone ? (size_t)(clone - at) - length : strlen(at + length));
    }
    free(text);
    return good;
}
