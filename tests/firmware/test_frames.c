/* The real firmware with real images, on the model of the probe. Frames whose place no path fixes: followed from caller
 * to callee, or learned. */
#include "harness.h"

#include <string.h>

#define LOCAL (-20) /* of any procedure here, from its CFA */
#define TOP TARGET_STACK_TOP
#define CFA_REC(n) (TOP - 32u * (uint32_t)(n)) /* of the n-th activation of rec right under main */

static es_symbols symbols;
static int sizes[TOTAL];
static struct fake_prologue prologues[TOTAL];

static void setup(void)
{
    harness_setup();
    symbols = target_symbols;
    memcpy(sizes, target_symbols.frame_sizes, sizeof sizes);
    memset(prologues, 0, sizeof prologues);
    symbols.frame_sizes = sizes;
    symbols.prologues = prologues;
}

static void start_here(void)
{
    es_error err;
    ck_assert_msg(es_image_build(&symbols, &program, &target_limits, &image, &err), "%s", err.text);
    model_start(m, &image);
    ck_assert_ptr_nonnull(model_next(m));
}

static es_reference local_of(int procedure, const es_path *path)
{
    es_reference local = tree_local(&tree_int, PROCEDURE(0) + procedure, LOCAL);
    local.path = path;
    return local;
}

/* `local > 0 { print local }` */
static void watch(int procedure, const es_path *path)
{
    es_reference local = local_of(procedure, path);
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(0)), &local, 1, 1);
}

static uint8_t plane(uint32_t cfa)
{
    return m->data_plane[(cfa + (uint32_t)LOCAL) / 4];
}

static void write_local(uint32_t cfa, uint32_t value)
{
    model_store(m, cfa + (uint32_t)LOCAL, value, 4);
}

/* A hit of a statement with one value, whatever stands before it. */
static void expect_value(unsigned statement, uint32_t value)
{
    const model_frame *frame = model_next(m);
    while (frame && (frame->words[0] & 0xFF) == ES_FRAME_PATH)
        frame = model_next(m);
    ck_assert_msg(frame, "no hit with %u", (unsigned)value);
    ck_assert_uint_eq(frame->words[0] & 0xFF, ES_FRAME_HIT);
    ck_assert_uint_eq(frame->words[3] & 0xFFFF, statement);
    ck_assert_uint_eq(frame->words[5], value);
}

static void recurse(int first, int last)
{
    for (int depth = first; depth <= last; depth++)
        target_call(m, depth == 1 ? MAIN_REC : REC_REC, REC);
}

static void come_back(int from, int to)
{
    for (int depth = from; depth > to; depth--)
        target_return(m, 0x590, depth == 1 ? MAIN_REC : REC_REC);
}

/* --- followed -------------------------------------------------------------------------------------------- */

START_TEST(innermost_activation)
{
    watch(REC, NULL);
    start_here();
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_REC, REC);
    printf("call of a procedure whose frame moves: %llu clocks\n", (unsigned long long)m->hit_clocks);
    ck_assert_uint_eq(plane(CFA_REC(1)), ES_PLANE_LOCK);
    write_local(CFA_REC(1), 1);
    printf("its local true, path and value sent: %llu clocks\n", (unsigned long long)m->hit_clocks);
    expect_value(0, 1);
    recurse(2, 3);
    ck_assert(!plane(CFA_REC(1)) && !plane(CFA_REC(2)) && plane(CFA_REC(3)));
    write_local(CFA_REC(1), 2); /* through a pointer: not what rec\local means now */
    write_local(CFA_REC(2), 3);
    expect_nothing();
    write_local(CFA_REC(3), 4);
    expect_value(0, 4);
    target_return(m, 0x590, REC_REC);
    printf("return of it: %llu clocks\n", (unsigned long long)m->hit_clocks);
    expect_nothing(); /* that the outer one is meant again is no event */
    write_local(CFA_REC(3), 5);
    expect_nothing();
    write_local(CFA_REC(2), 6);
    expect_value(0, 6);
    come_back(2, 0);
    write_local(CFA_REC(1), 7);
    expect_nothing();
    expect_summary(0, 0);
}
END_TEST

