// The probe of the multi-core target: es_world_marks, clocked from outside.
#ifndef ES_SIM_MARKS_PROBE_HPP
#define ES_SIM_MARKS_PROBE_HPP

#include <cstddef>
#include <cstdint>
#include <memory>

// What a core's es_tap_mark hands on in one clock.
struct mark_record {
    bool valid;
    uint8_t kind, lanes;
    uint32_t addr, data;
};

class marks_probe
{
  public:
    // ratio: probe clocks per bus clock; 0: elastic, as many as there is work for, so that nothing is lost.
    static std::unique_ptr<marks_probe> make(unsigned ratio);
    virtual ~marks_probe() = default;

    // One bus clock: records of up to eight taps. The first one ends clock 0.
    virtual void tap_clock(const mark_record *records, unsigned count) = 0;
    // The target has ended: gives the taps' side the clocks that it needs to hand on what it holds.
    virtual void tap_end() = 0;
    // Probe clocks without the target: until the probe has nothing left to do, or `clocks` are over.
    virtual void run(uint64_t clocks) = 0;
    virtual bool idle() const = 0;
    virtual size_t read(uint8_t *bytes, size_t size) = 0;
    virtual size_t write(const uint8_t *bytes, size_t size) = 0;
};

#endif
