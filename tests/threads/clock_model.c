#include "clock_model.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe_defs.h"

#define FIRST_FETCH 2 /* clock from which on it stands */
#define LONGEST \
    2300 /* clocks that an instruction may take to retire: a division, or an access that waits for 7 others of 256 */
#define WFI 0x10500073u
#define ON_WAY (ES_SIM_BELL + 1)

enum { OWN, LOCKS, MEMORY, PORTS };

typedef struct access_at {
    bool standing, fetch;
    uint64_t from; /* clock from which on it stands */
    int port;
} access_at;

typedef struct core_state {
    const core_log *log;
    size_t next; /* instruction that is fetched or executed */
    access_at access;
    unsigned own_used; /* clocks for which it has its own port */
    bool bell, sleeps, unknown;
    uint64_t sleeps_from;
} core_state;

typedef struct port_state {
    int owner, last; /* owner: -1 nobody */
    unsigned used;
} port_state;

typedef struct model {
    const es_sim_shared *target;
    core_state cores[ES_SIM_CORES];
    port_state ports[PORTS];
    bool rings[ES_SIM_CORES], takes[ES_SIM_CORES];
    bool on_way[ON_WAY][ES_SIM_CORES]; /* rung in that clock */
    uint64_t now, end, compared;
    char *text;
    size_t size;
    bool wrong;
} model;

void core_log_add(core_log *log, const es_retired *retired)
{
    if (log->count == log->room) {
        log->room = log->room ? 2 * log->room : 4096;
        log->retired = realloc(log->retired, log->room * sizeof *log->retired);
        if (!log->retired)
            abort();
    }
    log->retired[log->count++] = *retired;
}

/* Clocks from the end of the fetch to the clock from which the next one stands, of what has no data access. */
static unsigned short_clocks(uint32_t insn)
{
    unsigned low = insn & 3, top = insn >> 13 & 7;
    if (low == 0)
        return 2;
    if (low == 1)
        return top == 1 || top >= 5 || (top == 4 && (insn >> 10 & 3) < 2) ? 3 : 2;
    return top == 0 ? 3 : 2;
}

static unsigned clocks_of(uint32_t insn)
{
    if ((insn & 3) != 3)
        return short_clocks(insn & 0xFFFF);
    unsigned function = insn >> 12 & 7;
    switch (insn & 0x7F) {
    case 0x33:
        if (insn >> 25 == 1)
            return function < 4 ? 4 : 35;
        return function == 1 || function == 5 ? 3 : 2;
    case 0x13: return function == 1 || function == 5 ? 3 : 2;
    case 0x17:
    case 0x63:
    case 0x6F:
    case 0x73: return 3;
    default: return 2; /* lui, jalr, fence */
    }
}

static bool has_data(const es_retired *i)
{
    return i->mem_rmask || i->mem_wmask;
}

static bool is_memory(uint32_t address)
{
    return address - ES_TARGET_ROM_BASE < ES_TARGET_ROM_SIZE || address - ES_TARGET_RAM_BASE < ES_TARGET_RAM_SIZE;
}

static int port_of(const model *m, bool fetch, uint32_t address)
{
    uint32_t lock = address - ES_TARGET_SHARED_BASE - ES_TARGET_SHARED_LOCK;
    if (!fetch && lock < 4 * ES_TARGET_LOCKS)
        return LOCKS;
    bool shared = m->target->ports == ES_SIM_PORTS_ONE || (m->target->ports == ES_SIM_PORTS_DATA && !fetch);
    return shared && is_memory(address) ? MEMORY : OWN;
}

static void stand(model *m, core_state *core, bool fetch, uint64_t from)
{
    uint32_t address = 0; /* of a fetch that nobody has retired: some code */
    if (core->next < core->log->count)
        address = fetch ? core->log->retired[core->next].pc : core->log->retired[core->next].mem_addr;
    core->access = (access_at){true, fetch, from, port_of(m, fetch, address)};
    core->own_used = 0;
}

static void differ(model *m, unsigned number, const es_retired *i, const char *what, uint64_t real)
{
    if (!m->wrong)
        snprintf(m->text, m->size,
                 "core %u, instruction %zu at 0x%08x (0x%08x): %s must end in clock %" PRIu64 ", and ended in %" PRIu64,
                 number, m->cores[number].next, i->pc, i->insn, what, m->now, real);
    m->wrong = true;
}

