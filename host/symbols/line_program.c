#include "symbols/line_program.h"

#include "base/endian.h"

#include <dwarf.h>
#include <string.h>

/* Bytes that are left to read. What lies beyond them reads as 0, and says so. */
typedef struct source {
    const uint8_t *at, *end;
    bool over, big_endian;
} source;

static uint64_t take_number(source *b, size_t width)
{
    uint64_t value = 0;
    if ((size_t)(b->end - b->at) < width) {
        b->over = true;
        b->at = b->end;
        return 0;
    }
    value = es_endian_get(b->at, (unsigned)(width < 8 ? width : 8), b->big_endian);
    b->at += width;
    return value;
}

static uint64_t take_uleb(source *b)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint64_t byte = take_number(b, 1);
        if (shift < 64)
            value |= (byte & 0x7F) << shift;
        if (!(byte & 0x80))
            return value;
    }
}

static int64_t take_sleb(source *b)
{
    uint64_t value = 0;
    for (unsigned shift = 0;;) {
        uint64_t byte = take_number(b, 1);
        if (shift < 64)
            value |= (byte & 0x7F) << shift;
        shift += 7;
        if (byte & 0x80)
            continue;
        if (shift < 64 && (byte & 0x40))
            value |= ~UINT64_C(0) << shift;
        return (int64_t)value;
    }
}

typedef struct header {
    unsigned version;
    unsigned step;  /* bytes of the shortest instruction */
    bool statement; /* whether rows begin statements, at a sequence's start */
    int line_base;
    unsigned line_range; /* not 0 */
    unsigned opcode_base;
    const uint8_t *lengths; /* of the standard opcodes' operands */
} header;

/* Reads a header; b is left with the program alone. */
static bool take_header(source *b, header *h)
{
    unsigned width = 4;
    uint64_t length = take_number(b, 4);
    if (length == 0xFFFFFFFF) {
        width = 8;
        length = take_number(b, 8);
    }
    if (b->over || length > (uint64_t)(b->end - b->at))
        return false;
    b->end = b->at + length;
    h->version = (unsigned)take_number(b, 2);
    if (h->version < 2 || h->version > 5)
        return false;
    if (h->version == 5)
        take_number(b, 2); /* sizes of addresses and segments: set_address has its own length */
    uint64_t header_length = take_number(b, width);
    if (b->over || header_length > (uint64_t)(b->end - b->at))
        return false;
    const uint8_t *program = b->at + header_length;
    h->step = (unsigned)take_number(b, 1);
    if (h->version >= 4)
        take_number(b, 1); /* operations of an instruction: 1 but on VLIW machines */
    h->statement = take_number(b, 1);
    h->line_base = (int)take_number(b, 1);
    if (h->line_base > 127)
        h->line_base -= 256;
    h->line_range = (unsigned)take_number(b, 1);
    h->opcode_base = (unsigned)take_number(b, 1);
    h->lengths = b->at;
    if (b->over || h->line_range == 0 || h->opcode_base == 0 || (size_t)(b->end - b->at) < h->opcode_base - 1u)
        return false;
    b->at = program;
    return true;
}

typedef struct machine {
    es_symbols *symbols;
    header header;
    line_row now;
    SYMBOLS_LIST(line_row) rows;
    line_sequence_fn *take;
    void *context;
} machine;

static void begin(machine *m)
{
    m->now = (line_row){.file = 1, .line = 1, .statement = m->header.statement};
    m->rows.count = 0;
}

static void add_row(machine *m)
{
    SYMBOLS_PUSH(m->symbols, &m->rows, m->now);
}

static void end_sequence(machine *m)
{
    line_sequence sequence = {.end = m->now.address, .rows = m->rows.items, .count = m->rows.count};
    if (sequence.count) {
        sequence.low = sequence.rows[0].address;
        m->take(m->context, &sequence);
    }
    begin(m);
}

static void run_extended(machine *m, source *b)
{
    uint64_t length = take_uleb(b);
    if (length == 0 || length > (uint64_t)(b->end - b->at))
        return;
    source inside = {b->at, b->at + length, false, b->big_endian};
    b->at += length;
    switch (take_number(&inside, 1)) {
    case DW_LNE_end_sequence: end_sequence(m); break;
    case DW_LNE_set_address: m->now.address = take_number(&inside, length - 1 < 8 ? (size_t)length - 1 : 8); break;
    default: /* discriminators, and files that are defined here: nobody makes those any more */ break;
    }
}

static void advance(machine *m, uint64_t operations)
{
    m->now.address += operations * m->header.step;
}

static void run_standard(machine *m, source *b, unsigned opcode)
{
    switch (opcode) {
    case DW_LNS_copy: add_row(m); break;
    case DW_LNS_advance_pc: advance(m, take_uleb(b)); break;
    case DW_LNS_advance_line: m->now.line = (uint32_t)(m->now.line + (uint64_t)take_sleb(b)); break;
    case DW_LNS_set_file: m->now.file = (uint32_t)take_uleb(b); break;
    case DW_LNS_set_column: m->now.column = (uint32_t)take_uleb(b); break;
    case DW_LNS_negate_stmt: m->now.statement = !m->now.statement; break;
    case DW_LNS_const_add_pc: advance(m, (255 - m->header.opcode_base) / m->header.line_range); break;
    case DW_LNS_fixed_advance_pc: m->now.address += take_number(b, 2); break;
    default: /* prologues' ends; or none that we know */
        for (unsigned i = m->header.lengths[opcode - 1]; i > 0; i--)
            take_uleb(b);
        break;
    }
}

void es_symbols_run_lines(es_symbols *symbols, const uint8_t *bytes, size_t size, uint64_t offset,
                          line_sequence_fn *take, void *context)
{
    machine m = {.symbols = symbols, .take = take, .context = context};
    if (offset >= size)
        return;
    source b = {bytes + offset, bytes + size, false, symbols->big_endian};
    if (!take_header(&b, &m.header))
        return;
    begin(&m);
    while (b.at < b.end && !b.over) {
        unsigned opcode = (unsigned)take_number(&b, 1);
        if (opcode == 0) {
            run_extended(&m, &b);
        } else if (opcode < m.header.opcode_base) {
            run_standard(&m, &b, opcode);
        } else {
            opcode -= m.header.opcode_base;
            advance(&m, opcode / m.header.line_range);
            m.now.line = (uint32_t)((int64_t)m.now.line + m.header.line_base + (int)(opcode % m.header.line_range));
            add_row(&m);
        }
    }
}
