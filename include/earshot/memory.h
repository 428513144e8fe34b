/* Who owns what: arenas, which are freed all at once, and texts that grow. Memory that runs out ends the
 * process with a message. */
#ifndef EARSHOT_MEMORY_H
#define EARSHOT_MEMORY_H

#ifdef __cplusplus
extern "C" {
#endif

#include "base/arena.h"
#include "base/text.h"

#ifdef __cplusplus
}
#endif

#endif