static void fetched(model *m, unsigned number)
{
    core_state *core = &m->cores[number];
    if (core->next == core->log->count) {
        core->unknown = true; /* what it executes now is not retired any more: it sleeps, or the run ends */
        if (m->now + LONGEST > m->end)
            m->end = m->now;
        return;
    }
    const es_retired *i = &core->log->retired[core->next];
    if (i->fetch_cycle != m->now)
        differ(m, number, i, "its fetch", i->fetch_cycle);
    if (i->insn == WFI) {
        core->sleeps = true;
        core->sleeps_from = m->now + 2;
    } else if (has_data(i)) {
        stand(m, core, false, m->now + 2);
        return;
    } else {
        core->next++;
        stand(m, core, true, m->now + clocks_of(i->insn));
    }
    m->compared++;
}

static void accessed(model *m, unsigned number)
{
    core_state *core = &m->cores[number];
    const es_retired *i = &core->log->retired[core->next];
    if (i->cycle != m->now)
        differ(m, number, i, "its access", i->cycle);
    if (i->mem_addr == ES_TARGET_SHARED_BASE + ES_TARGET_SHARED_BELL) {
        for (unsigned c = 0; c < ES_SIM_CORES && i->mem_wmask; c++)
            m->rings[c] |= i->mem_wdata >> c & 1;
        m->takes[number] = !i->mem_wmask;
        if (!i->mem_wmask && i->rd && i->rd_value != core->bell)
            differ(m, number, i, "with this value, its read of the bell", 0);
    }
    m->compared++;
    core->next++;
    stand(m, core, true, m->now + 1);
}

static void end_access(model *m, unsigned number)
{
    m->cores[number].access.standing = false;
    if (m->cores[number].access.fetch)
        fetched(m, number);
    else
        accessed(m, number);
}

static bool stands(const model *m, unsigned number, int port)
{
    const access_at *it = &m->cores[number].access;
    return it->standing && it->from <= m->now && it->port == port;
}

static int first_in_turn(const model *m, int port)
{
    for (unsigned step = 1; step <= ES_SIM_CORES; step++) {
        unsigned number = ((unsigned)m->ports[port].last + step) % ES_SIM_CORES;
        if (number < m->target->cores && stands(m, number, port))
            return (int)number;
    }
    return -1;
}

/* Ports in this clock. Whose access ends is told first and acted upon after: all of a clock happens at once. */
static void clock_ports(model *m)
{
    bool ends[ES_SIM_CORES] = {false};
    for (int p = LOCKS; p < PORTS; p++) {
        port_state *port = &m->ports[p];
        if (port->owner < 0) {
            port->owner = first_in_turn(m, p);
            port->used = 0;
        }
        if (port->owner < 0 || ++port->used <= m->target->wait)
            continue;
        ends[port->owner] = true;
        port->last = port->owner;
        port->owner = -1;
    }
    for (unsigned c = 0; c < m->target->cores; c++) {
        if (stands(m, c, OWN) && ++m->cores[c].own_used > m->target->wait)
            ends[c] = true;
    }
    for (unsigned c = 0; c < m->target->cores; c++)
        if (ends[c])
            end_access(m, c);
}

static void clock_bells(model *m)
{
    for (unsigned c = 0; c < m->target->cores; c++) {
        core_state *core = &m->cores[c];
        if (core->sleeps && core->bell && m->now >= core->sleeps_from) {
            core->sleeps = false;
            core->next++;
            stand(m, core, true, m->now + 2);
        }
        m->on_way[m->now % ON_WAY][c] = m->rings[c];
        bool rings = m->now >= m->target->bell && m->on_way[(m->now - m->target->bell) % ON_WAY][c];
        core->bell = rings || (core->bell && !m->takes[c]);
        m->rings[c] = m->takes[c] = false;
    }
}

bool clock_model_agrees(const es_sim_shared *target, const core_log *logs, uint64_t end, uint64_t *compared, char *text,
                        size_t size)
{
    model m = {.target = target, .end = end, .text = text, .size = size};
    for (int p = 0; p < PORTS; p++)
        m.ports[p] = (port_state){.owner = -1, .last = ES_SIM_CORES - 1};
    for (unsigned c = 0; c < target->cores; c++) {
        m.cores[c].log = &logs[c];
        stand(&m, &m.cores[c], true, FIRST_FETCH);
    }
    for (; m.now < m.end && !m.wrong; m.now++) {
        clock_ports(&m);
        clock_bells(&m);
    }
    *compared = m.compared;
    return !m.wrong;
}
