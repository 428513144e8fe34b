/* The refusal of a construct that the probe at hand does not have. */
#include "lang/lexer.h"

static const char *text_of(const es_program *program, const char *file)
{
    for (size_t i = 0; i < program->text_count; i++)
        if (program->texts[i].file == file)
            return program->texts[i].text;
    return "";
}

bool es_program_refuse(const es_program *program, enum es_feature feature, const char *message, const char *hint,
                       es_error *err)
{
    for (size_t s = 0; s < program->statement_count; s++) {
        const es_statement *statement = &program->statements[s];
        for (size_t i = 0; i < statement->use_count; i++) {
            const es_feature_use *use = &statement->uses[i];
            if (use->feature == feature)
                return es_lang_fail(err, text_of(program, use->source.file), use->source, use->length, hint, "%s",
                                    message);
        }
    }
    return true;
}
