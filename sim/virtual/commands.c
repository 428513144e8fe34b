/* What can be told to a virtual probe. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "virtual/probes.h"

#define MS 1000000u /* ns */
#define REPLUG_MS 100
#define NUMBER_MAX 1000000000ul

const char virtual_commands[] =
    "  unplug           all transfers end, and the device is gone\n"
    "  plug             it is there again, at the same port, under the next device number\n"
    "  replug [MS]      unplug, and plug so much later (default 100)\n"
    "  stall [MS]       gives and takes no bytes, for so long or until `go`; the target runs on\n"
    "  go               no longer\n"
    "  short N [SIZE]   N packets to the host carry at most SIZE bytes (default: a random number), and end their "
    "transfers\n"
    "  flip N           in each of N packets to the host, one bit is flipped\n"
    "  flip-out N       in each of N pieces from the host, one bit is flipped\n"
    "  cut N            N packets to the host lose some of their last bytes\n"
    "  error N          N transfers to the host end with an error of the bus\n"
    "  late MS          cancelled transfers end so much later, and take bytes until then; 0: at once again\n"
    "  reset            presses the target's reset button: memory stays as it is\n"
    "  status           a line of JSON about all probes\n"
    "Before any of them: `@SERIAL` for one of several probes (default: all); `in MS` for later; `after BYTES`, for "
    "what "
    "breaks\n"
    "(unplug to late): when so many more bytes went to the host, which may be in the middle of a transfer.\n";

/* A command, taken apart. */
typedef struct order {
    const char *serial; /* NULL: all */
    uint64_t after;     /* bytes */
    unsigned in_ms;
    bool has_in;
    const char *verb;
    unsigned long number, size;
    bool has_number, has_size;
    const char *rest; /* of the line, from the verb on */
} order;

typedef struct verb {
    const char *name;
    enum es_vusb_fault_kind kind; /* ES_VUSB_FAULTS: none */
    enum { NO_NUMBER, NUMBER, MAY_NUMBER, NUMBER_AND_SIZE } takes;
    bool (*act)(virtual_probes *all, virtual_probe *probe, const order *o, es_error *err); /* NULL: es_vusb_break */
} verb;

static uint64_t now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* --- what they do --------------------------------------------------------------------------------------- */

static bool later(virtual_probes *all, uint64_t ms, const char *serial, const char *line, es_error *err)
{
    if (all->later_count == LATER_MAX)
        return es_fail(err, ES_USAGE, "too many commands wait for their time");
    virtual_later *l = &all->later[all->later_count++];
    l->due = now_ns() + ms * MS;
    snprintf(l->line, sizeof l->line, "%s%s%s%.150s", serial ? "@" : "", serial ? serial : "", serial ? " " : "", line);
    return true;
}

/* replug_ms: -1: it is not plugged in again by itself. */
static bool unplug(virtual_probes *all, virtual_probe *probe, const order *o, int replug_ms, es_error *err)
{
    const es_vusb_fault fault = {.kind = ES_VUSB_UNPLUG, .after = o->after, .size = replug_ms};
    if (o->after)
        return es_vusb_break(probe->usb, &fault) || es_fail(err, ES_USAGE, "too many faults wait");
    es_vusb_unplug(probe->usb);
    return replug_ms < 0 || later(all, (uint64_t)replug_ms, probe->serial, "plug", err);
}

static bool act_unplug(virtual_probes *all, virtual_probe *probe, const order *o, es_error *err)
{
    return unplug(all, probe, o, -1, err);
}

static bool act_replug(virtual_probes *all, virtual_probe *probe, const order *o, es_error *err)
{
    return unplug(all, probe, o, o->has_number ? (int)o->number : REPLUG_MS, err);
}

static bool act_plug(virtual_probes *all, virtual_probe *probe, const order *o, es_error *err)
{
    (void)all;
    (void)o;
    return es_vusb_plug(probe->usb, err);
}

static bool act_go(virtual_probes *all, virtual_probe *probe, const order *o, es_error *err)
{
    (void)all;
    (void)o;
    (void)err;
    es_vusb_stall(probe->usb, false);
    return true;
}

static bool act_reset(virtual_probes *all, virtual_probe *probe, const order *o, es_error *err)
{
    (void)all;
    (void)o;
    (void)err;
    es_board_press_reset(probe->board);
    return true;
}

