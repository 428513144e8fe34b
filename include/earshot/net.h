/* Timed Petri nets: made, read and written, simulated, analysed; and the times that a program had without its marks. */
#ifndef EARSHOT_NET_H
#define EARSHOT_NET_H

#ifdef __cplusplus
extern "C" {
#endif

#include "net/analysis/analysis.h"
#include "net/analysis/conditions.h"
#include "net/formats/format.h"
#include "net/formats/show.h"
#include "net/formats/trace.h"
#include "net/model/engine.h"
#include "net/model/net.h"
#include "net/recovery/recovery.h"

#ifdef __cplusplus
}
#endif

#endif
