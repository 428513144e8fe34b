/* All passes, in their order. */
#include "ir/ir.h"

void (*es_ir_check)(const es_ir_code *code, const char *pass);

void es_ir_finish(es_ir_code *code)
{
    static const struct {
        const char *name;
        void (*run)(es_ir_code *code);
    } passes[] = {{"renumber", es_ir_renumber},
                  {"legalize", es_ir_legalize},
                  {"allocate", es_ir_allocate},
                  {"layout", es_ir_layout},
                  {"emit", es_ir_emit}};
    if (es_ir_check)
        es_ir_check(code, "build");
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        passes[i].run(code);
        if (es_ir_check)
            es_ir_check(code, passes[i].name);
    }
}
