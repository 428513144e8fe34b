/* What is known of the target's program alone, whatever the statements: its code as a graph, where its stores may go,
 * and how often its loops go round. Finding that takes most of a check's time, so checks of one program share it. */
#ifndef ES_CHECK_ANALYSIS_H
#define ES_CHECK_ANALYSIS_H

#include "check/target/aims.h"
#include "check/target/program.h"

/* Begins as {.arena = ...}, to which all belongs; all that asks passes the same arguments. */
typedef struct es_check_analysis {
    es_arena *arena;
    bool built, aimed, counted;
    es_check_program program; /* without loops */
    es_check_program looped;  /* with them */
    es_check_aims aims;
} es_check_analysis;

/* The program's graph, of a program with tasks or of one without; its `flaw` says whether the code can be followed. */
es_check_program es_check_analysis_program(es_check_analysis *a, const es_symbols *symbols,
                                           const es_check_timing *timing, bool tasks);
/* Where its loads and stores go. Only after the graph, and of one without a flaw. */
es_check_aims es_check_analysis_aims(es_check_analysis *a);
/* The graph with its loops, as es_check_loops_find finds them. Only after the aims. */
es_check_program es_check_analysis_loops(es_check_analysis *a, bool trust);

#endif
