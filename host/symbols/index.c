/* Where a procedure stands in the list of all. */
#include "symbols/symbols.h"

size_t es_procedure_index(const es_procedure *const *procedures, size_t count, const es_procedure *procedure)
{
    size_t low = 0, high = count;
    while (procedure && low < high) {
        size_t middle = low + (high - low) / 2;
        if (procedures[middle]->low < procedure->low)
            low = middle + 1;
        else
            high = middle;
    }
    return procedure && low < count && procedures[low] == procedure ? low : count;
}
