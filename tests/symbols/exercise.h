#ifndef TESTS_SYMBOLS_EXERCISE_H
#define TESTS_SYMBOLS_EXERCISE_H

#include "symbols/symbols.h"

/* Asks every question there is and reads every byte of the answers. What it returns is of no interest. */
size_t exercise(const es_symbols *symbols);

#endif
