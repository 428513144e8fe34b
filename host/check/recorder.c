/* What the recorder writes for each event (docs/replay.md, "The input stream"), as work of a server that is the link;
 * and the same in clocks of its serialiser, which holds the pipeline while it writes a token. The greatest backlogs
 * are found as those of the soft core are (check/queues). */
#include "check/recorder.h"

#include <string.h>

#include "check/queues/backlog.h"
#include "check/queues/waiting.h"
#include "check/target/aims.h"
#include "check/target/lines.h"
#include "check/target/loops.h"
#include "isa/isa.h"
#include "probe_defs.h"

#define VALUE_BYTES 5
#define MEMORY_BYTES 9
#define RUN_BYTES 5 /* of one that is open; each later one is paid for by the inputs in it, which cost nothing else */
#define VECTOR_BYTES 9
#define CLOCK_BYTES 5
#define HEARTBEAT_BYTES 17
#define BEGIN_BYTES 5
#define END_BYTES 9
#define FRAME_PAYLOAD (4 * (ES_FRAME_MAX_WORDS - 2)) /* bytes of tokens in a full frame (es_recorder_frames) */
#define FRAME_OVERHEAD 8                             /* bytes on the wire besides: first word, CRC, COBS, delimiter */
#define FLUSH_BYTES (3 + FRAME_OVERHEAD) /* a heartbeat fills its word up, and ends a frame before it is full */
#define STEPS INT64_C(4096)              /* of a rate's fraction */
#define SERIAL_CLOCKS 4                  /* of the serialiser for a token, besides one for each byte */
#define LATENCY 24                       /* probe clocks from the tap to the recorder */

typedef struct recorder {
    const es_check_recorder_options *options;
    es_check_program program;
    es_check_aims aims;
    bool serial; /* clocks of the serialiser are counted, not bytes */
} recorder;

static int64_t token(const recorder *r, int64_t bytes)
{
    return r->serial && bytes ? bytes + SERIAL_CLOCKS : bytes;
}

/* --- what brings tokens ----------------------------------------------------------------------- */

static bool is_object(const recorder *r, uint32_t low, uint32_t last)
{
    const regions *all = &r->aims.regions;
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].low <= low && last <= all->items[i].last)
            return true;
    return false;
}

static bool in_memory(const recorder *r, uint32_t low, uint32_t last)
{
    const es_check_recorder_options *o = r->options;
    if (o->devices_inside && !is_object(r, low, last))
        return false;
    return low <= last && low - o->memory_base < o->memory_size && last - o->memory_base < o->memory_size;
}

/* Whether the node's load may go beyond memory. */
static bool may_be_input(const recorder *r, size_t node)
{
    const regions *all = &r->aims.regions;
    const value *v = &r->aims.at[node];
    unsigned bytes = es_check_aims_bytes(r->program.nodes[node].insn);
    if (v->kind == VALUE_NONE) /* no way leads there */
        return r->program.procedures[r->program.nodes[node].procedure].reached;
    if (es_check_aims_anywhere(&r->aims, node))
        return true;
    if (v->kind == VALUE_STACK)
        return false;
    if (v->kind == VALUE_NUMBER)
        return !in_memory(r, (uint32_t)v->low, (uint32_t)v->high + (bytes ? bytes - 1 : 0));
    for (size_t i = 0; i < all->count; i++)
        if (es_regions_has(all, v->set, i) && !in_memory(r, all->items[i].low, all->items[i].last))
            return true;
    return false;
}

/* A csrr* of mcycle, mcycleh, minstret, minstreth, cycle, time, instret, their upper halves, or mip. */
static bool reads_clock(const es_check_node *node)
{
    uint32_t csr = node->word >> 20;
    return node->insn.kind == ES_INSN_CONTROL &&
           (csr == 0xB00 || csr == 0xB02 || csr == 0xB80 || csr == 0xB82 || (csr & 0xF7Fu) == 0xC00 ||
            (csr & 0xF7Fu) == 0xC01 || (csr & 0xF7Fu) == 0xC02 || csr == 0x344);
}

static bool is_handler(const recorder *r, uint32_t address)
{
    for (size_t p = 0; p < r->program.procedure_count; p++) {
        const es_check_procedure *procedure = &r->program.procedures[p];
        if (procedure->interrupt && procedure->node_count && procedure->procedure->low == address)
            return true;
    }
    return false;
}

/* Of the instruction before, which read a clock: its token is charged an instruction later, and one is added in the
 * end. */
