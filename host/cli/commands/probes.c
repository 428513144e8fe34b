/* earshot probes: which there are, and what keeps one from being used. */
#include "transport/probes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/choice.h"
#include "base/json.h"
#include "cli/cli.h"
#include "cli/option.h"
#include "probe/ask.h"
#include "probe_defs.h"
#include "transport/hotplug.h"

#define ES_OF_PROBES 1u
#define WAIT_MS 1000000

typedef struct probes_options {
    bool json, ask, watch;
    char **wanted; /* NULL-terminated; empty: all */
} probes_options;

/* A probe as it is shown. */
typedef struct shown {
    es_probe_entry entry;
    const char *state;
    bool asked, answered;
    es_probe_info info;
} shown;

#define TAKE_FLAG(take, member) \
    static bool take(void *options, const char *value, es_error *err) \
    { \
        (void)value, (void)err; \
        ((probes_options *)options)->member = true; \
        return true; \
    }
TAKE_FLAG(take_json, json)
TAKE_FLAG(take_ask, ask)
TAKE_FLAG(take_watch, watch)

/* clang-format off */
static const es_option probes_options_table[] = {
    {"ask", 'a', false, ES_OF_PROBES, NULL, "opens those that are free and asks for their gateware", take_ask},
    {"watch", 'w', false, ES_OF_PROBES, NULL, "goes on, and tells what is plugged in and unplugged", take_watch},
    {"json", 'j', false, ES_OF_PROBES, NULL, "JSON Lines on stdout", take_json},
    {0},
};
/* clang-format on */

static const es_option_set options = {
    "earshot probes",
    "usage: earshot probes [PROBE]... [OPTION]...\n\n"
    "Lists the probes that there are, with what --probe takes to use them, and what keeps them from being used.\n"
    "PROBE: only these: ftdi, usb, uart, or one as --probe takes it.\n",
    "\nEverything else: man earshot-probes.\n",
    ES_OF_PROBES,
    {probes_options_table},
};

/* --- one probe ---------------------------------------------------------------------------------------- */

static bool is_wanted(const es_probe_entry *entry, char *const *wanted)
{
    const char *path = strchr(entry->option, ':');
    for (; *wanted; wanted++) {
        const char *rest = strchr(*wanted, ':');
        if (strcmp(*wanted, entry->option) == 0 || strcmp(*wanted, es_probe_means_name(entry->means)) == 0 ||
            (rest && path && entry->means == ES_MEANS_UART && strncmp(*wanted, "uart:", 5) == 0 &&
             strcmp(rest + 1, entry->node) == 0))
            return true;
    }
    return false;
}

/* Says why it is no use, in the place of what was known before. */
static void refuse(shown *s, const char *state, const char *trouble)
{
    s->state = state;
    snprintf(s->entry.trouble, sizeof s->entry.trouble, "%.510s", trouble);
    s->entry.remedy[0] = 0;
}

static void ask(shown *s)
{
    char option[ES_PROBES_TEXT];
    es_probe_choice choice;
    es_error err = {0};
    if (s->entry.means == ES_MEANS_SIM || s->entry.state > ES_PROBE_KERNEL)
        return;
    snprintf(option, sizeof option, "%s", s->entry.option);
    es_transport *transport = es_probe_parse(option, &choice, &err) ? es_choice_open(&choice, &err) : NULL;
    if (!transport) {
        refuse(s, "closed", err.text);
        return;
    }
    s->asked = true;
    s->answered = es_probe_ask(transport, &s->info, &err);
    if (!s->answered)
        refuse(s, s->info.id ? "wrong" : "silent", err.text);
}

static shown look_at(const es_probe_entry *entry, const probes_options *o)
{
    shown s = {.entry = *entry, .state = es_probe_state_name(entry->state)};
    if (o->ask)
        ask(&s);
    return s;
}

/* --- telling ------------------------------------------------------------------------------------------- */

