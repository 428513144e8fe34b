#include "image/lower/routines.h"

#include <string.h>

#include "image/firmware.h"
#include "ir/ir.h"
#include "probe_defs.h"

#define R(name) ES_IR_SET(ES_IR_##name)

typedef struct convention {
    es_ir_reg link; /* zero: it does not come back here */
    uint32_t takes, gives, spoils;
} convention;

/* Routines that are entered from tables only have no row. */
static const convention conventions[IMAGE_ROUTINES] = {
    /* what it is given in t1 it keeps, and a0; it goes on at ra when the frame is dropped */
    [ROUTINE_ready] = {ES_IR_T0, R(T1) | R(RA), 0, ES_IR_FREE & ~(R(A0) | R(T1))},
    [ROUTINE_head] = {ES_IR_T0, R(T1), 0, R(T1) | R(T2) | R(T3)},
    [ROUTINE_unknown] = {ES_IR_ZERO, R(RA), 0, 0},
    [ROUTINE_part] = {ES_IR_T0, R(T2) | R(T3), R(T1), R(T4)},
    [ROUTINE_abandon] = {ES_IR_T3, R(T1) | R(T2), 0, R(T1) | R(T4) | R(T5) | R(T6)},
    [ROUTINE_switch_now] = {ES_IR_T0, R(T1), R(T1), R(T2) | R(T3)},
    [ROUTINE_switch_set] = {ES_IR_T0, R(T1) | R(T2), 0, R(T3) | R(T4) | R(T5) | R(T6)},
    [ROUTINE_expected] = {ES_IR_T0, R(T1) | R(T3) | R(T4) | R(T5), 0, R(T2) | R(T4)},
    [ROUTINE_gather] = {ES_IR_ZERO, R(A0) | R(A1) | R(RA), 0, 0},
    [ROUTINE_frame_changed] = {ES_IR_ZERO, R(A0) | R(A1) | R(A2) | R(A3) | R(A4) | R(T0), 0, 0},
    [ROUTINE_pointer_written] = {ES_IR_ZERO, R(A0) | R(RA), 0, 0},
    [ROUTINE_task_written] = {ES_IR_ZERO, R(A0) | R(RA), 0, 0},
    [ROUTINE_multiply] = {ES_IR_T0, R(T1) | R(T2), R(T1), R(T2) | R(T3) | R(T6)},
    [ROUTINE_divide] = {ES_IR_T0, R(T1) | R(T2), R(T1) | R(T2), R(T3) | R(T6)},
    [ROUTINE_divide_signed] = {ES_IR_T0, R(T1) | R(T2), R(T1) | R(T2), R(T3) | R(T6)},
    [ROUTINE_compute] = {ES_IR_T0, R(T1) | R(T2) | R(T3) | R(T6), R(T1) | R(T2), R(T3) | R(T6)},
    [ROUTINE_operand] = {ES_IR_T0, R(T1) | R(T2), 0, R(T3)},
    [ROUTINE_snapshot] = {ES_IR_T0, R(T1) | R(T2), R(T1), R(T2) | R(T3) | R(T4) | R(T5) | R(T6)},
    [ROUTINE_snapshot_of_nothing] = {ES_IR_T0, R(T2), 0, R(T2) | R(T3)},
    [ROUTINE_parts] = {ES_IR_T0, R(T2) | R(T3), R(T1) | R(A2), ES_IR_FREE},
    [ROUTINE_parts_across] = {ES_IR_T0, R(T1) | R(T2) | R(T3) | R(A1), R(T1) | R(A2), ES_IR_FREE},
    [ROUTINE_parts_keep] = {ES_IR_T0, R(T1) | R(A2) | R(T5) | R(T6), 0, R(T6)},
    [ROUTINE_narrow] = {ES_IR_T0, 0, R(T1) | R(T2), ES_IR_FREE},
    [ROUTINE_lives] = {ES_IR_T0, R(T1), R(T1), R(T2) | R(T3) | R(T4) | R(T5) | R(T6)},
    [ROUTINE_settle] = {ES_IR_T0, R(A0), 0, ES_IR_FREE & ~R(A0)},
};

void es_routine_call_at(es_ir_code *code, enum image_routine routine, uint32_t address)
{
    const convention *of = &conventions[routine];
    es_ir_call(code, of->link, address, of->takes, of->gives, of->spoils);
}

/* Where it is. When it is one of the library's, the image has to have it: noted. */
static uint32_t address_of(es_ir_code *code, const firmware_routines *routines, enum image_routine routine)
{
    uint32_t addresses[sizeof *routines / sizeof(uint32_t)];
    memcpy(addresses, routines, sizeof addresses); /* in the order of ES_MI_ROUTINES */
    if (addresses[routine] >= ES_MI_LIBRARY_AT && addresses[routine] > code->library)
        code->library = addresses[routine];
    return addresses[routine];
}

void es_routine_call(es_ir_code *code, const firmware_routines *routines, enum image_routine routine)
{
    es_routine_call_at(code, routine, address_of(code, routines, routine));
}

void es_routine_compute(es_ir_code *code, const firmware_routines *routines, enum image_routine function, uint32_t what)
{
    es_ir_const(code, ES_IR_T3, what);
    es_ir_const(code, ES_IR_T6, address_of(code, routines, function));
    es_routine_call(code, routines, ROUTINE_compute);
}

void es_routine_run(es_ir_code *code, es_ir_reg rd, uint32_t address)
{
    es_ir_call(code, rd, address, R(A0) | R(RA), 0, rd == ES_IR_ZERO ? 0 : ES_IR_FREE);
}

void es_routine_run_label(es_ir_code *code, es_ir_reg rd, uint32_t label)
{
    if (rd == ES_IR_ZERO)
        es_ir_jump(code, label);
    else
        es_ir_link(code, rd, label, R(A0) | R(RA), 0, ES_IR_FREE);
}