START_TEST(several_paths_at_once)
{
    const es_step outermost[] = {{.kind = ES_STEP_NAME, .procedure = PROCEDURE(MAIN)},
                                 {.kind = ES_STEP_NAME, .procedure = PROCEDURE(REC)}};
    const es_step second[] = {{.kind = ES_STEP_ANY}, {.kind = ES_STEP_NESTED, .procedure = PROCEDURE(REC), .nest = 2}};
    es_path main_rec = {.text = "main:rec", .steps = outermost, .count = 2};
    es_path rec_2 = {.text = "rec[2]", .steps = second, .count = 2};
    watch(REC, &main_rec);
    watch(REC, &rec_2);
    watch(REC, NULL);
    es_reference both[] = {local_of(REC, NULL), local_of(REC, &main_rec)};
    tree_statement(&program, tree_binary(ES_OP_LT, tree_ref(0), tree_ref(1)), both, 2, 2);
    start_here();
    target_call(m, SITE_MAIN, MAIN);
    recurse(1, 1);
    write_local(CFA_REC(1), 10); /* it is the innermost and main's */
    expect_value(0, 10);
    expect_value(2, 10);
    recurse(2, 2);
    write_local(CFA_REC(2), 3);
    expect_value(1, 3);
    expect_value(2, 3);
    expect_value(3, 3);
    recurse(3, 3);
    write_local(CFA_REC(2), 4);
    expect_value(1, 4);
    expect_nothing(); /* the innermost one's is not known */
    write_local(CFA_REC(3), 11);
    expect_value(2, 11);
    write_local(CFA_REC(1), 12);
    expect_value(0, 12);
    expect_value(3, 11);
    come_back(3, 1);
    write_local(CFA_REC(1), 13);
    expect_value(0, 13);
    expect_value(2, 13);
    write_local(CFA_REC(2), 9);
    expect_nothing();
    expect_summary(0, 0);
}
END_TEST

/* Deeper than the probe records, activations have no locals; back inside it is exact. */
START_TEST(recursion_without_end)
{
    const int deep[] = {64, 65, 100, 600, 5000};
    watch(REC, NULL);
    start_here();
    target_call(m, SITE_MAIN, MAIN);
    recurse(1, 63); /* with main, all that is recorded in full */
    write_local(CFA_REC(63), 63);
    expect_value(0, 63);
    uint32_t unknown = 0;
    for (size_t i = 0; i < sizeof deep / sizeof deep[0]; i++) {
        recurse(64, deep[i]);
        unknown += (uint32_t)deep[i] - 63;
        if (deep[i] + 1 > 64 + 256) /* and who returned is not known of those that were only counted */
            unknown += (uint32_t)deep[i] + 1 - 64 - 256;
        write_local(CFA_REC(63), 1);
        write_local(CFA_REC(64), 1);
        write_local(CFA_REC(deep[i]), 1);
        expect_nothing();
        come_back(deep[i], 63);
        write_local(CFA_REC(63), 64);
        expect_value(0, 64);
        write_local(CFA_REC(64), 1);
        expect_nothing();
    }
    for (int depth = 63; depth > 0; depth--) {
        write_local(CFA_REC(depth), (uint32_t)depth);
        expect_value(0, (uint32_t)depth);
        come_back(depth, depth - 1);
    }
    expect_nothing();
    expect_summary(unknown, 0);
}
END_TEST

/* `write(x) then local > 3 { print local }`: the local's condition asks for its activation at events in the middle of
 * other code. */
START_TEST(compound_events)
{
    const es_step steps[] = {{.kind = ES_STEP_ANY}, {.kind = ES_STEP_NAME, .procedure = PROCEDURE(REC)}};
    const es_path any = {.text = "*:rec", .steps = steps, .count = 2}, *exists[] = {&any};
    es_reference places[] = {tree_static(&tree_int, X), local_of(REC, NULL)};
    const es_trigger writes[] = {{.kind = ES_TRIGGER_WRITE, .index = 0}, {.kind = ES_TRIGGER_WRITE, .index = 1}};
    const es_condition conditions[] = {
        {.expr = tree_write(0), .triggers = &writes[0], .trigger_count = 1},
        {.expr = tree_binary(ES_OP_GT, tree_ref(1), tree_const(3)),
         .triggers = &writes[1],
         .trigger_count = 1,
         .exists = exists,
         .exists_count = 1},
    };
    es_event_tree parts[] = {{.kind = ES_EVENT_WHEN, .condition = &conditions[0], .depth = 1},
                             {.kind = ES_EVENT_WHEN, .condition = &conditions[1], .depth = 1}};
    es_event_tree then = {.kind = ES_EVENT_THEN, .first = &parts[0], .second = &parts[1], .depth = 2};
    es_statement *made = tree_statement(&program, NULL, places, 2, 1);
    made->event = &then;
    made->actions[0].items[0].index = 1;
    start_here();
    target_call(m, SITE_MAIN, MAIN);
    model_store(m, X, 1, 4);
    recurse(1, 2);
    write_local(CFA_REC(1), 5); /* not what rec\local means now */
    expect_nothing();
    write_local(CFA_REC(2), 6);
    expect_value(0, 6);
    come_back(2, 1);
    model_store(m, X, 2, 4);
    write_local(CFA_REC(1), 7);
    expect_value(0, 7);
    model_store(m, X, 3, 4);
    come_back(1, 0);
    write_local(CFA_REC(1), 8);
    expect_nothing();
    expect_summary(0, 0);
}
END_TEST

