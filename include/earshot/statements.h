/* Statements: text to a checked program, and that to the image which the probe runs. */
#ifndef EARSHOT_STATEMENTS_H
#define EARSHOT_STATEMENTS_H

#ifdef __cplusplus
extern "C" {
#endif

#include "image/image.h"
#include "lang/statement.h"

#ifdef __cplusplus
}
#endif

#endif
