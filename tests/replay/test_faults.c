/* Faults in the input stream: whatever is changed, lost or doubled, no wrong value is told.
 *
 * EARSHOT_FAULTS: how many (10000 for the table of docs/replay.md); EARSHOT_SEED. */
#include "check_main.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "recorded.h"
#include "replay/token.h"

#define FAULTS 600
#define FRAME_BYTES 244 /* of tokens in a frame of the link */
#define PERIOD 12

static const char *const programs[] = {"examples/interrupts-O2.elf", "examples/nested-O2.elf", "examples/tasks-Og.elf",
                                       "examples/thermostat-O2.elf"};
enum { PROGRAMS = sizeof programs / sizeof *programs };

typedef struct stream {
    recorded *recorded;
    es_stream_token *tokens;
    size_t count;
} stream;

enum fault { VALUE_BYTE, INTERRUPT_SHIFTED, TOKEN_LOST, TOKEN_DOUBLED, BIT_FLIPPED, FRAME_LOST, FAULT_KINDS };
static const char *const fault_names[] = {"byte of a value changed",
                                          "interrupt shifted by 1 to 3 instructions",
                                          "token lost",
                                          "token doubled",
                                          "bit flipped",
                                          "frame lost, and not noticed"};

static void decode(stream *s)
{
    es_stream_token_reader reader = {0};
    const uint8_t *at = s->recorded->encoder.bytes, *end = at + s->recorded->encoder.size;
    es_error err;
    s->tokens = malloc(s->recorded->encoder.size * sizeof *s->tokens);
    ck_assert_ptr_nonnull(s->tokens);
    while (es_stream_token_next(&reader, &at, end, &s->tokens[s->count], &err) == 1)
        s->count++;
}

static size_t encode(const es_stream_token *tokens, size_t count, uint8_t *bytes)
{
    size_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += es_stream_token_put(bytes + size, &tokens[i]);
    return size;
}

static bool is_kind(const es_stream_token *token, enum fault fault)
{
    if (fault == VALUE_BYTE)
        return token->kind == ES_TOKEN_VALUE;
    return fault != INTERRUPT_SHIFTED || (token->kind == ES_TOKEN_VECTOR && token->detail == 0);
}

/* One of the tokens that the fault can have. False: there is none. */
static bool pick(const stream *s, enum fault fault, size_t *which)
{
    for (unsigned tries = 0; tries < 100000; tries++) {
        *which = draw((uint32_t)s->count);
        if (is_kind(&s->tokens[*which], fault))
            return true;
    }
    return false;
}

/* The stream with a fault. */
static size_t faulty(const stream *s, enum fault fault, uint8_t *bytes)
{
    size_t which = 0, count = s->count, size;
    if (!pick(s, fault, &which))
        return 0;
    es_stream_token *tokens = malloc((count + 1) * sizeof *tokens);
    ck_assert_ptr_nonnull(tokens);
    memcpy(tokens, s->tokens, count * sizeof *tokens);
    switch (fault) {
    case VALUE_BYTE: tokens[which].value ^= (draw(255) + 1) << 8 * draw(4); break;
    case INTERRUPT_SHIFTED: tokens[which].fetches += draw(2) ? 1 + draw(3) : UINT64_MAX - draw(3); break;
    case TOKEN_LOST: memmove(tokens + which, tokens + which + 1, (--count - which) * sizeof *tokens); break;
    case TOKEN_DOUBLED: memmove(tokens + which + 1, tokens + which, (count++ - which) * sizeof *tokens); break;
    default: break;
    }
    size = encode(tokens, count, bytes);
    if (fault == BIT_FLIPPED)
        bytes[draw((uint32_t)size)] ^= (uint8_t)(1u << draw(8));
    if (fault == FRAME_LOST) {
        size_t from = draw((uint32_t)(size / FRAME_BYTES)) * FRAME_BYTES;
        memmove(bytes + from, bytes + from + FRAME_BYTES, size - from - FRAME_BYTES);
        size -= FRAME_BYTES;
    }
    free(tokens);
    return size;
}

START_TEST(faults)
{
    stream streams[PROGRAMS] = {0};
    size_t total = getenv("EARSHOT_FAULTS") ? strtoul(getenv("EARSHOT_FAULTS"), NULL, 0) : FAULTS;
    size_t tried[FAULT_KINDS] = {0}, alarms[FAULT_KINDS] = {0}, harmless[FAULT_KINDS] = {0}, room = 0;
    uint64_t told = 0;
    draw_seed = getenv("EARSHOT_SEED") ? (uint32_t)strtoul(getenv("EARSHOT_SEED"), NULL, 0) : 1;
    for (unsigned i = 0; i < PROGRAMS; i++) {
        streams[i].recorded = recorded_new(programs[i], i + 1, PERIOD, 150000);
        decode(&streams[i]);
        room = streams[i].recorded->encoder.size > room ? streams[i].recorded->encoder.size : room;
    }
    uint8_t *bytes = malloc(room + 64);
    for (size_t n = 0; n < total; n++) {
        const stream *s = &streams[n % PROGRAMS];
        enum fault fault = (enum fault)(n / PROGRAMS % FAULT_KINDS);
        uint32_t seed = draw_seed;
        size_t size = faulty(s, fault, bytes);
        if (!size) /* this program has none of them: another kind */
            size = faulty(s, fault = BIT_FLIPPED, bytes);
        compared c;
        compared_run(&c, s->recorded, bytes, size, size);
        ck_assert_msg(c.wrong == 0, "%s, %s, seed %" PRIu32 ": told a wrong value: %s", programs[n % PROGRAMS],
                      fault_names[fault], seed, c.first);
        tried[fault]++;
        alarms[fault] += es_replay_failed(c.replay);
        harmless[fault] += !es_replay_failed(c.replay);
        told += c.instructions;
        es_replay_free(c.replay);
    }
    for (unsigned i = 0; i < FAULT_KINDS; i++)
        printf("%-42s %6zu tried, %6zu alarms, %6zu without consequence, 0 wrong values\n", fault_names[i], tried[i],
               alarms[i], harmless[i]);
    printf("%" PRIu64 " instructions compared\n", told);
    for (unsigned i = 0; i < PROGRAMS; i++) {
        free(streams[i].tokens);
        recorded_free(streams[i].recorded);
    }
    free(bytes);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("faults");
    TCase *all = tcase_create("faults");
    tcase_set_timeout(all, 0);
    tcase_add_test(all, faults);
    suite_add_tcase(suite, all);
    return check_main(suite);
}
