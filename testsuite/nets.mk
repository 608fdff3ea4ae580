# SPDX-License-Identifier: GPL-2.0-or-later
#
# nets.mk - soak, sanitizers, valgrind, fuzzing and coverage
#
#	make soak		half an hour of random commands, and a watcher (root)
#	make fuzz		all fuzz targets, FUZZ_SECONDS each; -j2: two at once
#	make check-asan		cluster tests, the plugins under ASan in slurmctld
#	make check-valgrind	the same under valgrind
#	make coverage		lines and branches that all tests reach
#
# Each builds in a folder of its own below build, with other flags, and leaves
# the usual build alone. NET_TESTS= are the cluster tests of the checkers,
# COVERAGE_TESTS= those of coverage; UNIT_ONLY=yes: none there, and only the
# goals of the parts that need none.

NET_TESTS = testsuite/quota/t1001-borrow.t testsuite/quota/t1002-reclaim-policy.t \
	testsuite/restart/t2008-reconfigure.t

# again(folder, flags, variables and goals): this Makefile with another build.
# Without hardening: _FORTIFY_SOURCE takes calls away from the sanitizers.
again = +$(MAKE) --no-print-directory BUILD=build/$(1) HARDEN_CFLAGS= CFLAGS='$(2)' $(3)

sanitized = build/sanitized
sanitize_flags = -O1 -g -Werror -fno-omit-frame-pointer -fsanitize=address,undefined \
	-fno-sanitize-recover=all
sanitizer_options = ASAN_OPTIONS=detect_stack_use_after_return=1

# ---- soak ----
# SEED= repeats one; SOAK= are options of testsuite/soak

.PHONY: soak
soak: all $(preloaded)
	@build-aux/install-deps
	$(test_env) $(if $(SEED),SEED=$(SEED)) testsuite/soak $(SOAK)

# ---- fuzzing ----
# testsuite/fuzz/NAME.c is a target, testsuite/fuzz/NAME/ its seeds: what is
# right, what is wrong in each way, and every input that has found something.
# The same source with replay.c for a main goes through the seeds without clang.

