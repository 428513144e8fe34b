/* Packets of gdb's remote serial protocol: "$data#checksum", with acknowledgements until both sides do without.
 *
 * A reader takes bytes as they come, of any cut and any content: what is no packet is left out, packets that are too
 * long or whose checksum is wrong are told as such. */
#ifndef ES_GDB_PACKET_H
#define ES_GDB_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

#define ES_GDB_PACKET_MAX 4096 /* bytes of a packet's data that are taken; gdb is told so */

enum es_gdb_input {
    ES_GDB_NOTHING,   /* the byte completes nothing */
    ES_GDB_PACKET,    /* reader->data has the packet, until the next byte is given; a NUL follows it */
    ES_GDB_DAMAGED,   /* a packet with a wrong checksum, or too long: to be asked for again */
    ES_GDB_INTERRUPT, /* the user wants the target to stop */
    ES_GDB_AGAIN,     /* the other side wants the last packet again */
};

typedef struct es_gdb_reader {
    char data[ES_GDB_PACKET_MAX + 1];
    size_t length;
    /* private */
    enum { ES_GDB_BETWEEN, ES_GDB_IN_DATA, ES_GDB_ESCAPED, ES_GDB_CHECKSUM, ES_GDB_CHECKSUM_LOW } state;
    uint8_t sum, told;
    bool damaged;
} es_gdb_reader; /* all zero: a new one */

enum es_gdb_input es_gdb_read(es_gdb_reader *reader, uint8_t byte);

/* Adds a packet with this data to what is to be sent. */
void es_gdb_frame(es_text_buffer *out, const char *data, size_t length);

/* The same with a text for the user: packets that gdb prints while it waits for an answer. */
void es_gdb_frame_text(es_text_buffer *out, const char *text, size_t length);

/* --- numbers in packets ------------------------------------------------------------------------------------------- */

/* A hexadecimal number at *at, which moves after it. False: there is none, or it has more than 64 bits. */
bool es_gdb_number(const char **at, uint64_t *value);

/* Bytes as hexadecimal digits; and the value of a digit, -1: it is none. */
void es_gdb_hex(es_text_buffer *out, const uint8_t *bytes, size_t count);
int es_gdb_digit(char c);

#endif
