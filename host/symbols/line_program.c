#include "symbols/line_program.h"

#include "symbols/bytes.h"

#include <dwarf.h>
#include <string.h>

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
static bool take_header(es_bytes *b, header *h)
{
    unsigned width = 4;
    uint64_t length = es_bytes_number(b, 4);
    if (length == 0xFFFFFFFF) {
        width = 8;
        length = es_bytes_number(b, 8);
    }
    if (b->over || length > (uint64_t)(b->end - b->at))
        return false;
    b->end = b->at + length;
    h->version = (unsigned)es_bytes_number(b, 2);
    if (h->version < 2 || h->version > 5)
        return false;
    if (h->version == 5)
        es_bytes_number(b, 2); /* sizes of addresses and segments: set_address has its own length */
    uint64_t header_length = es_bytes_number(b, width);
    if (b->over || header_length > (uint64_t)(b->end - b->at))
        return false;
    const uint8_t *program = b->at + header_length;
    h->step = (unsigned)es_bytes_number(b, 1);
    if (h->version >= 4)
        es_bytes_number(b, 1); /* operations of an instruction: 1 but on VLIW machines */
    h->statement = es_bytes_number(b, 1);
    h->line_base = (int)es_bytes_number(b, 1);
    if (h->line_base > 127)
        h->line_base -= 256;
    h->line_range = (unsigned)es_bytes_number(b, 1);
    h->opcode_base = (unsigned)es_bytes_number(b, 1);
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

static void run_extended(machine *m, es_bytes *b)
{
    uint64_t length = es_bytes_uleb(b);
    if (length == 0 || length > (uint64_t)(b->end - b->at))
        return;
    es_bytes inside = {b->at, b->at + length, false, b->big_endian};
    b->at += length;
    switch (es_bytes_number(&inside, 1)) {
    case DW_LNE_end_sequence: end_sequence(m); break;
    case DW_LNE_set_address: m->now.address = es_bytes_number(&inside, length - 1 < 8 ? (size_t)length - 1 : 8); break;
    default: /* discriminators, and files that are defined here: nobody makes those any more */ break;
    }
}

static void advance(machine *m, uint64_t operations)
{
    m->now.address += operations * m->header.step;
}

static void run_standard(machine *m, es_bytes *b, unsigned opcode)
{
    switch (opcode) {
    case DW_LNS_copy: add_row(m); break;
    case DW_LNS_advance_pc: advance(m, es_bytes_uleb(b)); break;
    case DW_LNS_advance_line: m->now.line = (uint32_t)(m->now.line + (uint64_t)es_bytes_sleb(b)); break;
    case DW_LNS_set_file: m->now.file = (uint32_t)es_bytes_uleb(b); break;
    case DW_LNS_set_column: m->now.column = (uint32_t)es_bytes_uleb(b); break;
    case DW_LNS_negate_stmt: m->now.statement = !m->now.statement; break;
    case DW_LNS_const_add_pc: advance(m, (255 - m->header.opcode_base) / m->header.line_range); break;
    case DW_LNS_fixed_advance_pc: m->now.address += es_bytes_number(b, 2); break;
    default: /* prologues' ends; or none that we know */
        for (unsigned i = m->header.lengths[opcode - 1]; i > 0; i--)
            es_bytes_uleb(b);
        break;
    }
}

void es_symbols_run_lines(es_symbols *symbols, const uint8_t *bytes, size_t size, uint64_t offset,
                          line_sequence_fn *take, void *context)
{
    machine m = {.symbols = symbols, .take = take, .context = context};
    if (offset >= size)
        return;
    es_bytes b = {bytes + offset, bytes + size, false, symbols->big_endian};
    if (!take_header(&b, &m.header))
        return;
    begin(&m);
    while (b.at < b.end && !b.over) {
        unsigned opcode = (unsigned)es_bytes_number(&b, 1);
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
