/* Errors: a code, and a message that says what happened, where, and what to do. Whatever can fail takes an es_error to
 * fill. */
#ifndef EARSHOT_ERROR_H
#define EARSHOT_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

#include "base/error.h"

#ifdef __cplusplus
}
#endif

#endif
