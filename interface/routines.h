/* Routines of the firmware that code and tables of the monitor image jump to, and places in tables that assembly refers
 * to. Included by C and by assembly, so there are only macros.
 *
 * ES_MI_ROUTINES(R) is the one list. The firmware holds their addresses, a word each in this order, at ES_MI_ROUTINES_AT;
 * the host reads them from the firmware that it loads (host/image/firmware.h). firmware/dispatch.S says what each
 * expects and keeps.
 *
 * Those from `multiply` to `operand` belong to the library (firmware/library), which stands in the image: at
 * ES_MI_LIBRARY_AT, as far as the image's code needs it, in steps. */
#ifndef ES_INTERFACE_ROUTINES_H
#define ES_INTERFACE_ROUTINES_H

#define ES_MI_ROUTINES_AT 4

#define ES_MI_HEADER_SIZE 144 /* of es_mi_header, as the linker needs it */
#define ES_MI_LIBRARY_AT (ES_IMAGE_BASE + ES_MI_HEADER_SIZE)

#define ES_MI_ROUTINES(R) \
    R(pop)               /* removes the hit: where everything ends that a cell leads to */ \
    R(called)            /* a0: es_mi_procedure: it was called; nothing to be done but to note it */ \
    R(called_outside)    /* the same in an image with nodes, of a procedure that has no column */ \
    R(called_in_tree)    /* the same of a procedure with a column, without frame */ \
    R(called_to_do)      /* the same of any procedure: frame, enter and leave lists are looked at */ \
    R(called_framed)     /* the same of one with ES_MI_SIZE_FRAMES */ \
    R(called_by_site)    /* the same of one whose column depends on the call site */ \
    R(returned)          /* a0: es_mi_procedure - 4: a return into it, in an image without nodes */ \
    R(returned_in_tree)  /* the same in an image with nodes */ \
    R(returned_and_told) /* the same, and where something is to be done at the return, header.tells_at's code is run */ \
    R(special)           /* a0: es_mi_fetch: a code word that is several things at once */ \
    R(ready)             /* t1: what REG_EV_HIT takes: sends what has to go before the frame */ \
    R(head)              /* t1: what REG_EV_HIT takes: the head of a HIT frame at a control event */ \
    R(unknown)           /* an evaluation has met unknown memory */ \
    R(part)              /* some lanes of a word were written of which all make it known */ \
    R(abandon)           /* pending bytes of a new activation that are not 0 */ \
    R(switch_now)        /* a switch record: is it the other way than at the start, as of this event */ \
    R(switch_set)        /* sets it from the next event on */ \
    R(stop)              /* monitoring ends */ \
    R(expected) /* t1: es_mi_expected: a hit of it at the time t3, t4 (high); t5: HITF_* that make it uncertain */ \
    R(gather) /* while `gathering` is not 0: a1: routine of header.order_at; it will be run with the event bits a0 */ \
    R(frame_changed) /* in an image with slots: the words from a1 + a2 to below a1 + a3 have just been armed or disarmed; a4: */ \
                     /* bit by es_mi_pointer: it is one of that frame, which has just been entered or left */ \
    R(pointer_written) /* a0: bit by es_mi_pointer: its variable was written */ \
    R(task_written)    /* the current-task pointer was written, with what is in a0 */ \
    R(multiply)        /* t1 * t2 to t1 */ \
    R(divide)          /* t1 / t2, unsigned: quotient to t1, remainder to t2 */ \
    R(divide_signed)   /* the same, signed */ \
    R(compute)         /* t6: one of these functions, of t1, t2, t3: */ \
    R(number_of_integer) \
    R(double_of_float) \
    R(float_of_double) \
    R(integer_of_double) \
    R(number_arithmetic) \
    R(wide_arithmetic) \
    R(operand)             /* t1, t2: the right operand of number_arithmetic or wide_arithmetic, before it */ \
    R(snapshot)            /* sends t2 words (1 to 32) from phantom address t1 on, and which of them are not known */ \
    R(snapshot_of_nothing) /* the same of t2 words that are not known */

