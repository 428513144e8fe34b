/* The simulated probe at a virtual FT2232H. */
#include "sim.h"
#include "vusb/vusb.h"

#define STEP_CLOCKS 2000 /* bus clocks; short, so that USB transfers are served between */

static size_t sim_port_read(void *context, uint8_t *bytes, size_t size)
{
    return es_sim_read(context, bytes, size);
}

static size_t sim_port_write(void *context, const uint8_t *bytes, size_t size)
{
    return es_sim_write(context, bytes, size);
}

static bool sim_port_step(void *context, bool flows)
{
    uint64_t before = es_sim_cycles(context);
    if (!flows)
        return false;
    if (es_sim_step(context, STEP_CLOCKS, 512) == ES_SIM_RUNNING && es_sim_cycles(context) != before)
        return true;
    return !es_sim_idle(context);
}

es_vusb *es_vusb_start(struct es_sim *sim, const char *serial, es_error *err)
{
    static const es_vusb_port port = {.read = sim_port_read, .write = sim_port_write, .step = sim_port_step};
    return es_vusb_start_port(&port, sim, serial, err);
}