static int64_t fetch(void *context, uint32_t from, uint32_t word, uint32_t address)
{
    const recorder *r = context;
    es_insn insn = from ? es_isa_decode(r->program.isa, word) : (es_insn){0};
    int64_t bytes = is_handler(r, address) ? VECTOR_BYTES : 0;
    if (reads_clock(&(es_check_node){.word = word, .insn = insn}))
        bytes += CLOCK_BYTES;
    return token(r, bytes);
}

static int64_t back(void *context, const es_check_node *call, size_t callee, uint32_t address)
{
    (void)context, (void)call, (void)callee, (void)address;
    return 0;
}

static int64_t access_cost(void *context, const es_check_node *node)
{
    const recorder *r = context;
    if (!node->load || !may_be_input(r, (size_t)(node - r->program.nodes)))
        return 0;
    return token(r, r->options->devices_inside ? MEMORY_BYTES : VALUE_BYTES) *
           (node->accesses > 1 ? node->accesses : 1);
}

/* --- the verdict ------------------------------------------------------------------------------- */

static void no(es_check_recorder_report *report, const char *why, const char *place, const char *advice)
{
    if (report->why)
        return;
    report->why = why;
    report->place = place;
    report->advice = advice;
}

static es_check_costs costs_of(recorder *r)
{
    const es_check_recorder_options *o = r->options;
    return (es_check_costs){.fetch = fetch,
                            .back = back,
                            .store = access_cost,
                            .per_transaction = !r->serial ? 0 : 2,
                            .epoch = token(r, HEARTBEAT_BYTES) + (r->serial ? 0 : FLUSH_BYTES),
                            .epoch_gap = INT64_C(1) << o->period,
                            .interrupt_gap = o->interrupt_gap,
                            .levels = o->levels,
                            .nest = o->nest,
                            .context = r};
}

/* Of the link, payload bytes per bus clock. */
static double payload_rate(const es_check_recorder_options *o)
{
    return o->bytes_per_clock * (double)o->ratio.core / (double)o->ratio.bus * FRAME_PAYLOAD /
           (FRAME_PAYLOAD + FRAME_OVERHEAD);
}

static es_check_ratio as_ratio(double rate)
{
    int64_t steps = (int64_t)(rate * STEPS);
    return (es_check_ratio){.core = steps < 1 ? 1 : steps < STEPS * 64 ? steps : STEPS * 64, .bus = STEPS};
}

static bool bounded_at(recorder *r, double rate)
{
    es_check_costs costs = costs_of(r);
    es_check_backlog backlog;
    es_check_backlog_find(&r->program, &costs, as_ratio(rate), &backlog);
    return backlog.bounded;
}

/* The smallest rate, to a hundredth; 0: not even 16 bytes a clock. */
static double least_rate(recorder *r)
{
    double low = 0, high = 16;
    if (!bounded_at(r, high))
        return 0;
    while (high - low > high / 100) {
        double middle = (low + high) / 2;
        if (bounded_at(r, middle))
            high = middle;
        else
            low = middle;
    }
    return high;
}

static const char *lines_of(recorder *r, es_arena *arena, const es_check_loop *loop)
{
    uint32_t *addresses = es_arena_alloc(arena, (loop->count + 1) * sizeof *addresses);
    for (size_t i = 0; i < loop->count; i++)
        addresses[i] = r->program.nodes[loop->nodes[i]].address;
    return loop->count ? es_check_lines(arena, r->program.symbols, addresses, loop->count) : NULL;
}

static void check_buffer(recorder *r, es_check_recorder_report *report)
{
    const es_check_recorder_options *o = r->options;
    es_arena *arena = report->arena;
    es_check_costs costs = costs_of(r);
    es_check_backlog backlog;
    double rate = payload_rate(o);
    r->serial = false;
    costs = costs_of(r);
    es_check_backlog_find(&r->program, &costs, as_ratio(rate), &backlog);
    if (!backlog.bounded) {
        report->bytes = -1;
        report->least_rate = least_rate(r);
        const es_check_loop *loop = &backlog.loop;
        no(report,
           strcmp(backlog.why, "loop") == 0
               ? es_arena_format(
                     arena,
                     "a round of a loop may bring %lld bytes of inputs and take only %lld bus clocks, in which "
                     "the link takes %.2f",
                     (long long)loop->work, (long long)loop->clocks, rate * (double)loop->clocks)
               : es_arena_format(arena, "what %s bring may grow without end", backlog.why),
           lines_of(r, arena, loop),
           report->least_rate > 0
               ? es_arena_format(
                     arena,
                     "it fits with a link that takes %.3g bytes per bus clock; or say with --interrupts how far "
                     "apart interrupts come",
                     report->least_rate * (FRAME_PAYLOAD + FRAME_OVERHEAD) / FRAME_PAYLOAD)
               : "say with --interrupts how far apart interrupts come at least");
        return;
    }
    /* what is open or late, what waits for a frame to be full, and what comes while the link has a frame of before and
     * one of answers on the way */
    report->bytes = backlog.work + RUN_BYTES + CLOCK_BYTES + BEGIN_BYTES + 3 * FRAME_PAYLOAD + END_BYTES;
    if (backlog.worst != CHECK_NONE)
        report->bytes_place = es_check_line(arena, r->program.symbols, r->program.nodes[backlog.worst].address);
    if (report->bytes > o->buffer)
        no(report,
           es_arena_format(arena, "up to %.0f bytes of inputs wait for the link, and the buffer holds %u",
                           report->bytes, (unsigned)o->buffer),
           report->bytes_place, "take a faster link, or a probe with a larger buffer");
}

