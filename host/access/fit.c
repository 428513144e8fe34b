#include "access/fit.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "isa/arch.h"
#include "probe_defs.h"
#include "symbols/code.h"

static bool is(const char *name, size_t length, const char *extension)
{
    return strlen(extension) == length && strncmp(extension, name, length) == 0;
}

#define HINT "zihint" /* "zihintpause": hints, which are nothing to a processor that does not know them */

/* Whether the target has the extension, by its name or as a part of another. */
static bool has(const char *name, size_t length)
{
    static const struct {
        const char *part, *whole;
    } parts[] = {{"e", "i"}, {"zmmul", "m"}, {"zaamo", "a"}, {"zalrsc", "a"}, {"zca", "c"}};
    if (length > strlen(HINT) && strncmp(name, HINT, strlen(HINT)) == 0)
        return true;
    const char *at = es_arch_extensions(es_sim_isa()), *own;
    for (size_t own_length; (own_length = es_arch_next(&at, &own)) > 0;) {
        if (own_length == length && strncmp(own, name, length) == 0)
            return true;
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
            if (is(name, length, parts[i].part) && is(own, own_length, parts[i].whole))
                return true;
    }
    return false;
}

/* An error, and how to compile what the simulated target runs. */
__attribute__((format(printf, 2, 3))) static bool refuse(es_error *err, const char *format, ...)
{
    char what[sizeof err->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    const char *isa = es_sim_isa();
    return es_fail(err, ES_USAGE,
                   "%s; compile and link it with scripts/target-cc %s-march=%s, or with that, -mabi=%s and "
                   "examples/target/link.ld",
                   what, es_sim_big_endian() ? "-mbig-endian " : "", isa,
                   *es_arch_extensions(isa) == 'e' ? "ilp32e" : "ilp32");
}

bool es_fit_instructions(const es_symbols *symbols, const char *path, es_error *err)
{
    const char *arch = es_symbols_arch(symbols), *name;
    char lacking[64] = "";
    size_t used = 0, length;
    for (const char *at = es_arch_extensions(arch); at && (length = es_arch_next(&at, &name)) > 0;)
        if (!has(name, length) && used + length + 3 < sizeof lacking)
            used +=
                (size_t)snprintf(lacking + used, sizeof lacking - used, "%s%.*s", used ? ", " : "", (int)length, name);
    if (!used && es_symbols_compressed(symbols) && !has("c", 1))
        used = (size_t)snprintf(lacking, sizeof lacking, "c");
    if (!used && es_symbols_big_endian(symbols) && !es_sim_big_endian())
        return es_fail(err, ES_USAGE,
                       "%s: is a big-endian program, and the simulated target's data are little endian: compile it "
                       "without -mbig-endian, or build a target for it (docs/target.md, \"Programs\")",
                       path);
    if (!used && !es_symbols_big_endian(symbols) && es_sim_big_endian())
        return refuse(err, "%s: is a little-endian program, and the simulated target's data are big endian", path);
    if (!used)
        return true;
    return refuse(err, "%s: was compiled for %s, and the simulated target is an %s processor, without %s", path,
                  arch ? arch : "compressed instructions", es_sim_isa(), lacking);
}

static es_insn insn_at(const es_symbols *symbols, uint32_t address)
{
    const es_isa *isa = es_symbols_isa(symbols);
    const es_segment *segments;
    size_t count = es_symbols_segments(symbols, &segments);
    for (size_t i = 0; i < count; i++) {
        uint32_t offset = address - segments[i].address;
        if (address >= segments[i].address && offset < segments[i].size && segments[i].size - offset >= isa->smallest)
            return isa->decode(segments[i].bytes + offset, segments[i].size - offset);
    }
    return (es_insn){.kind = ES_INSN_ILLEGAL};
}

static bool check_start(const es_symbols *symbols, const char *path, es_error *err)
{
    if (insn_at(symbols, ES_TARGET_ROM_BASE).kind != ES_INSN_ILLEGAL)
        return true;
    return refuse(err,
                  "%s: has no instruction at 0x%08x, where the simulated target starts (the program's own entry point "
                  "is 0x%08x)",
                  path, ES_TARGET_ROM_BASE, (unsigned)es_symbols_entry(symbols));
}

bool es_fit_load(es_sim *sim, const es_symbols *symbols, const char *path, es_error *err)
{
    if (!es_fit_instructions(symbols, path, err))
        return false;
    const es_segment *segments;
    size_t count = es_symbols_segments(symbols, &segments);
    for (size_t i = 0; i < count; i++)
        if (!es_sim_load(sim, segments[i].address, segments[i].bytes, segments[i].size))
            return refuse(err,
                          "%s: does not fit the simulated target: it loads %u bytes at 0x%08x, and the target has "
                          "memory at 0x%08x to 0x%08x and 0x%08x to 0x%08x",
                          path, (unsigned)segments[i].size, (unsigned)segments[i].address, ES_TARGET_ROM_BASE,
                          ES_TARGET_ROM_BASE + ES_TARGET_ROM_SIZE - 1, ES_TARGET_RAM_BASE,
                          ES_TARGET_RAM_BASE + ES_TARGET_RAM_SIZE - 1);
    return check_start(symbols, path, err);
}

bool es_fit_cores(const es_symbols *symbols, const char *path, unsigned cores, es_error *err)
{
    if (cores > 1 && es_symbols_big_endian(symbols))
        return es_fail(err, ES_USAGE,
                       "%s: is a big-endian program, and simulated targets of several cores are little "
                       "endian: run it with cores=1, or compile it without -mbig-endian",
                       path);
    return cores <= 1 || insn_at(symbols, ES_TARGET_OTHERS_BASE).kind != ES_INSN_ILLEGAL ||
           es_fail(err, ES_USAGE,
                   "%s: has no instruction at 0x%08x, where all cores but core 0 begin: link it with a thread library "
                   "(docs/threads.md), or run it with cores=1",
                   path, ES_TARGET_OTHERS_BASE);
}