START_TEST(longjmp)
{
    watch(REC, NULL);
    start_here();
    target_call(m, SITE_MAIN, MAIN);
    recurse(1, 5);
    target_return(m, 0x290, MAIN_F); /* into main */
    write_local(CFA_REC(5), 1);
    write_local(CFA_REC(1), 1);
    expect_nothing();
    target_call(m, MAIN_REC, REC);
    target_call(m, REC_LAST, REC);
    target_call(m, REC_LAST, REC);
    ck_assert(plane(CFA_REC(3)));
    target_return(m, 0x590, REC_REC); /* into one of the three: nobody knows which. What is not sure is not told */
    ck_assert(!plane(CFA_REC(1)) && !plane(CFA_REC(2)) && !plane(CFA_REC(3)));
    target_return(m, 0x590, MAIN_REC);
    recurse(1, 1);
    write_local(CFA_REC(1), 2);
    expect_value(0, 2);
}
END_TEST

/* g calls h and jumps to it, with frames at different places. */
START_TEST(tail_call)
{
    sizes[G] = 16;
    watch(H, NULL);
    start_here();
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_G, G);
    target_call(m, G_H, H);
    write_local(TOP - 48, 1);
    expect_value(0, 1);
    target_return(m, 0x490, G_H);
    target_jump(m, G_TAIL_H, H);
    ck_assert_uint_eq(plane(TOP - 48), 0);
    write_local(TOP - 32, 2);
    expect_value(0, 2);
    target_return(m, 0x490, MAIN_G);
    ck_assert_uint_eq(plane(TOP - 32), 0);
    expect_nothing();
}
END_TEST

/* What is half-written when another activation begins is given up. */
START_TEST(parts_belong_to_an_activation)
{
    watch(REC, NULL);
    start_here();
    target_call(m, SITE_MAIN, MAIN);
    recurse(1, 1);
    model_write(m, CFA_REC(1) + (uint32_t)LOCAL, 1, 3);
    recurse(2, 2);
    model_write(m, CFA_REC(2) + (uint32_t)LOCAL, 1, 3);
    expect_nothing();
    model_write(m, CFA_REC(2) + (uint32_t)LOCAL, 0x20000, 12);
    expect_value(0, 0x20001);
    expect_summary(0, 1);
}
END_TEST

/* A word that no statement waits for, only that its bytes become known; then an interrupt, just after the return,
 * stacks its registers where the frame was. */
START_TEST(words_without_statements)
{
    es_reference both[] = {tree_static(&tree_int, X), tree_local(&tree_schar, PROCEDURE(REC), LOCAL + 1)};
    tree_statement(&program,
                   tree_binary(ES_OP_LOGAND, tree_write(0), tree_binary(ES_OP_GT, tree_ref(1), tree_const(5))), both, 2,
                   1);
    start_here();
    target_call(m, SITE_MAIN, MAIN);
    recurse(1, 2);
    model_store(m, CFA_REC(2) + (uint32_t)LOCAL + 1, 6, 1);
    model_store(m, X, 1, 4);
    expect_value(0, 1);
    write_local(CFA_REC(2), 0x12340700);
    model_store(m, X, 2, 4);
    expect_value(0, 2);
    come_back(2, 1);
    model_store(m, CFA_REC(1) + (uint32_t)LOCAL + 1, 6, 1);
    model_store(m, X, 3, 4);
    expect_value(0, 3);
    expect_summary(0, 0);
}
END_TEST

/* --- learned --------------------------------------------------------------------------------------------- */

static const es_store isr_stores[] = {{.site = 0x604, .kind = ES_STORE_FRAME, .size = 4, .cfa_offset = -4},
                                      {.site = 0x608, .kind = ES_STORE_FRAME, .size = 4, .cfa_offset = -8}};
static const es_store f_stores[] = {{.site = 0x204, .kind = ES_STORE_FRAME, .size = 4, .cfa_offset = -4},
                                    {.site = 0x208, .kind = ES_STORE_FRAME, .size = 4, .cfa_offset = -8},
                                    {.site = 0x210, .kind = ES_STORE_FRAME, .size = 4, .cfa_offset = LOCAL}};

/* addi sp; sw; sw; addi s0 */
static void isr_prologue(uint32_t cfa)
{
    model_fetch(m, 0x604, INSN_NOP);
    model_store(m, cfa - 4, 7, 4);
    model_fetch(m, 0x608, INSN_NOP);
    model_store(m, cfa - 8, 7, 4);
    model_fetch(m, 0x60C, INSN_NOP);
    model_fetch(m, 0x610, INSN_NOP);
}