static void tell_text(const shown *s, const char *event)
{
    const es_probe_entry *e = &s->entry;
    es_text_buffer gateware = {0};
    if (s->answered)
        es_probe_info_text(&gateware, &s->info);
    printf("%s%-24s  %s%s%s%s: %s\n", event, e->option, e->board, e->port[0] ? " (" : "", e->port,
           e->port[0] ? ")" : "", s->state);
    if (s->answered)
        printf("  gateware: %s\n", gateware.text);
    if (e->trouble[0])
        printf("  %s\n", e->trouble);
    if (e->remedy[0])
        printf("  to do: %s\n", e->remedy);
    es_text_free(&gateware);
}

static void text_or_null(es_json *json, const char *key, const char *text)
{
    es_json_key(json, key);
    es_json_string(json, text[0] ? text : NULL);
}

static void add_gateware(es_json *json, const shown *s)
{
    static const char *const fetches[] = {"executed", "ahead", "retired", "untold"};
    char id[16];
    es_json_key(json, "gateware");
    if (!s->asked || !s->info.id) {
        es_json_null(json);
        return;
    }
    snprintf(id, sizeof id, "0x%08x", (unsigned)s->info.id);
    es_json_begin(json, '{');
    es_json_key(json, "id");
    es_json_string(json, id);
    if (s->answered) {
        es_json_key(json, "version");
        es_json_uint(json, s->info.id & 0xFFFF);
        es_json_key(json, "bus_bits");
        es_json_uint(json, s->info.config >> ES_CONFIG_DATA_SHIFT & ES_CONFIG_DATA_MASK);
        es_json_key(json, "window_base");
        es_json_uint(json, s->info.window_base);
        es_json_key(json, "window_size");
        es_json_uint(json, s->info.window_size);
        es_json_key(json, "memory_size");
        es_json_uint(json, s->info.memory_size);
        es_json_key(json, "monitor");
        es_json_bool(json, es_probe_has_monitor(&s->info));
        es_json_key(json, "recorder");
        es_json_bool(json, s->info.config & ES_CONFIG_RECORDER);
        es_json_key(json, "fifo_depth");
        es_json_uint(json, s->info.fifo_depth);
        es_json_key(json, "taps");
        es_json_uint(json, s->info.config >> 20 & 15);
        es_json_key(json, "fetches");
        es_json_string(json, fetches[es_probe_fetches(&s->info)]);
        es_json_key(json, "compressed");
        es_json_bool(json, s->info.config & ES_CONFIG_COMPRESSED);
        es_json_key(json, "marks_only");
        es_json_bool(json, s->info.config & ES_CONFIG_MARKS);
        es_json_key(json, "reads");
        es_json_bool(json, s->info.config & ES_CONFIG_READS);
        es_json_key(json, "outputs");
        es_json_bool(json, s->info.config & ES_CONFIG_OUTPUTS);
        es_json_key(json, "time");
        es_json_bool(json, s->info.config & ES_CONFIG_TIME_NOW);
    }
    es_json_end(json, '}');
}

static void tell_json(const shown *s, const char *event)
{
    es_text_buffer line = {0};
    es_json json = {.out = &line};
    es_json_begin(&json, '{');
    es_json_key(&json, "event");
    es_json_string(&json, event);
    es_json_key(&json, "probe");
    es_json_string(&json, s->entry.option);
    es_json_key(&json, "kind");
    es_json_string(&json, es_probe_means_name(s->entry.means));
    text_or_null(&json, "serial", s->entry.serial);
    text_or_null(&json, "board", s->entry.board);
    text_or_null(&json, "port", s->entry.port);
    text_or_null(&json, "device", s->entry.node);
    es_json_key(&json, "state");
    es_json_string(&json, s->state);
    text_or_null(&json, "trouble", s->entry.trouble);
    text_or_null(&json, "remedy", s->entry.remedy);
    add_gateware(&json, s);
    es_json_end(&json, '}');
    puts(line.text);
    es_text_free(&line);
}

