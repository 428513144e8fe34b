/* All passes, in their order. */
#include "ir/ir.h"

static const struct {
    const char *name;
    void (*run)(es_ir_code *code);
} passes[] = {{"renumber", es_ir_renumber},
              {"legalize", es_ir_legalize},
              {"allocate", es_ir_allocate},
              {"layout", es_ir_layout},
              {"emit", es_ir_emit}};

enum { PASSES = sizeof passes / sizeof *passes };

void (*es_ir_check)(const es_ir_code *code, const char *pass);

static void show(const es_ir_code *code, const char *pass)
{
    if (es_ir_check)
        es_ir_check(code, pass);
    if (code->see)
        code->see(code->see_context, code, pass);
}

void es_ir_finish(es_ir_code *code)
{
    show(code, es_ir_pass(0));
    for (size_t i = 0; i < PASSES; i++) {
        passes[i].run(code);
        show(code, passes[i].name);
    }
}

const char *es_ir_pass(size_t number)
{
    if (number == 0)
        return "build";
    return number <= PASSES ? passes[number - 1].name : NULL;
}
