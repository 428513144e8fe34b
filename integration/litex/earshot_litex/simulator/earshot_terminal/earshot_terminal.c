/* A module of LiteX's simulator (litex/build/sim/core/modules.h): the probe's bytes at a pseudo terminal, which
 * `earshot --probe uart:FILE` opens as it opens a serial line. Its argument "path" is where FILE, a link to the
 * terminal, is made. Bytes wait in the probe while nobody reads them: nothing is lost.
 *
 * It looks at the terminal every POLL_CLOCKS clocks: each look is a system call. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "error.h"
#include "modules.h"

enum { POLL_CLOCKS = 64, BYTES = 256 };

struct session {
    uint8_t *clk, *source_valid, *source_ready, *source_data, *sink_valid, *sink_ready, *sink_data;
    clk_edge_state_t edge;
    unsigned clocks; /* to the next look */
    bool took, gave; /* at the next rising edge */
    uint8_t taken;
    int host;
    uint8_t out[BYTES], in[BYTES]; /* from the probe, and to it */
    size_t out_count, in_count, in_first;
};

static int start(void *base)
{
    (void)base;
    return RC_OK;
}

/* Both ends are kept: what is written to a terminal that nobody holds open is lost. */
static int open_terminal(struct session *s, const char *path)
{
    struct termios line;
    int device = -1;
    s->host = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    const char *name = s->host >= 0 && grantpt(s->host) == 0 && unlockpt(s->host) == 0 ? ptsname(s->host) : NULL;
    if (name)
        device = open(name, O_RDWR | O_NOCTTY);
    if (device < 0 || tcgetattr(device, &line) < 0)
        return -1;
    cfmakeraw(&line);
    unlink(path);
    return tcsetattr(device, TCSANOW, &line) < 0 || symlink(name, path) < 0 ? -1 : 0;
}

static int new_session(void **session, char *text)
{
    json_object *args = text ? json_tokener_parse(text) : NULL, *path = NULL;
    struct session *s = calloc(1, sizeof *s);
    if (!s || !args || !json_object_object_get_ex(args, "path", &path)) {
        fprintf(stderr, "[earshot] the argument \"path\" is missing\n");
        return RC_JSERROR;
    }
    if (open_terminal(s, json_object_get_string(path)) < 0) {
        fprintf(stderr, "[earshot] no terminal at %s: %s\n", json_object_get_string(path), strerror(errno));
        return RC_ERROR;
    }
    printf("[earshot] the probe is at uart:%s\n", json_object_get_string(path));
    json_object_put(args);
    *session = s;
    return RC_OK;
}

static void *pad(const struct pad_list_s *list, const char *name)
{
    for (const struct pad_s *p = list->pads; p->name; p++)
        if (strcmp(p->name, name) == 0)
            return p->signal;
    return NULL;
}

static int add_pads(void *session, struct pad_list_s *list)
{
    struct session *s = session;
    if (!pad(list, "source_valid")) { /* the clock's pads are called as it is */
        s->clk = pad(list, list->name);
        return s->clk ? RC_OK : RC_ERROR;
    }
    s->source_valid = pad(list, "source_valid");
    s->source_ready = pad(list, "source_ready");
    s->source_data = pad(list, "source_data");
    s->sink_valid = pad(list, "sink_valid");
    s->sink_ready = pad(list, "sink_ready");
    s->sink_data = pad(list, "sink_data");
    return RC_OK;
}

static void look(struct session *s)
{
    ssize_t count = s->out_count ? write(s->host, s->out, s->out_count) : 0;
    if (count > 0) {
        s->out_count -= (size_t)count;
        memmove(s->out, s->out + count, s->out_count);
    }
    if (s->in_first == s->in_count) {
        count = read(s->host, s->in, BYTES);
        s->in_first = 0;
        s->in_count = count > 0 ? (size_t)count : 0;
    }
}

/* After each edge the pads are as the design has them then; what is driven here it sees at the next one. So a byte goes
 * over at a rising edge with the valid and ready that were on the pads before it: those of the last falling edge. */
static int tick(void *session, uint64_t time_ps)
{
    struct session *s = session;
    (void)time_ps;
    clk_edge_t edge = clk_edge(&s->edge, *s->clk);
    if (edge == CLK_EDGE_RISING) {
        if (s->took)
            s->out[s->out_count++] = s->taken;
        if (s->gave)
            s->in_first++;
        if (s->clocks-- == 0) {
            s->clocks = POLL_CLOCKS;
            look(s);
        }
        *s->source_ready = s->out_count < BYTES;
        *s->sink_valid = s->in_first < s->in_count;
        *s->sink_data = s->in[s->in_first % BYTES];
    } else if (edge == CLK_EDGE_FALLING) {
        s->took = *s->source_valid && *s->source_ready;
        s->taken = *s->source_data;
        s->gave = *s->sink_valid && *s->sink_ready;
    }
    return RC_OK;
}

static struct ext_module_s module = {"earshot_terminal", start, new_session, add_pads, NULL, tick};

int litex_sim_ext_module_init(int (*add)(struct ext_module_s *))
{
    return add(&module);
}
