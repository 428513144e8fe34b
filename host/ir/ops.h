/* All operations of the monitor IR, once: O(NAME, "text", FORM, encoding). Readers: the builder, the printer, the
 * verifier, the allocator, the interpreter and the emission.
 *
 * Forms:   VALUE  rd = a op b        IMMEDIATE  rd = a op imm     CONSTANT  rd = imm       COPY  rd = a
 *          LOAD   rd = [a + imm]     STORE      [a + imm] = b     PLACE     rd = address of RAM offset imm
 *          BRANCH if a op b goto label imm     JUMP  goto label imm      LABEL  label imm
 *          LINK   rd = here, goto label imm    CALL  rd = here, goto address imm (rd zero: it does not come back)
 *          RETURN goto a
 * The encoding is the RV32 instruction with all operands 0, where one instruction does it. */
#ifndef ES_IR_OPS_H
#define ES_IR_OPS_H

/* clang-format off */
#define ES_IR_OPS(O) \
    O(ADD, "add", VALUE, 0x00000033) \
    O(SUB, "sub", VALUE, 0x40000033) \
    O(SHL, "shl", VALUE, 0x00001033) \
    O(SHR, "shr", VALUE, 0x00005033) \
    O(SAR, "sar", VALUE, 0x40005033) \
    O(LESS, "less", VALUE, 0x00002033) \
    O(BELOW, "below", VALUE, 0x00003033) \
    O(XOR, "xor", VALUE, 0x00004033) \
    O(OR, "or", VALUE, 0x00006033) \
    O(AND, "and", VALUE, 0x00007033) \
    O(ADD_I, "add", IMMEDIATE, 0x00000013) \
    O(SHL_I, "shl", IMMEDIATE, 0x00001013) \
    O(SHR_I, "shr", IMMEDIATE, 0x00005013) \
    O(SAR_I, "sar", IMMEDIATE, 0x40005013) \
    O(LESS_I, "less", IMMEDIATE, 0x00002013) \
    O(BELOW_I, "below", IMMEDIATE, 0x00003013) \
    O(XOR_I, "xor", IMMEDIATE, 0x00004013) \
    O(OR_I, "or", IMMEDIATE, 0x00006013) \
    O(AND_I, "and", IMMEDIATE, 0x00007013) \
    O(CONST, "const", CONSTANT, 0) \
    O(COPY, "copy", COPY, 0) \
    O(RAM, "ram", PLACE, 0) \
    O(LOAD, "load", LOAD, 0x00002003) \
    O(LOAD_HALF, "load.half", LOAD, 0x00005003) \
    O(LOAD_SHORT, "load.short", LOAD, 0x00001003) \
    O(LOAD_BYTE, "load.byte", LOAD, 0x00004003) \
    O(LOAD_CHAR, "load.char", LOAD, 0x00000003) \
    O(STORE, "store", STORE, 0x00002023) \
    O(STORE_BYTE, "store.byte", STORE, 0x00000023) \
    O(IF_EQ, "==", BRANCH, 0x00000063) \
    O(IF_NE, "!=", BRANCH, 0x00001063) \
    O(IF_LESS, "<", BRANCH, 0x00004063) \
    O(IF_NOT_LESS, ">=", BRANCH, 0x00005063) \
    O(IF_BELOW, "<u", BRANCH, 0x00006063) \
    O(IF_NOT_BELOW, ">=u", BRANCH, 0x00007063) \
    O(LABEL, "label", LABEL, 0) \
    O(JUMP, "goto", JUMP, 0x0000006F) \
    O(LINK, "call", LINK, 0x0000006F) \
    O(CALL, "call", CALL, 0x0000006F) \
    O(RETURN, "return", RETURN, 0x00000067)
/* clang-format on */

enum es_ir_op {
#define ES_IR_ENUM(name, text, form, encoding) ES_IR_##name,
    ES_IR_OPS(ES_IR_ENUM)
#undef ES_IR_ENUM
        ES_IR_OP_COUNT
};

enum es_ir_form {
    /* those that write a register first */
    ES_IR_VALUE,
    ES_IR_IMMEDIATE,
    ES_IR_CONSTANT,
    ES_IR_COPIED,
    ES_IR_PLACE,
    ES_IR_LOADED,
    ES_IR_STORED,
    ES_IR_BRANCH,
    ES_IR_JUMPED,
    ES_IR_LABELLED,
    ES_IR_LINKED,
    ES_IR_CALLED,
    ES_IR_RETURNED,
};

#endif
