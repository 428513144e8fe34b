#include "cli/option.h"

#include <getopt.h>

#define OPTIONS_MAX 64
#define HELP_COLUMN 30 /* where what an option does begins */
#define HELP_CODE 1000 /* of --help, beyond all indices */
#define LETTER_ROOM 3  /* "x:" and a NUL */

/* The options of a set as one list. */
typedef struct list {
    const es_option *items[OPTIONS_MAX];
    size_t count;
} list;

static void collect(const es_option_set *set, list *all)
{
    all->count = 0;
    for (size_t t = 0; t < ES_OPTION_TABLES && set->tables[t]; t++)
        for (const es_option *option = set->tables[t]; option->name && all->count < OPTIONS_MAX; option++)
            if (option->commands & set->command_mask)
                all->items[all->count++] = option;
}

/* As getopt_long wants them: what it returns is an index in the list, or a letter. */
static void describe(const list *all, struct option *longs, char *letters)
{
    for (size_t i = 0; i < all->count; i++) {
        const es_option *option = all->items[i];
        int argument = !option->value ? no_argument : option->may_lack ? optional_argument : required_argument;
        longs[i] = (struct option){option->name, argument, NULL, (int)i + 256};
        if (!option->letter)
            continue;
        *letters++ = option->letter;
        if (option->value)
            *letters++ = ':';
    }
    *letters = 0;
    longs[all->count] = (struct option){"help", no_argument, NULL, HELP_CODE};
    longs[all->count + 1] = (struct option){0};
}

static const es_option *find(const list *all, int code)
{
    if (code >= 256)
        return all->items[code - 256];
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i]->letter == code && code != '?')
            return all->items[i];
    return NULL;
}

enum es_options_read es_options_read(const es_option_set *set, int argc, char **argv, void *options, int *rest,
                                     es_error *err)
{
    list all;
    struct option longs[OPTIONS_MAX + 2];
    char letters[OPTIONS_MAX * LETTER_ROOM], name[64];
    collect(set, &all);
    describe(&all, longs, letters);
    snprintf(name, sizeof name, "%s", set->command);
    argv[0] = name;
    enum es_options_read state = ES_OPTIONS_READ;
    for (int code; state == ES_OPTIONS_READ && (code = getopt_long(argc, argv, letters, longs, NULL)) != -1;) {
        if (code == HELP_CODE) {
            state = ES_OPTIONS_HELP;
            continue;
        }
        const es_option *option = find(&all, code);
        if (!option)
            es_fail(err, ES_USAGE, "see `%s --help`", set->command);
        if (!option || !option->take(options, optarg, err))
            state = ES_OPTIONS_WRONG;
    }
    argv[0] = NULL; /* the name is gone with this call */
    *rest = optind;
    return state;
}

void es_options_help(const es_option_set *set, FILE *out)
{
    list all;
    collect(set, &all);
    fprintf(out, "%s\n", set->synopsis);
    for (size_t i = 0; i < all.count; i++) {
        const es_option *option = all.items[i];
        char letter[] = {'-', option->letter, ',', 0};
        int used = fprintf(out, "  %-3s --%s", option->letter ? letter : "", option->name);
        if (option->value)
            used += fprintf(out, option->may_lack ? "[=%s]" : " %s", option->value);
        fprintf(out, "%*s%s\n", used < HELP_COLUMN - 1 ? HELP_COLUMN - used : 2, "", option->help);
    }
    fprintf(out, "      --help%*sthis text\n%s", HELP_COLUMN - 12, "", set->more);
}
