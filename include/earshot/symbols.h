/* A program file: its variables and types, procedures, calls, lines, the bytes to load. */
#ifndef EARSHOT_SYMBOLS_H
#define EARSHOT_SYMBOLS_H

#ifdef __cplusplus
extern "C" {
#endif

#include "symbols/symbols.h"

#ifdef __cplusplus
}
#endif

#endif
