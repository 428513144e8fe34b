#include "check/target/analysis.h"

#include "check/target/loops.h"

es_check_program es_check_analysis_program(es_check_analysis *a, const es_symbols *symbols,
                                           const es_check_timing *timing, bool tasks)
{
    if (!a->built && tasks)
        es_check_program_build_tasks(&a->program, a->arena, symbols, timing);
    else if (!a->built)
        es_check_program_build(&a->program, a->arena, symbols, timing);
    a->built = true;
    return a->program;
}

es_check_aims es_check_analysis_aims(es_check_analysis *a)
{
    if (!a->aimed)
        es_check_aims_find(&a->aims, a->arena, &a->program);
    a->aimed = true;
    return a->aims;
}

es_check_program es_check_analysis_loops(es_check_analysis *a, bool trust)
{
    if (!a->counted) {
        a->looped = a->program;
        es_check_loops_find(&a->looped, &a->aims, trust);
    }
    a->counted = true;
    return a->looped;
}