FUZZ_SECONDS = 30
FUZZ_SEED = 1
fuzz_flags = $(sanitize_flags) -fsanitize=fuzzer-no-link
slurmfull = $(SLURM_PLUGINDIR)/libslurmfull.so
fuzz_names := $(patsubst %.c,%,$(notdir $(filter-out %/replay.c %/input.c,\
	$(wildcard testsuite/fuzz/*.c))))
# The state file's needs libslurmfull, which not every package of Slurm has
FUZZ = $(filter-out $(if $(wildcard $(slurmfull)),,state),$(fuzz_names))
fuzz_prog = $(FUZZ:%=$(BUILD)/fuzz/%)
# What links them: the fuzzer, or the main that replays
FUZZ_MAIN = testsuite/fuzz/replay.c

$(fuzz_prog): $(BUILD)/fuzz/%: testsuite/fuzz/%.c testsuite/fuzz/input.c testsuite/fuzz/input.h \
		$(filter %.c,$(FUZZ_MAIN)) $(liblab) $(libscohort) $(libs)
	@mkdir -p $(@D)
	$(call run,LINK)$(CC) $(CPPFLAGS) $(std) $(CFLAGS) $(WARN_CFLAGS) $(fuzz_inc) \
		$(JSONC_CFLAGS) $(filter %.c %.o %.a,$^) $(filter -%,$(FUZZ_MAIN)) -o $@ \
		$(fuzz_libs)

fuzz_inc = $(lab_inc)
fuzz_libs = $(scohort_libs)
$(BUILD)/fuzz/published: fuzz_libs = -Wl,--wrap=node_views_load,--wrap=node_views_free \
	$(scohort_libs)

# A few files of the plugin, and what they call of Slurm. Most of what the plugin
# has else is not there: they name it, weakly, but nothing of it is called. What
# of the archives only they name has to be asked for (-u).
fuzz_state = $(BUILD)/fuzz/state
fuzz_state_parts = slurm/file state/json record/count tally/accounts \
	statefile/content statefile/store record/eviction state/job
$(fuzz_state): $(fuzz_state_parts:%=$(BUILD)/fuzz/obj/%.o)
$(fuzz_state): fuzz_inc = $(plugin_inc) -iquote testsuite/fuzz
$(fuzz_state): fuzz_libs = -Wl,-u,victim_reason_name,-u,engine_account $(scohort_libs) -Wl,--no-as-needed $(slurmfull) -Wl,-rpath,$(SLURM_PLUGINDIR)
$(BUILD)/fuzz/obj/%.o: $(BUILD)/obj/plugins/common/%.o
	@mkdir -p $(@D)
	$(call run,WEAK)objcopy --weaken $< $@

.PHONY: fuzz fuzz-programs $(FUZZ:%=fuzz-run-%)
fuzz-programs: $(fuzz_prog)

fuzz:
	@build-aux/install-deps clang libclang-rt-dev
	$(call again,fuzz,$(fuzz_flags),CC=clang FUZZ_MAIN=-fsanitize=fuzzer fuzz-programs)
	$(call again,fuzz,$(fuzz_flags),CC=clang $(FUZZ:%=fuzz-run-%))

$(FUZZ:%=fuzz-run-%): fuzz-run-%:
	@testsuite/fuzz/run $(BUILD)/fuzz/$* $(FUZZ_SECONDS) $(FUZZ_SEED)

# ---- sanitizers ----
# make check runs unit tests, and some of scohort's own, under ASan and UBSan

.PHONY: check-asan check-valgrind

# The checkers stand before slurmctld only. COHORT_ASAN: what is built for that.
check-asan: all $(preloaded)
	@build-aux/install-deps
	$(call again,asan,$(sanitize_flags),plugins)
	@$(test_env) COHORT_ASAN=$(CURDIR)/build/asan CC='$(CC)' PROVE='$(PROVE)' \
		testsuite/watched asan $(NET_TESTS)

check-valgrind: all $(preloaded)
	@build-aux/install-deps valgrind
	@$(test_env) PROVE='$(PROVE)' testsuite/watched valgrind $(NET_TESTS)

# ---- coverage ----
# -O0: a line is a line. Counters are atomic, as slurmctld has threads. Anybody may
# write them: users run scohort in some tests, too.

# Linked into the plugins of that build: see there
net_ctld = $(if $(coverage_dump),testsuite/coverage-dump.c)
coverage_flags = -O0 -g --coverage -fprofile-update=atomic -fprofile-abs-path
# Not those that look at the build itself
COVERAGE_TESTS = $(filter-out %/t0002-build.t %/t6101-layout.t,$(cluster_tests))

.PHONY: coverage coverage-run
coverage:
	@build-aux/install-deps
	@find build/coverage -name '*.gcda' -delete 2>/dev/null; true
	$(call again,coverage,$(coverage_flags),coverage_dump=yes all test-programs)
	@set -e; for note in $$(find build/coverage/obj -name '*.gcno'); do \
		: >$${note%no}da; chmod 666 $${note%no}da; done
	-$(call again,coverage,$(coverage_flags),coverage-run)
	@find build/coverage -name '*.gcda' -empty -delete
	testsuite/coverage $(COVERAGE_VERBOSE) $(if $(UNIT_ONLY),-u) build/coverage/obj

# Programs that count steps have bounds for code that was optimized
coverage-run:
	$(test_env) $(prove) $(filter-out $(counting:%=$(BUILD)/test/%),$(test_prog)) \
		$(if $(UNIT_ONLY),$(call named,t01),$(COVERAGE_TESTS))

# ---- memory that is not there ----
# Tests of that name say when an allocation fails (src/common/test/failing.h).

$(BUILD)/test/%_nomem: exe_ldflags += \
	-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup,--wrap=strndup
