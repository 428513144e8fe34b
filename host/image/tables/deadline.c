#include "image/tables/deadline.h"

#include <string.h>

#include "image/image.h"
#include "image/plan/plan.h"

void es_deadline_tell(const image_plan *plan, es_image *image)
{
    if (!plan->deadline_count)
        return;
    image->deadlines = es_malloc(plan->deadline_count * sizeof *image->deadlines);
    for (size_t i = 0; i < plan->deadline_count; i++)
        image->deadlines[image->deadline_count++] = (uint16_t)plan->deadlines[i].check_at;
}
