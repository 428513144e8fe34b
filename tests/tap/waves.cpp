// The timing diagrams of docs/taps.md, drawn from a simulation: prints each, and holds the page to them.
// Without arguments it compares; with --print it only prints.
#include "Vwaves.h"
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

// A row of a diagram: what is put in (one character a clock: _ low, - high, a letter for data), and where.
struct Input {
    const char *name, *clocks;
    std::function<void(Vwaves &, char)> put;
};
// what the tap tells in a clock: valid and kind, data
using Told = std::function<std::pair<unsigned, unsigned>(Vwaves &)>;

static const char *const kinds[] = {"read", "write", "fetch", "miss"};

static std::string row(const std::string &name, const std::string &cells)
{
    std::string line = name + std::string(12 - name.size(), ' ') + cells;
    return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

static std::string draw(const std::vector<Input> &inputs, const std::vector<std::pair<const char *, Told>> &outputs)
{
    Vwaves d;
    d.rst = 1, d.hready = 1, d.rlast = 1;
    d.clk = 0, d.eval(), d.clk = 1, d.eval();
    d.rst = 0;
    std::vector<std::string> told(outputs.size());
    std::string clocks;
    for (size_t clock = 0; clock < strlen(inputs[0].clocks); clock++) {
        for (const Input &input : inputs)
            input.put(d, input.clocks[clock]);
        d.clk = 0, d.eval();
        char cell[16];
        snprintf(cell, sizeof cell, "%-8zu", clock);
        clocks += cell;
        for (size_t i = 0; i < outputs.size(); i++) {
            auto [what, data] = outputs[i].second(d);
            snprintf(cell, sizeof cell, "%-8s",
                     what & 1 ? (std::string(kinds[what >> 1]) + " " + static_cast<char>(data)).c_str() : "");
            told[i] += cell;
        }
        d.clk = 1, d.eval();
    }
    std::string text = row("clock", clocks);
    for (const Input &input : inputs) {
        std::string cells;
        for (const char *c = input.clocks; *c; c++)
            cells += *c == '_' ? "________" : *c == '-' ? "########" : std::string(1, *c) + "       ";
        text += row(input.name, cells);
    }
    for (size_t i = 0; i < outputs.size(); i++)
        text += row(outputs[i].first, told[i]);
    return text;
}

#define BIT(signal) [](Vwaves &d, char c) { d.signal = c == '-'; }
#define BYTE(signal) [](Vwaves &d, char c) { d.signal = static_cast<unsigned char>(c); }
#define TELLS(tap) [](Vwaves &d) { return std::make_pair(unsigned(d.tap), unsigned(d.tap##_data)); }

int main(int argc, char **argv)
{
    std::vector<std::pair<const char *, std::string>> drawn;
    drawn.push_back({"es_tap_wishbone", draw({{"cyc", "_------_", BIT(cyc)},
                                              {"stb", "_----___", BIT(stb)},
                                              {"we", "_-______", BIT(we)},
                                              {"stall", "__-_____", BIT(stall)},
                                              {"dat_w", " A      ", BYTE(data_w)},
                                              {"ack", "___--___", BIT(ack)},
                                              {"err", "______-_", BIT(err)},
                                              {"dat_r", "    B C ", BYTE(data_r)}},
                                             {{"tells", TELLS(wishbone)}})});
    drawn.push_back({"es_tap_obi", draw({{"req", "_---____", BIT(req)},
                                         {"gnt", "__--____", BIT(gnt)},
                                         {"we", "_--_____", BIT(we)},
                                         {"wdata", " AA     ", BYTE(data_w)},
                                         {"rvalid", "____-_-_", BIT(rvalid)},
                                         {"rdata", "      B ", BYTE(data_r)}},
                                        {{"tells", TELLS(obi)}})});
    drawn.push_back({"es_tap_ahb", draw({{"htrans", "_N NS   ",
                                          [](Vwaves &d, char c) { d.htrans = c == 'N'   ? 2
                                                                             : c == 'S' ? 3
                                                                                        : 0; }},
                                         {"hwrite", "_-______", BIT(hwrite)},
                                         {"hwdata", "  AA    ", BYTE(data_w)},
                                         {"hready", "--_-----", BIT(hready)},
                                         {"hresp", "________", BIT(hresp)},
                                         {"hrdata", "    BC  ", BYTE(data_r)}},
                                        {{"tells", TELLS(ahb)}})});
    drawn.push_back(
        {"es_tap_axi_lite",
         draw({{"awvalid", "__-_____", BIT(awvalid)},
               {"wvalid", "_-______", BIT(wvalid)},
               {"wdata", " A      ", BYTE(data_w)},
               {"bvalid", "_____-__", BIT(bvalid)},
               {"arvalid", "_--_____", BIT(arvalid)},
               {"rvalid", "____--__", BIT(rvalid_axi)},
               {"rdata", "    BC  ", BYTE(data_r)}},
              {{"tells [0]",
                [](Vwaves &d) { return std::make_pair(unsigned(d.axi_lite & 7), unsigned(d.axi_lite_data)); }},
               {"tells [1]", [](Vwaves &d) {
                    return std::make_pair(unsigned(d.axi_lite >> 3), unsigned(d.axi_lite_data >> 32));
                }}})});
    drawn.push_back({"es_tap_axi", draw({{"awvalid", "_-______", BIT(awvalid_axi4)},
                                         {"wvalid", "_--_____", BIT(wvalid_axi4)},
                                         {"wdata", " AB     ", BYTE(data_w)},
                                         {"wlast", "__-_____", BIT(wlast)},
                                         {"bvalid", "___-____", BIT(bvalid_axi4)},
                                         {"arvalid", "_--_____", BIT(arvalid_axi4)},
                                         {"arid", "_-______", BIT(arid)},
                                         {"rvalid", "___-_-__", BIT(rvalid_axi4)},
                                         {"rid", "_____-__", BIT(rid)},
                                         {"rdata", "   C D  ", BYTE(data_r)}},
                                        {{"tells", TELLS(axi)}})});
    std::ifstream file("docs/taps.md");
    std::stringstream page;
    page << file.rdbuf();
    int failed = 0;
    for (auto &[name, text] : drawn) {
        if (argc > 1 && !strcmp(argv[1], "--print")) {
            printf("%s\n%s\n", name, text.c_str());
            continue;
        }
        if (page.str().find("```\n" + text + "```\n") == std::string::npos) {
            printf("docs/taps.md does not have what %s does:\n%s", name, text.c_str());
            failed++;
        }
    }
    printf("%zu passed, %d failed\n", drawn.size() - failed, failed);
    return failed != 0;
}
