#include "cli/commands/dump.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "check/boards.h"
#include "cli/cli.h"
#include "cli/commands/texts.h"
#include "image/image.h"
#include "ir/ir.h"
#include "replayed/replayed.h"
#include "symbols/shadows.h"

const char *es_dump_pass(const char *name, es_error *err)
{
    es_text_buffer names = {0};
    const char *pass = NULL;
    for (size_t i = 0; es_ir_pass(i) && !pass; i++) {
        if (!name || strcmp(name, es_ir_pass(i)) == 0)
            pass = es_ir_pass(i);
        es_text_format(&names, "%s%s", i ? ", " : "", es_ir_pass(i));
    }
    if (!pass)
        es_fail(err, ES_USAGE, "--dump-ir: there is no pass '%s'; there are %s", name, names.text);
    es_text_free(&names);
    return pass;
}

static bool dump(const es_session_options *options, const char *pass, es_error *err)
{
    es_program program;
    es_text_buffer out = {0};
    es_probe_limits limits = es_check_board_named("sim")->limits;
    limits.start_up = options->start_up;
    limits.running = options->attach;
    limits.times = options->times;
    limits.bus_hz = options->clock_hz;
    limits.lacks &= ~ES_LACKS_LEAVE;
    if (!options->allow_halt)
        limits.lacks |= ES_LACKS_LEAVE;
    es_symbols *symbols = es_symbols_open(options->program, err);
    if (symbols && options->side == ES_SIDE_REPLAY) { /* as for the simulated target */
        uint32_t base, size;
        es_replay_program replay;
        es_replay_reference(&replay, symbols);
        es_replayed_shadows(&replay, &base, &size);
        es_symbols_use_shadows(symbols, base, size);
        limits.window_size = 2 * base;
    }
    bool parsed = symbols && es_texts_parse(symbols, options->texts, options->text_count, &program, err);
    bool good = parsed && es_image_dump(symbols, &program, &limits, pass, &out, err);
    if (good)
        fputs(out.text, stdout);
    es_text_free(&out);
    if (parsed)
        es_program_free(&program);
    if (symbols)
        es_symbols_close(symbols);
    return good;
}

int es_dump_run(const es_session_options *options, const char *pass)
{
    es_error err = {0};
    return dump(options, pass, &err) ? ES_OK : es_cli_fail(&err);
}
