/* From memory to blocks. */
#include "machine/code.h"

enum { NO_REGISTER = 32 }; /* where what is written to register 0 goes */

/* A block while it is made. */
typedef struct making {
    es_machine *machine;
    uint32_t pc; /* of the next instruction */
    unsigned count, accesses;
    uint32_t touches, taken;
    bool ended;
    machine_op ops[BLOCK_INSNS];
    uint8_t sizes[BLOCK_INSNS];
} making;

static void add(making *it, const void *handler, const es_rv32_operation *op, uint32_t imm)
{
    it->sizes[it->count] = op->size;
    it->ops[it->count++] = (machine_op){
        .handler = handler, .imm = imm, .rd = op->rd ? op->rd : NO_REGISTER, .rs1 = op->rs1, .rs2 = op->rs2};
}

static void uses(making *it, unsigned reg)
{
    it->touches |= reg ? 1u << reg : 0;
}

static bool misplaced(const making *it, uint32_t address)
{
    return address & 2 && !(it->machine->has & ES_HAS_C);
}

static void add_compute(making *it, const void *const *handlers, const es_rv32_operation *op)
{
    uses(it, op->rd), uses(it, op->rs1);
    if (!op->immediate)
        uses(it, op->rs2);
    unsigned handler = HANDLER_FIRST + op->op + (op->immediate ? ES_OPS : 0);
    add(it, handlers[op->rd ? handler : HANDLER_NOTHING], op, (uint32_t)op->imm);
}

static void add_branch(making *it, const void *const *handlers, const es_rv32_operation *op)
{
    uses(it, op->rs1), uses(it, op->rs2);
    add(it, handlers[HANDLER_FIRST + op->op], op, 0);
    it->taken = it->pc + (uint32_t)op->imm;
    it->ended = true;
}

static void add_jump(making *it, const void *const *handlers, const es_rv32_operation *op)
{
    uses(it, op->rd);
    if (op->op == ES_OP_JALR)
        uses(it, op->rs1);
    add(it, handlers[op->op == ES_OP_JAL ? HANDLER_JAL : HANDLER_JALR], op, (uint32_t)op->imm);
    it->taken = it->pc + (uint32_t)op->imm;
    it->ended = true;
}

/* Adds an instruction. False: it is for the precise engine. */
static bool add_insn(making *it, const es_rv32_operation *op)
{
    const void *const *handlers = it->machine->handlers;
    switch (op->op) {
    case ES_OP_CONSTANT:
    case ES_OP_ADDRESS:
        uses(it, op->rd);
        add(it, handlers[HANDLER_CONSTANT], op, (uint32_t)op->imm + (op->op == ES_OP_ADDRESS ? it->pc : 0));
        return true;
    case ES_OP_FENCE:
    case ES_OP_FENCE_I: add(it, handlers[HANDLER_NOTHING], op, 0); return true;
#define X(name) case ES_OP_##name:
        ES_OP_COMPUTES(X) add_compute(it, handlers, op);
        return true;
        /* the fast engine copies unknown bits between memory and registers: a load's rd and a store's rs2 may have
         * some */
        ES_OP_LOADS(X) uses(it, op->rs1);
        it->accesses++;
        add(it, handlers[HANDLER_FIRST + op->op], op, (uint32_t)op->imm);
        return true;
        ES_OP_STORES(X) uses(it, op->rs1);
        it->accesses++;
        add(it, handlers[HANDLER_FIRST + op->op], op, (uint32_t)op->imm);
        return true;
        ES_OP_BRANCHES(X) if (misplaced(it, it->pc + (uint32_t)op->imm)) return false;
        add_branch(it, handlers, op);
        return true;
#undef X
    case ES_OP_JAL:
        if (misplaced(it, it->pc + (uint32_t)op->imm))
            return false;
        add_jump(it, handlers, op);
        return true;
    case ES_OP_JALR: add_jump(it, handlers, op); return true;
    default: return false;
    }
}