static const verb verbs[] = {
    {"unplug", ES_VUSB_UNPLUG, NO_NUMBER, act_unplug},
    {"replug", ES_VUSB_UNPLUG, MAY_NUMBER, act_replug},
    {"plug", ES_VUSB_FAULTS, NO_NUMBER, act_plug},
    {"stall", ES_VUSB_STALL, MAY_NUMBER, NULL},
    {"go", ES_VUSB_FAULTS, NO_NUMBER, act_go},
    {"short", ES_VUSB_SHORT, NUMBER_AND_SIZE, NULL},
    {"flip", ES_VUSB_FLIP, NUMBER, NULL},
    {"flip-out", ES_VUSB_FLIP_OUT, NUMBER, NULL},
    {"cut", ES_VUSB_CUT, NUMBER, NULL},
    {"error", ES_VUSB_ERROR, NUMBER, NULL},
    {"late", ES_VUSB_LATE, NUMBER, NULL},
    {"reset", ES_VUSB_FAULTS, NO_NUMBER, act_reset},
};

static bool break_it(const virtual_probe *probe, const verb *v, const order *o, es_error *err)
{
    bool is_time = v->kind == ES_VUSB_STALL || v->kind == ES_VUSB_LATE;
    const es_vusb_fault fault = {.kind = v->kind,
                                 .after = o->after,
                                 .count = is_time ? 0 : (unsigned)o->number,
                                 .size = is_time       ? (int)o->number
                                         : o->has_size ? (int)o->size
                                                       : -1};
    return es_vusb_break(probe->usb, &fault) || es_fail(err, ES_USAGE, "too many faults wait");
}

/* --- taking them apart ------------------------------------------------------------------------------------ */

static bool parse_number(const char *text, unsigned long *number)
{
    char *end;
    *number = strtoul(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && *number <= NUMBER_MAX;
}

static bool take_number(char **rest, const char *what, unsigned long *number, es_error *err)
{
    const char *word = strtok_r(NULL, " ", rest);
    if (!word || !parse_number(word, number))
        return es_fail(err, ES_USAGE, "'%s' takes a number, not '%s'", what, word ? word : "");
    return true;
}

/* line: is cut into words. */
static bool parse(char *line, order *o, es_error *err)
{
    char *rest;
    const char *word = strtok_r(line, " ", &rest);
    unsigned long number = 0;
    *o = (order){0};
    if (word && *word == '@') {
        o->serial = word + 1;
        word = strtok_r(NULL, " ", &rest);
    }
    for (; word && (strcmp(word, "in") == 0 || strcmp(word, "after") == 0); word = strtok_r(NULL, " ", &rest)) {
        if (!take_number(&rest, word, &number, err))
            return false;
        if (*word == 'a') {
            o->after = number;
        } else {
            o->in_ms = (unsigned)number;
            o->has_in = true;
        }
    }
    if (!word) {
        es_fail(err, ES_USAGE, "there is no command");
        return false;
    }
    o->verb = word;
    word = strtok_r(NULL, " ", &rest);
    o->has_number = word != NULL;
    if (word && !parse_number(word, &o->number))
        return es_fail(err, ES_USAGE, "'%s' takes numbers, not '%s'", o->verb, word);
    word = strtok_r(NULL, " ", &rest);
    o->has_size = word != NULL;
    if (word && !parse_number(word, &o->size))
        return es_fail(err, ES_USAGE, "'%s' takes numbers, not '%s'", o->verb, word);
    return true;
}

static const verb *find(const order *o, es_error *err)
{
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        const verb *v = &verbs[i];
        if (strcmp(v->name, o->verb) != 0)
            continue;
        if ((o->has_number && v->takes == NO_NUMBER) || (o->has_size && v->takes != NUMBER_AND_SIZE))
            es_fail(err, ES_USAGE, "'%s' takes no such number", v->name);
        else if (!o->has_number && (v->takes == NUMBER || v->takes == NUMBER_AND_SIZE))
            es_fail(err, ES_USAGE, "'%s' takes a number", v->name);
        else if (o->after && v->kind == ES_VUSB_FAULTS)
            es_fail(err, ES_USAGE, "'%s' cannot wait for bytes", v->name);
        else
            return v;
        return NULL;
    }
    es_fail(err, ES_USAGE, "there is no command '%s'", o->verb);
    return NULL;
}

