/* Whether a probe keeps up with a program and its statements, proven before anything runs. */
#ifndef EARSHOT_CHECK_H
#define EARSHOT_CHECK_H

#ifdef __cplusplus
extern "C" {
#endif

#include "check/boards.h"
#include "check/check.h"

#ifdef __cplusplus
}
#endif

#endif
