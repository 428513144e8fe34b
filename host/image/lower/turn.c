#include "image/lower/turn.h"

void es_place_turn(es_ir_code *code, es_ir_reg rd, unsigned bytes, bool as_signed)
{
    if (bytes == 2) {
        es_ir_reg upper = es_ir_make_immediate(code, ES_IR_SHL_I, rd, 24);
        es_ir_immediate(code, as_signed ? ES_IR_SAR_I : ES_IR_SHR_I, upper, upper, 16);
        es_ir_immediate(code, ES_IR_SHR_I, rd, rd, 8);
        es_ir_value(code, ES_IR_OR, rd, rd, upper);
        return;
    }
    es_ir_reg odd = es_ir_make_const(code, 0x00FF00FFu), upper = es_ir_make_immediate(code, ES_IR_SHL_I, rd, 16);
    es_ir_immediate(code, ES_IR_SHR_I, rd, rd, 16);
    es_ir_value(code, ES_IR_OR, rd, rd, upper);
    upper = es_ir_make(code, ES_IR_AND, rd, odd);
    es_ir_immediate(code, ES_IR_SHL_I, upper, upper, 8);
    es_ir_immediate(code, ES_IR_SHR_I, rd, rd, 8);
    es_ir_value(code, ES_IR_AND, rd, rd, odd);
    es_ir_value(code, ES_IR_OR, rd, rd, upper);
}
