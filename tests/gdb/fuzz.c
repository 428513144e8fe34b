/* libFuzzer: any bytes of a client's, taken as packets (with their checksums made right) by a server on a small
 * recording. */
#include <stdint.h>
#include <string.h>

#include "double.h"
#include "gdb/packet.h"
#include "gdb/server.h"

/* A loop that stores, loads, calls and sees some interrupts' worth of instructions, in RV32IC. */
static const uint32_t code[] = {
    0x00020137, /* lui sp, 0x20 */
    0x00000293, /* li t0, 0 */
    0x00128293, /* loop: addi t0, t0, 1 */
    0x00512023, /* sw t0, 0(sp) */
    0x00012303, /* lw t1, 0(sp) */
    0x00c000ef, /* jal ra, f */
    0xff1ff06f, /* j loop */
    0x00000013, /* nop */
    0x00008067, /* f: ret */
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static es_timeline *timeline;
    es_gdb_server server;
    es_gdb_reader reader = {0};
    es_text_buffer out = {0};
    es_error err;
    if (!timeline)
        timeline = double_of_code(code, sizeof code, 3000);
    es_timeline_seek(timeline, 0, &err);
    es_gdb_server_init(&server, timeline, es_isa_of_simulated_target(), "rv32imc");
    es_gdb_server_tasks(&server, NULL, NULL, &err);
    for (size_t i = 0; i < size && !server.over; i++) {
        enum es_gdb_input input = es_gdb_read(&reader, data[i]);
        if (input == ES_GDB_PACKET || input == ES_GDB_DAMAGED) /* checksums are hard to guess */
            es_gdb_server_take(&server, reader.data, reader.length, &out);
    }
    es_gdb_server_free(&server);
    es_text_free(&out);
    return 0;
}
