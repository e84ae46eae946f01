# SPDX-License-Identifier: BSD-2-Clause
#
# `make help` lists the targets. Variants live side by side in directories of their own:
# SAN=1 (ASan + UBSan), DEFECTS=1 (the defects can be switched on), CC=clang. V=1 shows commands.

ifeq ($(origin CC),default)
CC := gcc
endif
BUILD ?= build
SOAK ?= 1
FUZZ_RUNS ?= 200000
FUZZ_SEED ?= 1

on = $(filter 1,$($(1)))
empty :=
space := $(empty) $(empty)
ifneq ($(call on,FUZZ),)
override CC := clang
variant := fuzz
else
variant := $(subst $(space),-,$(strip $(filter-out gcc,$(notdir $(firstword $(CC)))) \
    $(if $(call on,SAN),san) $(if $(call on,DEFECTS),defects)))
endif
B := $(BUILD)$(addprefix /,$(variant))

PACKAGES := libnl-3.0 libnl-route-3.0 libpcap jansson libcap
PKG_CONFIG ?= pkg-config
package_cflags := $(shell $(PKG_CONFIG) --cflags $(PACKAGES) | sed 's/-I/-isystem /g')
package_libs := $(shell $(PKG_CONFIG) --libs $(PACKAGES))

CFLAGS ?= -O2 -g
WARN := -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes
WARN += -Wformat=2 $(if $(call on,WERROR),-Werror)
HARDEN := -fstack-protector-strong -fPIE
HARDEN_LINK := -pie -Wl,-z,relro,-z,now
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
ifneq ($(call on,FUZZ),)
HARDEN += $(SANITIZE) -fsanitize=fuzzer-no-link
else ifneq ($(call on,SAN),)
HARDEN += $(SANITIZE)
else
HARDEN += -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
endif
all_cppflags := -D_GNU_SOURCE $(if $(call on,DEFECTS),-DDEFECTS) -I. $(package_cflags) $(CPPFLAGS)
all_cflags := -std=gnu11 $(CFLAGS) $(WARN) $(HARDEN) -pthread
all_ldflags := $(CFLAGS) $(HARDEN) $(HARDEN_LINK) -pthread $(LDFLAGS)

find_c = $(sort $(shell find $(1) -name '$(2).c' 2>/dev/null))
MAIN := harness/main.c
SOURCES := $(filter-out $(MAIN),$(call find_c,core sim netns pcaps harness,*))
SUPPORT := $(wildcard tests/support/*.c)
TESTS := $(call find_c,tests,test_*)
FUZZERS := $(wildcard tests/fuzz/fuzz_*.c)
BENCHES := $(wildcard tests/bench/bench_*.c)
EXAMPLES := $(wildcard examples/*.c)
# One program, which imitates a container engine for the tests.
CONTAINER := $(wildcard tests/container/*.c)
objects = $(patsubst %.c,$(B)/obj/%.o,$(1))
programs = $(patsubst %.c,$(B)/%,$(1))

PROGRAM := $(B)/edgewise
PRODUCT := $(B)/product.a
# The reactor alone, for programs that link it.
LIBRARY := $(B)/libedgewise.a
TEST_LIBS := $(B)/support.a $(PRODUCT)
ENGINE := $(if $(CONTAINER),$(B)/tests/container/container)
# Makes calls of the program fail (LD_PRELOAD).
FAILING := $(B)/tests/breaking/failing.so

# Quiet unless V=1.
Q := $(if $(call on,V),,@)
say = @$(if $(call on,V),:,printf '  %-5s %s\n' $(1) $(2))
# A link goes to a temporary name first: nobody ever starts half a program.
link = $(Q)$(CC) $(all_ldflags) $(1) -o $@.new $(filter %.o %.a,$^) $(2) && mv -f $@.new $@
pack = $(Q)rm -f $@ && ar rcsD $@ $(filter %.o,$^)

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
.SECONDARY:
.PHONY: all check check-all tests tidy fuzz fuzzers bench soak clean help

all: $(if $(wildcard $(MAIN)),$(PROGRAM)) $(LIBRARY) ## build the program and the library (default)
tests: all $(call programs,$(TESTS) $(EXAMPLES)) $(ENGINE) $(FAILING) ## build tests and examples

check: ## run the fast suite, as ./run test does (FILTER=glob)
	@./run --no-install test $(FILTER)
check-all: ## run the slow tier too, as ./run test --all does
	@./run --no-install test --all $(FILTER)
tidy: all ## check the rules of style and structure
	@tests/tidy.sh . $(B)
fuzzers: $(call programs,$(FUZZERS))
fuzz: ## run each fuzzer for FUZZ_RUNS inputs from FUZZ_SEED
	@$(MAKE) --no-print-directory FUZZ=1 fuzzers
	@FUZZ_RUNS=$(FUZZ_RUNS) FUZZ_SEED=$(FUZZ_SEED) tests/run.sh --only fuzz
bench: $(call programs,$(BENCHES)) ## run the benchmarks (BENCH_FLAGS=--quick); bench_repeat is soak's
	@set -e; for bench in $(filter-out %/bench_repeat,$^); do $$bench $(BENCH_FLAGS); done
soak: tests $(call programs,$(BENCHES)) ## run long tests and repeat the scenarios, SOAK=N times as long
	@SOAK=$(SOAK) tests/run.sh --only soak
clean: ## remove what was built
	rm -rf $(BUILD)
help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

# A stamp's rule runs only when the text in it would change.
define stamp
ifneq ($$(file <$(1)),$(2))
.PHONY: $(1)
endif
$(1):
	@mkdir -p $$(@D) && printf '%s\n' '$(2)' >$$@
endef
flags := $(CC) $(all_cppflags) $(all_cflags) $(all_ldflags) $(package_libs)
$(eval $(call stamp,$(B)/flags,$(flags)))
$(eval $(call stamp,$(B)/sources,$(SOURCES)))
$(eval $(call stamp,$(B)/support,$(SUPPORT)))

$(B)/obj/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(all_cppflags) $(all_cflags) -MMD -MP -c -o $@ $<
$(PROGRAM): $(call objects,$(MAIN) $(SOURCES)) $(B)/sources
	$(call say,LINK,$@)
	$(call link,,$(package_libs))
$(PRODUCT): $(call objects,$(SOURCES)) $(B)/sources
	$(pack)
$(LIBRARY): $(call objects,$(filter core/%,$(SOURCES))) $(B)/sources
	$(pack)
$(B)/support.a: $(call objects,$(SUPPORT)) $(B)/support
	$(pack)
$(B)/tests/fuzz/%: $(B)/obj/tests/fuzz/%.o $(TEST_LIBS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(call link,-fsanitize=fuzzer,$(package_libs))
$(ENGINE): $(call objects,$(CONTAINER))
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(call link,,-lseccomp -lcap)
$(B)/tests/%: $(B)/obj/tests/%.o $(TEST_LIBS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(call link,,-lcmocka $(package_libs))
$(FAILING): tests/breaking/failing.c tests/breaking/failing.h $(B)/flags
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) -std=gnu11 -D_GNU_SOURCE -I. $(WARN) -O2 -g -fPIC -shared -o $@.new $< && mv -f $@.new $@
$(B)/examples/%: $(B)/obj/examples/%.o $(LIBRARY)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(call link,,)

-include $(patsubst %.o,%.d,$(call objects,$(MAIN) $(SOURCES) $(SUPPORT) $(TESTS) $(FUZZERS) \
    $(BENCHES) $(EXAMPLES) $(CONTAINER)))