START_TEST(interrupt_handler)
{
    prologues[ISR] = (struct fake_prologue){isr_stores, 2, 0x610};
    watch(ISR, NULL);
    start_here();
    target_call(m, SITE_MAIN, MAIN);
    for (uint32_t cfa = TOP - 64; cfa > TOP - 256; cfa -= 16) {
        target_interrupt(m);
        write_local(cfa, 1); /* not yet its own */
        expect_nothing();
        isr_prologue(cfa);
        printf("learning a frame: %llu clocks\n", (unsigned long long)m->hit_clocks);
        write_local(cfa, 2);
        expect_value(0, 2);
        target_interrupt(m); /* nested */
        isr_prologue(cfa - 64);
        write_local(cfa, 3);
        expect_nothing();
        write_local(cfa - 64, 4);
        expect_value(0, 4);
        target_mret(m, 0x614);
        write_local(cfa - 64, 5);
        expect_nothing();
        write_local(cfa, 6);
        expect_value(0, 6);
        target_mret(m, 0x110);
        write_local(cfa, 7);
        expect_nothing();
    }
    expect_summary(0, 0);
}
END_TEST

/* Places that no frame can have, and losses: unknown, and said so. */
START_TEST(doubtful_evidence)
{
    prologues[ISR] = (struct fake_prologue){isr_stores, 2, 0x610};
    watch(ISR, NULL);
    start_here();
    target_call(m, SITE_MAIN, MAIN);
    const uint32_t wrong[] = {TOP - 64 + 4, 0x60000, 0x8000000, 0};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        target_interrupt(m);
        isr_prologue(wrong[i]);
        write_local(wrong[i], 1);
        target_mret(m, 0x110);
    }
    target_interrupt(m);
    for (uint32_t at = 0x604; at <= 0x610; at += 4) {
        model_fetch(m, at, INSN_NOP);
        m->last_write = ES_HIT_NO_WRITE; /* as after a loss */
    }
    target_mret(m, 0x110);
    expect_nothing();
    expect_summary(5, 0);
}
END_TEST

/* f is called from a frame of unknown size. Its code, as the fetches and stores that the bus shows; an interrupt comes
 * after the at-th. late: the core fetches an instruction before the store of the one before it, and throws it away when
 * an interrupt comes. */

static void interrupt_there(uint32_t back, uint32_t handler_write)
{
    target_interrupt(m);
    model_fetch(m, 0x604, INSN_NOP);
    if (handler_write)
        model_store(m, handler_write, 9, 4);
    target_mret(m, back);
}

static void run_f(uint32_t cfa, unsigned at, bool late, uint32_t handler_write)
{
    static const int stores[] = {0, -4, -8, 0, LOCAL, 0}; /* by instruction from 0x200 on; 0: none */
    model_fetch(m, MAIN_F, insn_jal(MAIN_F, 0x200, 1));
    model_fetch(m, 0x200, INSN_NOP);
    for (unsigned i = 0; i < 6; i++) {
        uint32_t next = 0x204 + 4 * i;
        if (late)
            model_fetch(m, next, INSN_NOP);
        if (stores[i])
            model_store(m, cfa + (uint32_t)stores[i], i == 4 ? 77 : 5, 4);
        if (i == at)
            interrupt_there(next, handler_write);
        else if (!late)
            model_fetch(m, next, INSN_NOP);
    }
}

START_TEST(interrupts_while_learning)
{
    prologues[F] = (struct fake_prologue){f_stores, 3, 0x214};
    sizes[MAIN] = -1;
    watch(F, NULL);
    start_here();
    target_call(m, SITE_MAIN, MAIN);
    for (int late = 0; late < 2; late++) {
        for (unsigned at = 0; at <= 6; at++) { /* 6: none comes */
            for (uint32_t distance = 0; distance <= 48; distance += 4) {
                uint32_t cfa = TOP - 256 - 16 * at;
                /* the handler's frame lies below the stack pointer, which f's first instruction has moved by 48 */
                run_f(cfa, at, late, distance ? cfa - 48 - distance : 0);
                expect_value(0, 77);
                expect_nothing();
                ck_assert(plane(cfa));
                target_return(m, 0x290, MAIN_F);
                ck_assert(!plane(cfa));
            }
        }
    }
    expect_summary(0, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("frames");
    TCase *tests = tcase_create("frames");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, setup, harness_teardown);
    tcase_add_test(tests, innermost_activation);
    tcase_add_test(tests, several_paths_at_once);
    tcase_add_test(tests, recursion_without_end);
    tcase_add_test(tests, compound_events);
    tcase_add_test(tests, longjmp);
    tcase_add_test(tests, tail_call);
    tcase_add_test(tests, parts_belong_to_an_activation);
    tcase_add_test(tests, words_without_statements);
    tcase_add_test(tests, interrupt_handler);
    tcase_add_test(tests, doubtful_evidence);
    tcase_add_test(tests, interrupts_while_learning);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