/* While a token is written, transactions wait in the FIFO. */
static void check_fifo(recorder *r, es_check_recorder_report *report)
{
    const es_check_recorder_options *o = r->options;
    es_check_backlog backlog;
    r->serial = true;
    es_check_costs costs = costs_of(r);
    es_check_backlog_find(&r->program, &costs, o->ratio, &backlog);
    if (!backlog.bounded) {
        report->records = UINT32_MAX;
        no(report, "inputs may come faster than the recorder writes them down",
           lines_of(r, report->arena, &backlog.loop), "take a faster clock for the probe");
        return;
    }
    report->records = es_check_waiting_find(&r->program, &backlog, backlog.besides + VECTOR_BYTES + LATENCY, o->ratio);
    if (report->records > o->fifo)
        no(report,
           es_arena_format(report->arena, "up to %u transactions wait in the FIFO, which holds %u",
                           (unsigned)report->records, (unsigned)o->fifo),
           NULL, "take a probe with a deeper FIFO or a faster clock");
}

static void count_inputs(const recorder *r, es_check_recorder_report *report)
{
    for (size_t i = 0; i < r->program.node_count; i++) {
        const es_check_node *node = &r->program.nodes[i];
        if (!r->program.procedures[node->procedure].reached)
            continue;
        report->inputs += node->load && may_be_input(r, i);
        report->clocks += reads_clock(node);
    }
}

static bool has_handlers(const recorder *r)
{
    for (size_t p = 0; p < r->program.procedure_count; p++)
        if (r->program.procedures[p].interrupt && r->program.procedures[p].node_count)
            return true;
    return false;
}

static void state_conditions(const recorder *r, es_check_recorder_report *report)
{
    const es_check_recorder_options *o = r->options;
    const char *interrupts = has_handlers(r) && o->interrupt_gap
                                 ? es_arena_format(report->arena, "interrupts come at least %lld bus clocks apart, ",
                                                   (long long)o->interrupt_gap)
                                 : "";
    report->condition = es_arena_format(
        report->arena,
        "%snobody but the program changes memory, it reads no memory that nobody has written, and addresses "
        "stay in the objects that they are made from",
        interrupts);
}

static bool can_follow(recorder *r, es_check_recorder_report *report)
{
    if (r->program.flaw) {
        no(report, "the program's code cannot be followed", r->program.flaw, "nothing can be said about such code");
        return false;
    }
    es_check_aims_find(&r->aims, report->arena, &r->program);
    if (r->aims.jumps == CHECK_NONE)
        return true;
    no(report, "the program leaves procedures otherwise than by returning, as longjmp does, or switches its stack",
       es_check_line(report->arena, r->program.symbols, r->program.nodes[r->aims.jumps].address),
       "nothing can be said about such code");
    return false;
}

void es_check_recorder(const es_symbols *symbols, const es_check_recorder_options *options,
                       es_check_recorder_report *report)
{
    *report = (es_check_recorder_report){.arena = es_arena_new()};
    recorder r = {.options = options};
    es_check_timing timing = options->instruction ? es_check_timing_of_any(options->instruction, options->wait)
                                                  : es_check_timing_of_target(options->wait);
    es_check_program_build(&r.program, report->arena, symbols, &timing);
    if (!can_follow(&r, report))
        return;
    es_check_loops_find(&r.program, &r.aims, true);
    count_inputs(&r, report);
    check_buffer(&r, report);
    check_fifo(&r, report);
    state_conditions(&r, report);
    report->guaranteed = !report->why;
}

void es_check_recorder_report_free(es_check_recorder_report *report)
{
    es_arena_free(report->arena);
    *report = (es_check_recorder_report){0};
}
