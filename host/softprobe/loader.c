/* Commands of the host, one at a time (es_loader.v). */
#include "softprobe/private.h"

#define READ_MAX (ES_FRAME_MAX_WORDS - 2u)

static void answer(es_softprobe *probe, const uint32_t *command, uint32_t status, uint32_t *words, size_t count)
{
    words[0] = (command[0] & 0xFFFF0000u) | (uint32_t)(count + 1) << 8 | ES_FRAME_RESPONSE;
    words[1] = status;
    es_softprobe_send(probe, words, count + 2);
}

void es_softprobe_command(es_softprobe *probe, const uint32_t *words, size_t count)
{
    uint32_t reply[ES_FRAME_MAX_WORDS], operation = words[0] & 0xFF;
    if (operation != ES_OP_READ && operation != ES_OP_WRITE) {
        answer(probe, words, ES_RESP_BAD_OP, reply, 0);
    } else if (operation == ES_OP_READ ? count != 3 || words[2] < 1 || words[2] > READ_MAX : count < 2) {
        answer(probe, words, ES_RESP_BAD_LENGTH, reply, 0);
    } else if (operation == ES_OP_READ) {
        for (uint32_t i = 0; i < words[2]; i++)
            reply[2 + i] = es_softprobe_bus_read(probe, (words[1] & ~3u) + 4 * i, false);
        answer(probe, words, ES_RESP_OK, reply, words[2]);
    } else {
        for (uint32_t i = 2; i < count; i++)
            es_softprobe_bus_write(probe, (words[1] & ~3u) + 4 * (i - 2), words[i], 15);
        answer(probe, words, ES_RESP_OK, reply, 0);
    }
}