static bool carry_out(virtual_probes *all, const order *o, es_error *err)
{
    const verb *v = find(o, err);
    bool found = o->serial == NULL;
    if (!v)
        return false;
    if (o->has_in) {
        char text[LINE_MAX_SIZE], number[64] = "";
        if (o->has_number)
            snprintf(number, sizeof number, o->has_size ? " %lu %lu" : " %lu", o->number, o->size);
        if (o->after)
            snprintf(text, sizeof text, "after %llu %s%s", (unsigned long long)o->after, o->verb, number);
        else
            snprintf(text, sizeof text, "%s%s", o->verb, number);
        return later(all, o->in_ms, o->serial, text, err);
    }
    for (size_t i = 0; i < all->count; i++) {
        virtual_probe *probe = &all->probes[i];
        if (o->serial && strcmp(o->serial, probe->serial) != 0)
            continue;
        found = true;
        if (v->act ? !v->act(all, probe, o, err) : !break_it(probe, v, o, err))
            return false;
    }
    return found || es_fail(err, ES_USAGE, "there is no probe '%s'", o->serial ? o->serial : "");
}

/* --- from outside -------------------------------------------------------------------------------------------- */

static void print_status(const virtual_probes *all, es_text_buffer *out)
{
    static const char *const targets[] = {"running", "exited", "stopped", "halted", "trapped"};
    es_text_format(out, "{\"probes\":[");
    for (size_t i = 0; i < all->count; i++) {
        const virtual_probe *p = &all->probes[i];
        es_vusb_state usb = es_vusb_look(p->usb);
        es_board_state board = es_board_look(p->board);
        es_text_format(
            out,
            "%s{\"serial\":\"%s\",\"plugged\":%s,\"claimed\":%s,\"fifo\":%s,\"stalled\":%s,\"kernel_driver\":%s,"
            "\"to_host\":%llu,\"to_probe\":%llu,\"in_flight\":%u,\"most_in_flight\":%u,\"waiting\":%u,"
            "\"unknown\":%u,\"unplugs\":%llu,\"shorts\":%llu,\"flips\":%llu,\"out_flips\":%llu,\"cut_bytes\":%llu,"
            "\"errors\":%llu,\"late\":%llu,\"target\":\"%s\",\"clocks\":%llu,\"resets\":%u,\"monitors\":%u,"
            "\"power_ups\":%u}",
            i ? "," : "", p->serial, usb.plugged ? "true" : "false", usb.claimed ? "true" : "false",
            usb.bitmode == 0x40 ? "true" : "false", usb.stalled ? "true" : "false", usb.kernel_bound ? "true" : "false",
            (unsigned long long)usb.to_host, (unsigned long long)usb.to_probe, usb.in_flight, usb.most_in_flight,
            usb.waiting, usb.unknown, (unsigned long long)usb.unplugs, (unsigned long long)usb.shorts,
            (unsigned long long)usb.flips, (unsigned long long)usb.out_flips, (unsigned long long)usb.cut_bytes,
            (unsigned long long)usb.errors, (unsigned long long)usb.late,
            board.started ? targets[board.target] : "in reset", (unsigned long long)board.cycles, board.resets,
            board.monitors, board.power_ups);
    }
    es_text_format(out, "]}\n");
}

static bool obey(virtual_probes *all, const char *line, es_error *err)
{
    char copy[LINE_MAX_SIZE];
    order o;
    if (strlen(line) >= sizeof copy)
        return es_fail(err, ES_USAGE, "the line is too long");
    memcpy(copy, line, strlen(line) + 1);
    return parse(copy, &o, err) && carry_out(all, &o, err);
}

bool virtual_tell(virtual_probes *all, const char *line, es_text_buffer *out)
{
    es_error err = {0};
    if (strcmp(line, "status") == 0) {
        print_status(all, out);
        return true;
    }
    bool good = obey(all, line, &err);
    if (good)
        es_text_format(out, "ok\n");
    else
        es_text_format(out, "error: %s\n", err.text);
    return good;
}

void virtual_tick(virtual_probes *all)
{
    for (size_t i = 0; i < all->count; i++) {
        virtual_probe *p = &all->probes[i];
        es_vusb_state usb = es_vusb_look(p->usb);
        if (!usb.half_gone)
            continue;
        es_vusb_unplug(p->usb);
        if (usb.gone_size >= 0)
            later(all, (uint64_t)usb.gone_size, p->serial, "plug", NULL);
    }
    uint64_t now = now_ns();
    for (size_t i = 0; i < all->later_count;) {
        if (now < all->later[i].due) {
            i++;
            continue;
        }
        virtual_later due = all->later[i];
        all->later_count--;
        memmove(all->later + i, all->later + i + 1, (all->later_count - i) * sizeof *all->later);
        es_error err = {0};
        if (!obey(all, due.line, &err))
            fprintf(stderr, "virtual-probe: '%s': %s\n", due.line, err.text);
        i = 0;
    }
}
