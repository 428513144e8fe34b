/* What a probe sends: bytes to frames to events, with 64-bit times, whole paths, and losses told. */
#ifndef EARSHOT_STREAM_H
#define EARSHOT_STREAM_H

#ifdef __cplusplus
extern "C" {
#endif

#include "stream/event.h"
#include "stream/frame.h"

#ifdef __cplusplus
}
#endif

#endif
