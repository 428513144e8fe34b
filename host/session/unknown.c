#include "session/unknown.h"

#include "symbols/shadows.h"

/* A cell that holds one byte all over, as those do that are unknown as a whole; 0: it does not. */
static unsigned repeated(const es_reference *reference, uint64_t bits)
{
    uint64_t mask = reference->size >= 8 ? UINT64_MAX : (UINT64_C(1) << 8 * reference->size) - 1;
    uint64_t byte = bits & 0xFF;
    if (reference->bit_size || (bits & mask) != (byte * UINT64_C(0x0101010101010101) & mask))
        return 0;
    return (unsigned)byte;
}

static const char *why_of_shadow(const es_reference *reference, uint64_t bits)
{
    const es_shadow *shadow = reference->variable->shadow;
    enum es_shadow_why why = (enum es_shadow_why)repeated(reference, bits);
    if (shadow->kind == ES_SHADOW_RESULT && why == ES_SHADOW_OPTIMISED_OUT)
        return "no caller takes the result of the copy that has returned, and the compiler may have left it out";
    if (why == ES_SHADOW_INLINED)
        return "what an inlined copy returns is in no place that the debug information names";
    if (shadow->kind == ES_SHADOW_RESULT)
        return "it has not returned yet, or has ended with a jump to another procedure";
    if (shadow->kind == ES_SHADOW_STACK)
        return "where the stack begins is not known";
    if (why == ES_SHADOW_OPTIMISED_OUT)
        return "optimised out here";
    if (why == ES_SHADOW_UNSET || shadow->kind == ES_SHADOW_REGISTER)
        return "in a register or memory that nothing has set since the reset";
    if (why == ES_SHADOW_EARLY)
        return "its procedure has not set its register yet";
    if (why == ES_SHADOW_IN_PARTS)
        return "one of its two words was set, the other one not yet, or it was overwritten";
    if (why == ES_SHADOW_INACTIVE)
        return "its procedure is not active";
    return "optimised out here, or not set since the reset";
}

const char *es_unknown_why(const es_statement *statement, const es_print_item *item, uint64_t bits)
{
    if (item->kind == ES_ITEM_AGE)
        return "not written yet";
    const es_reference *reference = &statement->references[item->index];
    if (item->old)
        return "what it was before is not known";
    if (reference->variable && reference->variable->shadow)
        return why_of_shadow(reference, bits);
    if (reference->frame)
        return "not written yet in this activation";
    return "not seen on the bus yet";
}