/* What has happened to a probe: in text, a word before it. */
enum happened { IS_THERE, PLUGGED, UNPLUGGED };

static void tell(const es_probe_entry *entry, enum happened happened, const probes_options *o)
{
    static const char *const events[] = {"probe", "plugged", "unplugged"}, *const words[] = {
                                                                               "", "plugged in: ", "unplugged: "};
    if (happened == UNPLUGGED) {
        shown gone = {.entry = *entry, .state = "gone"};
        gone.entry.trouble[0] = gone.entry.remedy[0] = 0;
        (o->json ? tell_json : tell_text)(&gone, o->json ? events[happened] : words[happened]);
        return;
    }
    shown s = look_at(entry, o);
    (o->json ? tell_json : tell_text)(&s, o->json ? events[happened] : words[happened]);
}

/* --- all of them ----------------------------------------------------------------------------------------- */

typedef struct found {
    es_probe_entry *entries;
    size_t count;
} found;

/* Those that are wanted. */
static bool list(found *f, const probes_options *o, es_error *err)
{
    size_t count, kept = 0;
    f->entries = es_probes_list(&count, err);
    if (!f->entries)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!o->wanted[0] || is_wanted(&f->entries[i], o->wanted))
            f->entries[kept++] = f->entries[i];
    f->count = kept;
    return true;
}

/* The same device in the same place: plugged in again, its file has another name. */
static bool has(const found *f, const es_probe_entry *entry)
{
    for (size_t i = 0; i < f->count; i++)
        if (strcmp(f->entries[i].option, entry->option) == 0 && strcmp(f->entries[i].port, entry->port) == 0 &&
            strcmp(f->entries[i].node, entry->node) == 0)
            return true;
    return false;
}

static bool watch(found *before, es_hotplug *hotplug, const probes_options *o, es_error *err)
{
    for (;;) {
        found now;
        fflush(stdout);
        if (!es_hotplug_wait(hotplug, WAIT_MS))
            continue;
        if (!list(&now, o, err))
            return false;
        for (size_t i = 0; i < before->count; i++)
            if (!has(&now, &before->entries[i]))
                tell(&before->entries[i], UNPLUGGED, o);
        for (size_t i = 0; i < now.count; i++)
            if (!has(before, &now.entries[i]))
                tell(&now.entries[i], PLUGGED, o);
        free(before->entries);
        *before = now;
        if (ferror(stdout))
            return true; /* main tells it */
    }
}

static bool run(const probes_options *o, es_error *err)
{
    found f = {0};
    /* first: what comes between is then reported, not missed */
    es_hotplug *hotplug = o->watch ? es_hotplug_new(err) : NULL;
    bool good = (hotplug || !o->watch) && list(&f, o, err);
    for (size_t i = 0; good && i < f.count; i++)
        tell(&f.entries[i], IS_THERE, o);
    if (good && !f.count && o->wanted[0] && !o->watch)
        good = es_fail(err, ES_PROBE, "there is no such probe as %s; `earshot probes` lists them", o->wanted[0]);
    if (good && o->watch)
        good = watch(&f, hotplug, o, err);
    free(f.entries);
    es_hotplug_free(hotplug);
    return good;
}

static int probes(int argc, char **argv)
{
    probes_options o = {0};
    es_error err = {0};
    int rest;
    enum es_options_read read = es_options_read(&options, argc, argv, &o, &rest, &err);
    if (read == ES_OPTIONS_HELP) {
        es_options_help(&options, stdout);
        return ES_OK;
    }
    o.wanted = argv + rest;
    return read == ES_OPTIONS_READ && run(&o, &err) ? ES_OK : es_cli_fail(&err);
}

const es_command es_command_probes = {
    .name = "probes",
    .summary = "lists the probes that there are, and what is wrong with them",
    .run = probes,
};