/* After them, in this order: places in the firmware's memory, for those who reason about it (host/check). */
#define ES_MI_PLACES(P) \
    P(shadow_stack, stack_and_end + 8)   /* its first entry, of struct activation */ \
    P(stack_pointer, __stack_top)        /* sp while nothing runs */ \
    P(global_pointer, __global_pointer$) /* gp */ \
    P(gathering, gathering)   /* not 0: routines of statements are not run but noted (with slots). Below 2 KiB, as: */ \
    P(control_pc, control_pc) /* position of a control event; 0: the event is a write or a read. Below 2 KiB, too */ \
    P(going_on, going_on)     /* where words' code keeps ra (with slots) */ \
    P(slot_move, slot_move)   /* C functions that change no register of the monitor's state, only the slots */ \
    P(pointers_update, pointers_update) \
    P(copy_marks, copy_marks) \
    P(slot_met, slot_met)                 /* a0: es_mi_slot over the word that was written */ \
    P(given_back, given_back)             /* bits of pointers to what the allocator takes back with this write */ \
    P(task_depth, task_depth)             /* its first instruction loads es_mi_flow.depth: 0 to es_mi_tasks.places */ \
    P(task_stops, task_stops)             /* as slot_move; also tasks' records */ \
    P(task_switch, task_switch)           /* the target goes on with another task */ \
    P(task_started, task_started)         /* a procedure is the first one of a task */ \
    P(return_unawaited, return_unawaited) /* a return that the innermost activation does not wait for */ \
    P(hushed_loop, hushed_loop) /* where events are waited for while start-up code runs, whose writes are none */ \
    P(hushed, hushed)           /* a word: 0 or 1, plus header.tells_at in the upper half */ \
    P(start_mode, start_mode)   /* ES_MI_START_*: written by the host before the soft core starts */ \
    P(calm, es)                 /* ES_MI_CALM_WORDS words that are 0 while nothing was lost and the path is known */ \
    ES_MI_LIBRARY_STEPS(P)
/* Where an image's library may end. What stands before needs nothing after. */
#define ES_MI_LIBRARY_STEPS(P) \
    P(integers_end, integers_end) \
    P(wide_end, wide_end) \
    P(convert_end, convert_end) \
    P(floats_end, floats_end) \
    P(doubles_end, doubles_end)
#define ES_MI_CALM_WORDS 6
#define ES_MI_FLUSH_FIGURES 14 /* of the closing figures, in a frame: hits that come meanwhile wait so long */

/* The target starts with the monitor; has to be reset first; runs already. */
#define ES_MI_START_WITH 0
#define ES_MI_START_AT_RESET 1
#define ES_MI_START_RUNNING 2
#define ES_MI_RESUME_AT \
    40 /* bytes after `calm`: address and word of what counts as fetched before the mret that was fetched last */
#define ES_MI_ACTIVATION_SIZE 8 /* bytes of an entry; its first word is the call site with the bit below */
#define ES_MI_ACTIVATION_PROCEDURE 4 /* half: es_mi_procedure, with this bit where no return is waited for */
#define ES_MI_AWAITS_NONE 1

/* es_mi_procedure, es_mi_node, es_mi_frame: offsets */
#define ES_MI_PROCEDURE_COLUMN 4
#define ES_MI_PROCEDURE_ENTER 6
#define ES_MI_PROCEDURE_LEAVE 8
#define ES_MI_PROCEDURE_FRAME 10
#define ES_MI_NODE_CFA 0
#define ES_MI_NODE_ROW 4
#define ES_MI_NODE_OTHER 6
#define ES_MI_NODE_TELLS 8
#define ES_MI_MOVE_FROM 0
#define ES_MI_MOVE_TO 2
#define ES_MI_FLOW_DEPTH 8
#define ES_MI_SITE_SIZE 8 /* es_mi_site */
#define ES_MI_SITE_COLUMN 4

/* es_mi_procedure.column of a procedure whose column depends on the call site: its es_mi_site list plus this. */
#define ES_MI_COLUMN_BY_SITE 1

/* Bit 0 of a site on the shadow stack: its return is no plain one. There is something to do, or none is waited for */
#define ES_SITE_TO_DO 1

#endif
