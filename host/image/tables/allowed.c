/* What a probe cannot do, or may not. */
#include "image/tables/allowed.h"

#include "image/image.h"
#include "image/planner/proven.h"

bool es_allowed_program(const es_symbols *symbols, const es_program *program, const es_probe_limits *limits,
                        es_error *err)
{
    static const char pins[] = "only a bitstream with OUTPUTS=1 drives pins (docs/rtl.md); `stop` ends the monitoring";
    if (limits->lacks & ES_LACKS_READS &&
        !es_program_refuse(program, ES_FEATURE_READ,
                           "read() needs hits on data reads, and this probe's bitstream has none",
                           "write(x) is possible; a bitstream with READ_HITS=1 has them (docs/rtl.md)", err))
        return false;
    if (limits->lacks & ES_LACKS_OUTPUTS &&
        (!es_program_refuse(program, ES_FEATURE_TRIGGER, "`trigger` needs pins, and this probe's bitstream drives none",
                            pins, err) ||
         !es_program_refuse(program, ES_FEATURE_HALT, "`halt` needs a pin, and this probe's bitstream drives none",
                            pins, err)))
        return false;
    if (!es_proven_program(program, es_image_blindness(limits, symbols), err))
        return false;
    if (limits->lacks & ES_LACKS_LEAVE && !es_program_refuse(program, ES_FEATURE_HALT, "`halt` stops the target",
                                                             "say that it may: earshot watch --allow-halt", err))
        return false;
    if (limits->times && limits->lacks & ES_LACKS_TIME)
        return es_fail(
            err, ES_USAGE,
            "the times of hits need the tap's time in the soft core, and this probe's bitstream does not have it: "
            "leave out --times, or use a bitstream with TIME_NOW=1 (docs/rtl.md)");
    return true;
}