/* The instruction at pc; its size is 0 where it is not known, or not in this page alone. */
static es_rv32_operation insn_at(es_machine *machine, uint32_t pc)
{
    bool last = (pc & (PAGE_SIZE - 1)) == PAGE_SIZE - 2;
    es_rv32_operation none = {.op = ES_OP_ILLEGAL};
    if (!es_machine_region_of(machine, pc))
        return none;
    machine_value word = es_machine_word(machine, pc & ~3u);
    if (pc & 2) {
        word = (machine_value){word.bits >> 16, word.unknown >> 16};
        if ((word.bits & 3) == 3) {
            if (last || !es_machine_region_of(machine, pc + 2))
                return none;
            machine_value upper = es_machine_word(machine, pc + 2);
            word = (machine_value){word.bits | upper.bits << 16, word.unknown | upper.unknown << 16};
        }
    }
    es_rv32_operation op = es_rv32_operation_of(word.bits, machine->has);
    return word.unknown & (op.size == 2 ? 0xFFFF : UINT32_MAX) ? none : op;
}

static bool is_access(const es_rv32_operation *op)
{
    return op->op >= ES_OP_LB && op->op <= ES_OP_SW;
}

/* Sums of the fetches' part in the hash, and how often each access counts. */
static void weigh(machine_block *block, const bool *accesses)
{
    uint32_t left = block->accesses, pc = block->pc;
    for (unsigned i = 0; i < block->count; i++) {
        block->parts[i].fetch_weight = (uint8_t)left;
        block->sum += pc;
        block->sums += left-- * pc;
        if (accesses[i])
            block->ops[i].weight = (uint8_t)left--;
        pc += block->parts[i].size;
    }
}

static machine_block *translate(es_machine *machine, uint32_t pc)
{
    const void *const *handlers = machine->handlers;
    making it = {.machine = machine, .pc = pc};
    bool accesses[BLOCK_INSNS] = {false}, marked = es_machine_is_marked(machine, pc), steps = false;
    while (!marked && !it.ended && !steps && it.count < BLOCK_INSNS && it.pc >> PAGE_BITS == pc >> PAGE_BITS &&
           !(it.pc != pc && es_machine_is_marked(machine, it.pc))) {
        es_rv32_operation op = insn_at(machine, it.pc);
        accesses[it.count] = is_access(&op);
        steps = !op.size || !add_insn(&it, &op);
        if (!steps)
            it.pc += op.size;
    }
    machine_block *block = es_machine_new_block(machine, it.count + !it.ended);
    block->pc = pc;
    block->touches = it.touches;
    block->count = it.count;
    block->accesses = it.count + it.accesses;
    block->next_pc = it.pc;
    block->taken_pc = it.taken;
    for (unsigned i = 0; i < it.count; i++) {
        block->ops[i] = it.ops[i];
        block->parts[i].size = it.sizes[i];
    }
    if (!it.ended)
        block->ops[it.count].handler = handlers[marked ? HANDLER_MARKED : steps ? HANDLER_STEP : HANDLER_FALLS];
    weigh(block, accesses);
    return block;
}

machine_block *es_machine_block_at(es_machine *machine, uint32_t pc)
{
    if (!es_machine_region_of(machine, pc))
        return NULL;
    machine_code_page *page = es_machine_code_page(machine, pc);
    machine_block **place = &page->at[(pc & (PAGE_SIZE - 1)) / 2];
    if (!*place) {
        *place = translate(machine, pc);
        uint32_t last = (*place)->next_pc + 3;
        for (uint32_t at = pc >> LINE_BITS;
             at <= last >> LINE_BITS && (at << LINE_BITS) >> PAGE_BITS == pc >> PAGE_BITS; at++)
            page->lines[at % LINES] = true;
    }
    machine->code->recent[pc / 2 % RECENT] = *place;
    return *place;
}
