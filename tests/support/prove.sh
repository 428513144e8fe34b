# Shared by the proofs (tests/*/formal/prove), which source this file: . tests/support/prove.sh WORK-FOLDER GENERATED-FOLDER
# from the repository's root; GENERATED-FOLDER has probe_defs.vh. With RTL=FOLDER the modules are those of another tree than rtl/; with
# PROOFS=NAME only proofs of NAME.v are done; PROVE_SECONDS=N gives each another time than 200 seconds.
#
# A proof reads NAME_proof of a folder's formal/NAME.v and the modules that it is about. Property-directed reachability (for any number of
# clocks) where it converges in seconds, else bounded model checking; and a cover trace for each, so that no proof is about nothing.
# shellcheck shell=bash disable=SC2034
work=${1:?} gen=${2:?}
formal=$(dirname "$0")
rtl=${RTL:-rtl}
mkdir -p "$work"
passed=0 failed=0

# Registers hold anything until the reset; with zeros=yes they start at 0, as in an iCE40.
zeros=''
# Registers by these names hold anything in each clock.
free=''

# The engines that proofs use, and what abc says when they succeed.
pdr='pdr -T 100'
merged_pdr="scorr; $pdr" # where the model has registers like the module's
proved='Property proved'
bmc() { # CLOCKS
  echo "bmc3 -F $1"
}
holds() { # CLOCKS
  echo "No output asserted in $1 frames"
}

# result NAME STATUS
result() {
  if [ "$2" = 0 ]; then passed=$((passed + 1)); echo "ok   $1"; else failed=$((failed + 1)); echo "FAIL $1"; fi
}

# read_design PROOF MODULES CLOCKS PARAMETERS: yosys commands up to a flat netlist of logic and flip-flops. MODULES: as core/es_hitq,
# CLOCKS: async2sync for one clock, clk2fflogic for several; PARAMETERS: as "LOG2 1"
read_design() {
  local files=" $rtl/core/es_sync.v" set='' # es_sync is a part of many
  for module in $2; do files="$files $rtl/$module.v"; done
  # shellcheck disable=SC2086
  set -- "$1" "$2" "$3" $4
  local proof=$1 clocks=$3
  shift 3
  while [ $# -gt 0 ]; do set="$set -set $1 $2"; shift 2; done
  echo "read_verilog -formal -I$gen $formal/$proof.v$files; ${set:+chparam$set ${proof}_proof;}"
  echo "prep -top ${proof}_proof -flatten; ${free:+cutpoint w:${free// / w:};} memory_map; $clocks; ${zeros:+setundef -init -zero;}"
}

# proof NAME PROOF MODULES CLOCKS PARAMETERS ABC-ENGINE EXPECTED
proof() {
  [ "${PROOFS:-$2}" = "$2" ] || return 0
  local name=$1 log=$work/$1.log
  yosys -q -l "$work/$name.yosys.log" -p "$(read_design "$2" "$3" "$4" "$5") setundef -undriven -anyseq; opt -full;
    delete t:\$cover; dffunmap; techmap; opt_clean; abc -g AND -fast; opt_clean; write_aiger -zinit $work/$name.aig" > /dev/null 2>&1 &&
    timeout "${PROVE_SECONDS:-200}" yosys-abc -c "read_aiger $work/$name.aig; fold; strash; $6" > "$log" 2>&1 && grep -q "$7" "$log"
  result "$name" $?
}

# cover NAME PROOF MODULES CLOCKS PARAMETERS DEPTH
cover() {
  [ "${PROOFS:-$2}" = "$2" ] || return 0
  local name=$1
  yosys -q -l "$work/$name.yosys.log" -p "$(read_design "$2" "$3" "$4" "$5") setundef -undriven -anyseq; dffunmap; opt_clean -purge;
    write_smt2 $work/$name.smt2" > /dev/null 2>&1 &&
    timeout "${PROVE_SECONDS:-200}" yosys-smtbmc --noprogress --unroll -s z3 -c -t "$6" "$work/$name.smt2" > "$work/$name.log" 2>&1 &&
    grep -q PASSED "$work/$name.log"
  result "$name" $?
}

# The last line of a proof script.
proofs_end() {
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ]
}
