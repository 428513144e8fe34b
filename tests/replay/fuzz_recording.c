/* libFuzzer's entry: any bytes as a file must be read as a recording or be refused, block by block and by its table; any
 * bytes as a keyframe must be one or be refused, and what is one must be the same when it is packed again; and any bytes
 * as an input stream must be executed, or end the replay. The first byte says which, and whether the header is
 * mended. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "replay/keyframe.h"
#include "replay/recording_private.h"
#include "replay/replay.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_file(const uint8_t *data, size_t size, bool mend)
{
    char path[64];
    es_error err;
    snprintf(path, sizeof path, "/tmp/earshot-fuzz-%d", (int)getpid());
    FILE *file = fopen(path, "wb");
    if (!file)
        abort();
    if (mend) {
        uint8_t header[ES_RECORDING_HEADER];
        const es_recording_info info = {.clock_hz = 1};
        es_recording_put_header(header, &info);
        fwrite(header, 1, sizeof header, file);
    }
    fwrite(data, 1, size, file);
    fclose(file);
    es_recording_reader *reader = es_recording_open(path, &err);
    const uint8_t *bytes;
    const char *ended = NULL;
    size_t count, total = 0;
    while (reader && es_recording_next(reader, &bytes, &count, &ended))
        for (size_t i = 0; i < count; i++)
            total += bytes[i];
    if (reader && (!ended || total == SIZE_MAX))
        abort();
    es_recording_block *blocks = NULL;
    es_bytes content = {0};
    if (reader && es_recording_list(reader, &blocks, &count, &err))
        for (size_t i = 0; i < count; i++)
            es_recording_load(reader, &blocks[i], &content);
    es_bytes_free(&content);
    free(blocks);
    es_recording_reader_free(reader);
    unlink(path);
}

static void read_keyframe(const uint8_t *data, size_t size)
{
    es_keyframe keyframe;
    es_machine_snapshot *snapshot = NULL;
    if (es_keyframe_unpack(&keyframe, data, size)) {
        es_bytes again = {0};
        es_keyframe_pack(&keyframe, &again);
        if (again.size > size)
            abort();
        es_bytes_free(&again);
        snapshot = keyframe.last ? NULL : es_machine_snapshot_unpack(keyframe.machine, keyframe.machine_size, NULL);
        free(keyframe.choices);
    } else {
        snapshot = es_machine_snapshot_unpack(data, size, NULL);
    }
    if (!snapshot)
        return;
    es_bytes first = {0}, second = {0}; /* the same, from nothing and from itself */
    es_machine_snapshot_pack(snapshot, NULL, &first);
    es_machine_snapshot_pack(snapshot, snapshot, &second);
    es_machine_snapshot *same = es_machine_snapshot_unpack(second.data, second.size, snapshot);
    second.size = 0;
    if (!same)
        abort();
    es_machine_snapshot_pack(same, NULL, &second);
    if (first.size != second.size || memcmp(first.data, second.data, first.size) != 0)
        abort();
    es_machine_snapshot_free(same);
    es_machine_snapshot_free(snapshot);
    es_bytes_free(&first);
    es_bytes_free(&second);
}

static void nobody(void *context, uint64_t first, uint64_t end)
{
    (void)context, (void)first, (void)end;
}

static void replay(const uint8_t *data, size_t size)
{
    /* lw a0, 0(s0); csrr a1, mip; sw a1, 0(sp); j .-12 */
    static const uint32_t code[] = {0x00042503, 0x344025F3, 0x00B12023, 0xFF5FF06F};
    es_replay_program program;
    es_replay_listener listener = {.confirmed = nobody};
    es_error err;
    es_replay_reference(&program, NULL);
    program.traps = (es_replay_vector){.value = 8, .mask = UINT32_MAX, .used = true};
    es_replay *r = es_replay_new(&program, &listener, &err);
    if (!r)
        abort();
    es_machine_poke(es_replay_machine(r), 0, (const uint8_t *)code, NULL, sizeof code);
    static const uint8_t begin[] = {0x80, 0, 0, 0, 0};
    es_replay_push(r, begin, sizeof begin);
    es_replay_push(r, data, size);
    es_replay_finish(r);
    if (!es_replay_ended(r))
        abort();
    es_replay_free(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    if (data[0] % 4 < 2)
        read_file(data + 1, size - 1, data[0] % 4 == 1);
    else if (data[0] % 8 == 6)
        read_keyframe(data + 1, size - 1);
    else
        replay(data + 1, size - 1);
    return 0;
}
