# The other way to evaluate predicates, measured beside the one that is used.
PREDICATES_TEST_DIR := $(B)/tests/predicates
PREDICATES_TEST_OBJ := $(PREDICATES_TEST_DIR)/compared.o $(PREDICATES_TEST_DIR)/threaded.o $(PREDICATES_TEST_DIR)/embedded.o

$(PREDICATES_TEST_DIR)/interpreter.bin: tests/predicates/interpreter.S $(B)/firmware/probe_defs.S.h
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	$(CROSS)gcc -march=rv32i -mabi=ilp32 -nostdlib -nostartfiles -static -Wl,--build-id=none -Wl,-Ttext=0x6000 -I$(B)/firmware $< -o $(@:.bin=.elf)
	$(CROSS)objcopy -O binary $(@:.bin=.elf) $@
$(PREDICATES_TEST_DIR)/embedded.S: $(PREDICATES_TEST_DIR)/interpreter.bin
	$(call say,GEN,$@)
	@printf '%s\n' '    .section .rodata' '    .balign 4' '    .globl bytecode_interpreter, bytecode_interpreter_end' \
	  'bytecode_interpreter:' '    .incbin "$<"' 'bytecode_interpreter_end:' '    .section .note.GNU-stack,"",@progbits' > $@
$(PREDICATES_TEST_DIR)/embedded.o: $(PREDICATES_TEST_DIR)/embedded.S
	$(call say,CC,$<)
	$(CC) -c $< -o $@
$(PREDICATES_TEST_DIR)/%.o: tests/predicates/%.c $(B)/gen/probe_defs.h $(B)/gen/cpu_cycles.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -c $< -o $@
$(addprefix $(PREDICATES_TEST_DIR)/,rv32_model.o rv32c_model.o): $(PREDICATES_TEST_DIR)/%.o: tests/cpu/%.c tests/cpu/rv32_model.h tests/cpu/rv32c_model.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -c $< -o $@
$(PREDICATES_TEST_DIR)/predicates: $(PREDICATES_TEST_OBJ) $(FIRMWARE_TEST_COMMON) $(FIRMWARE_TEST_LIBS)
	$(call say,LD,$@)
	$(CC) $(SAN) $^ -lcheck -lsubunit -lm -lrt -lpthread -o $@
-include $(wildcard $(PREDICATES_TEST_DIR)/*.d)
TESTS += $(PREDICATES_TEST_DIR)/predicates

.PHONY: bench-predicates
bench-predicates: $(PREDICATES_TEST_DIR)/predicates
	$<
BENCH += bench-predicates
