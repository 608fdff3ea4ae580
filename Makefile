# SPDX-License-Identifier: GPL-2.0-or-later
#
# slurm-cohort - one Makefile for everything
#
# Sources are found by wildcard: a new file needs no change here.
#
#	make			all (configures itself when it has not been)
#	make check		what CI runs: unit tests with sanitizers, and tests on
#				private clusters
#	make check T=t1001	those whose names begin so, with each Slurm
#	make check-long		all tests with each Slurm, long random worlds, fuzzing
#	make flaky T=t1001 N=20	tests beside a load, N times: which failed, how often
#	make unit		unit tests only, without sanitizers
#	make demo		borrowing and reclaim on a private cluster; WEB=yes: then
#				its web pages, until Ctrl-C
#	make install		DESTDIR=, prefix= as usual
#	make deb rpm		packages for the installed Slurm
#	make dist		a tarball of the committed tree, if NEWS.md has a date
#	make fuzz coverage check-asan check-valgrind
#				see testsuite/nets.mk
#	make help		the other targets
#
# config.mk comes from ./configure; CONFIGURE_ARGS= are its arguments the first
# time. BUILD= puts the objects elsewhere (another compiler: make CC=clang
# BUILD=build/clang). V=1 shows the commands.

MAKEFLAGS += --no-builtin-rules
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif
SHELL = /bin/bash
.DEFAULT_GOAL = all
.DELETE_ON_ERROR:
.SUFFIXES:

BUILD = build
CONFIGURE_ARGS =
PROVE = prove
# Tests on clusters mostly wait: each has some four seconds of CPU time in a minute
PROVE_JOBS = 12
# What a command makes, or the command itself
run = $(if $(V),,@printf '  %-5s %s\n' $(1) $@;)

# ---- configure ----

# Goals that need no configuration
bare_goals = clean distclean help deps dist
# Goals that install missing packages first, if root
deps_goals = check check-long flaky demo bench bench-slurmctld

# With the Slurm in a folder: nothing of this machine's is asked for
SLURM_ROOT =
bare_goals += $(if $(SLURM_ROOT),check)
deps_goals := $(if $(SLURM_ROOT),,$(deps_goals))

goals = $(or $(MAKECMDGOALS),all)
ifneq ($(filter-out $(bare_goals),$(goals)),)
include config.mk
endif

ifneq ($(filter $(deps_goals),$(goals)),)
configure config.status: | deps
endif

configure: configure.ac $(wildcard m4/*.m4)
	autoconf

config.status: configure
	@if [ -x config.status ]; then ./config.status --recheck; \
	else ./configure --no-create $(CONFIGURE_ARGS); fi

config.mk: config.status config.mk.in config.h.in build-aux/slurm_version.h.in
	./config.status
	@touch $@

.PHONY: deps
deps:
	@build-aux/install-deps

# ---- flags ----

std = -std=gnu11
all_cflags = $(std) $(CFLAGS) $(WARN_CFLAGS) $(HARDEN_CFLAGS) -fPIC -MMD -MP
all_cppflags = $(CPPFLAGS)

# Our folders are -iquote, so that none of our headers can hide a system's or
# one of Slurm's. Slurm's tree is a system folder: no warnings about it.
common_inc = -iquote src/common
config_inc = $(common_inc) -iquote src/config
scohort_inc = -iquote build $(config_inc) -iquote src/scohort
plugin_inc = $(config_inc) -iquote src/plugins/common -Ibuild -isystem $(SLURM_SOURCE)

# Slurm asks for lazy binding: slurmd and the clients load the select plugin
# too, and lack the functions that only slurmctld has. Programs bind at once.
so_ldflags = $(LDFLAGS) $(HARDEN_LDFLAGS) -shared -Wl,-z,lazy
exe_ldflags = $(LDFLAGS) $(HARDEN_LDFLAGS) -pie -Wl,-z,now

config_libs = $(YAML_LIBS)
scohort_libs = $(JSONC_LIBS) $(YAML_LIBS) $(ZLIB_LIBS) $(SQLITE_LIBS) $(MHD_LIBS) -lm \
	-Wl,--push-state,--as-needed $(SLURM_LIBS) -Wl,--pop-state

# ---- sources ----

# A part is a folder of src with the folders below it; those named test hold
# its tests
source_name = $(patsubst testsuite/%.c,%,$(patsubst src/%.c,%,$(1)))
objects = $(patsubst %,$(BUILD)/obj/%.o,$(call source_name,$(1)))
part_src = $(filter-out $(foreach d,/ /*/,$(wildcard src/$(1)$(d)test/*.c)),\
	$(foreach d,/ /*/,$(wildcard src/$(1)$(d)*.c)))

common_obj := $(call objects,$(call part_src,common))
counted_obj := $(common_obj:$(BUILD)/obj/%=$(BUILD)/obj/counted/%)
config_obj := $(call objects,$(call part_src,config))
# Without SQLite main.c says that record and report are not built in; without
# libmicrohttpd there is no scohort web
without_sqlite := $(if $(HAVE_SQLITE),,src/scohort/history/% src/scohort/report/% src/scohort/past/% \
	src/scohort/web/past_pages%)
scohort_obj := $(call objects,$(filter-out $(without_sqlite) $(if $(HAVE_MHD),,src/scohort/web/%),\
	$(call part_src,scohort)))
scohort_main := $(filter %/main.o,$(scohort_obj))
ctld_obj := $(call objects,$(call part_src,plugins/common))
select_obj := $(call objects,$(call part_src,plugins/select))
preempt_obj := $(call objects,$(call part_src,plugins/preempt))

# A program for developers, not installed
lab = testsuite/engine-lab
lab_obj := $(call objects,$(filter-out $(wildcard $(lab)/test/*.c),$(wildcard $(lab)/*.c $(lab)/*/*.c)))
lab_main := $(filter %/main.o,$(lab_obj))
# It looks inside the engine as the unit tests do
inside_obj := $(call objects,$(wildcard src/common/test/inside/*.c))

test_dirs = common config scohort plugins/common
test_src := $(filter-out $(without_sqlite),\
	$(foreach d,$(test_dirs),$(wildcard $(foreach f,test test/* */test,src/$(d)/$(f)/*.c)))) \
	$(wildcard $(lab)/test/*.c $(lab)/*/test/*.c)
# A test program is test/<part>_<folder>_<name>. Files without TESTS() are
# helpers: of the part if they are in its own test folder, else of theirs
test_main := $(shell grep -lE '^TESTS' $(test_src) /dev/null)
test_name = $(subst /,_,$(subst /test/,/,$(call source_name,$(1))))
test_prog := $(foreach f,$(test_main),$(BUILD)/test/$(call test_name,$(f)))

libcohort = $(BUILD)/libcohort.a
libcounted = $(BUILD)/libcohort-counted.a
libcohortconf = $(BUILD)/libcohortconf.a
libscohort = $(BUILD)/libscohort.a
liblab = $(BUILD)/libengine-lab.a
libs = $(libcohortconf) $(libcohort)

plugins :=
plugins += $(if $(ctld_obj),$(BUILD)/plugins/libcohort_ctld.so)
plugins += $(if $(select_obj),$(BUILD)/plugins/select_cons_tres.so)
plugins += $(if $(preempt_obj),$(BUILD)/plugins/preempt_cohort.so)
plugins := $(strip $(plugins))
programs := $(if $(scohort_main),$(BUILD)/scohort)
mans := $(wildcard doc/man/*.[1-8])
examples := $(wildcard etc/*.example)
docs := $(wildcard README.md NEWS.md SECURITY.md) COPYING
# Both packages have the user guide, at the place to which README.md links
guides := $(wildcard doc/*.md)
user_guide = doc/user-guide.md
# Of what is inside scohort web and not ours
plots_licence = src/scohort/web/assets/uplot/LICENSE
monitoring := etc/grafana-dashboard.json etc/prometheus-alerts.yaml
completion := etc/scohort.bash-completion
completiondir = $(datarootdir)/bash-completion/completions
# Those of commands that are built in
units := $(filter-out $(if $(HAVE_SQLITE),,%/slurm-cohort-record.service.in %/slurm-cohort-record.timer) \
	$(if $(HAVE_MHD),,%/slurm-cohort-web.service.in),\
	$(wildcard etc/systemd/*.service.in etc/systemd/*.timer))
unitdir = $(prefix)/lib/systemd/system

.PHONY: all plugins
all: $(libs) $(programs) $(plugins) $(BUILD)/engine-lab
plugins: $(plugins)

# ---- compile ----

$(BUILD)/obj/common/%.o $(BUILD)/obj/counted/%.o: all_cppflags += $(common_inc)
$(BUILD)/obj/config/%.o: all_cppflags += $(config_inc) $(YAML_CFLAGS)
$(BUILD)/obj/scohort/%.o: all_cppflags += $(scohort_inc) $(JSONC_CFLAGS) \
	$(YAML_CFLAGS) $(ZLIB_CFLAGS) $(SQLITE_CFLAGS)
$(BUILD)/obj/plugins/%.o: all_cppflags += $(plugin_inc) $(JSONC_CFLAGS) $(YAML_CFLAGS)
lab_inc = $(scohort_inc) -iquote $(lab)
$(BUILD)/obj/engine-lab/%.o: all_cppflags += $(lab_inc) $(JSONC_CFLAGS)

# What pages are made with is in the program (charts/charts.c)
assets = src/scohort/web/assets
$(BUILD)/obj/scohort/web/%.o: all_cppflags += $(MHD_CFLAGS)
$(BUILD)/obj/scohort/charts/charts.o: all_cppflags += -DASSETS='"$(assets)"'
$(BUILD)/obj/scohort/charts/charts.o: $(wildcard $(assets)/*.* $(assets)/uplot/*.*)

# The engine once more for tests of growth: it calls a counter in each branch
$(BUILD)/obj/counted/%.o: src/%.c Makefile config.mk
	@mkdir -p $(@D)
	$(call run,CC)$(CC) $(all_cppflags) $(all_cflags) -fsanitize-coverage=trace-pc -c -o $@ $<

$(BUILD)/obj/%.o: src/%.c Makefile config.mk
	@mkdir -p $(@D)
	$(call run,CC)$(CC) $(all_cppflags) $(all_cflags) -c -o $@ $<

$(BUILD)/obj/%.o: testsuite/%.c Makefile config.mk
	@mkdir -p $(@D)
	$(call run,CC)$(CC) $(all_cppflags) $(all_cflags) -c -o $@ $<

# A new archive each time: no members of files that are gone
%.a:
	@mkdir -p $(@D)
	@rm -f $@
	$(call run,AR)$(AR) rcs $@ $^

$(libcohort): $(common_obj)
$(libcounted): $(counted_obj)
$(libcohortconf): $(config_obj)
$(libscohort): $(filter-out $(scohort_main),$(scohort_obj))
$(liblab): $(filter-out $(lab_main),$(lab_obj)) $(inside_obj)

$(BUILD)/scohort: $(scohort_main) $(libscohort) $(libs)
$(BUILD)/engine-lab: $(lab_main) $(liblab) $(libscohort) $(libs)
$(BUILD)/scohort $(BUILD)/engine-lab:
	$(call run,LINK)$(CC) $(CFLAGS) $(exe_ldflags) -o $@ $^ $(scohort_libs)

# ---- plugins ----
# What both plugins share is one object with its own state. Only what the maps
# name is visible to others. $ORIGIN stands last: the real select_cons_tres.so
# must be found in Slurm's folder, not ours again.

ctld = $(BUILD)/plugins/libcohort_ctld.so
rpath_origin = -Wl,-rpath,'$$ORIGIN'
version_script = -Wl,--version-script=$(filter %.map,$^)
link_ctld = -L$(BUILD)/plugins -l:libcohort_ctld.so
no_map = $(filter-out %.map %.so,$^)

$(ctld): $(ctld_obj) $(libs) build-aux/libcohort_ctld.map
	@mkdir -p $(@D)
	$(call run,LINK)$(CC) $(CFLAGS) $(so_ldflags) -Wl,-soname,$(@F) $(version_script) -o $@ $(no_map) \
		$(net_ctld) $(YAML_LIBS) $(JSONC_LIBS) -lm

# Not linked with what both share: slurmd and the clients load this one too,
# and lack what that needs. It is opened in slurmctld only.
$(BUILD)/plugins/select_cons_tres.so: $(select_obj) build-aux/select_cons_tres.map
	@mkdir -p $(@D)
	$(call run,LINK)$(CC) $(CFLAGS) $(so_ldflags) $(version_script) -o $@ $(no_map) \
		-Wl,--no-as-needed -L$(SLURM_PLUGINDIR) -l:select_cons_tres.so \
		-Wl,-rpath,$(SLURM_PLUGINDIR)

$(BUILD)/plugins/preempt_cohort.so: $(preempt_obj) $(ctld) build-aux/preempt_cohort.map
	@mkdir -p $(@D)
	$(call run,LINK)$(CC) $(CFLAGS) $(so_ldflags) $(version_script) -o $@ $(no_map) $(link_ctld) \
		$(rpath_origin)

# ---- tests ----

test_obj := $(call objects,$(test_src))
test_help_obj := $(filter-out $(call objects,$(test_main)),$(test_obj))
$(test_obj): all_cppflags += -iquote build $(config_inc) $(CMOCKA_CFLAGS)
# cmocka passes each test a state, which few of them have
$(test_obj): all_cflags += -Wno-unused-parameter
$(foreach d,$(test_dirs),$(eval $(filter $(BUILD)/obj/$(d)/%,$(test_obj)): \
	all_cppflags += -iquote src/$(d) -iquote src/$(d)/test))

# Tests that ask how much work the engine has are linked with the one that counts
counting = engine-lab_worlds_growth
engine_of = $(if $(filter $(counting),$(call test_name,$(1))),$(libcounted),$(libcohort))

# A test that has plain ways of its own instead of these
$(BUILD)/test/common_plain: exe_ldflags += \
	-Wl,--wrap=cycle_run,--wrap=cycle_fits_again,--wrap=freed_fit_beside

# What scohort says is compared with what the engine then does, in its worlds
$(BUILD)/obj/scohort/why/test/%.o: all_cppflags += -iquote src/common/test
worlds_of = $(if $(filter src/scohort/why/test/%,$(1)),$(filter $(BUILD)/obj/common/test/world%,$(test_help_obj)) $(inside_obj))

# A test that has no memory at times
$(BUILD)/test/common_account_bounds: exe_ldflags += -Wl,--wrap=calloc,--wrap=malloc

# test_program(source): the rule of one test program
part_of = $(firstword $(subst /, ,$(call source_name,$(1))))
define test_program
$(BUILD)/test/$(call test_name,$(1)): $(call objects,$(1)) \
		$(sort $(filter $(dir $(call objects,$(1)))% \
		$(BUILD)/obj/$(call part_of,$(1))/test/%,$(test_help_obj)) \
		$(call worlds_of,$(1))) \
		$(if $(filter $(lab)/%,$(1)),$(liblab)) \
		$(if $(filter src/scohort/% $(lab)/%,$(1)),$(libscohort)) $(libcohortconf) \
		$(call engine_of,$(1))
	@mkdir -p $$(@D)
	$$(call run,LINK)$$(CC) $$(CFLAGS) $$(exe_ldflags) -o $$@ $$^ $$(CMOCKA_LIBS) $$(scohort_libs)
endef
$(foreach f,$(test_main),$(eval $(call test_program,$(f))))

cluster_tests = $(sort $(wildcard testsuite/*/t[0-9]*.t))
# A program that hangs is a failure, not a wait without end
TEST_SECONDS = 600
prove = $(PROVE) --timer --exec 'timeout -k 60 $(TEST_SECONDS)' -j$(PROVE_JOBS)
test_env = COHORT_BUILD=$(abspath $(BUILD)) COHORT_TOP=$(CURDIR)

# What is preloaded into each slurmctld of a test (testsuite/lib/preload.sh): the same,
# whatever else is built with other flags
preloaded = $(BUILD)/test/wake.so
$(preloaded): $(BUILD)/test/%.so: testsuite/clock/%.c Makefile config.mk
	@mkdir -p $(@D)
	$(call run,LINK)$(CC) $(CPPFLAGS) $(std) -O1 $(WARN_CFLAGS) $(filter -Werror,$(CFLAGS)) \
		-fPIC -shared -o $@ $< -ldl

.PHONY: check unit test-programs demo bench bench-slurmctld
test-programs: $(test_prog) $(preloaded)

unit: $(test_prog)
	$(test_env) $(prove) $(test_prog)

# What is tested: the installed Slurm, and those of other Debian releases. Only
# root can do the latter, and only where Debian is. ON=installed: one of them.
codename := $(shell sed -n 's/^VERSION_CODENAME=//p' /etc/os-release 2>/dev/null)
RELEASES = $(if $(shell command -v dpkg),$(filter-out $(codename),bookworm trixie))
ON = installed $(RELEASES)
# That of Debian's next release, in check-long only: its Slurm may change on any day
TESTING = $(if $(LONG),$(if $(releases),forky))
releases = $(if $(filter 0,$(shell id -u)),$(filter-out installed,$(ON)))
check_what = $(if $(SLURM_ROOT),--root $(SLURM_ROOT),\
	$(foreach o,$(ON),$(if $(filter installed,$(o)),--installed,--release $(o))) $(TESTING:%=--testing %))

# LONG=yes: also what only check-long runs (testsuite/README.md says why), and all
# of it with each Slurm; else with others only what testsuite/elsewhere names
LONG =
long = $(shell sed -n '/^\#\# Only in make check-long/,/^\#\# [^O]/s/^- \([t0-9, ]*\):.*/\1/p' testsuite/README.md | tr -d ,)
unit_tests = $(filter-out $(counting:%=$(sanitized)/test/%),$(test_prog:$(BUILD)/%=$(sanitized)/%)) \
	$(FUZZ:%=$(sanitized)/fuzz/%)
all_tests = $(if $(SLURM_ROOT),,$(unit_tests)) $(cluster_tests)

# T= are names of tests or how they begin: t1001, common_quota_books, t45.
# TESTS= are files.
named = $(foreach f,$(all_tests),$(if $(filter $(1)%,$(notdir $(f))),$(f)))
TESTS = $(if $(T),$(foreach t,$(T),$(or $(call named,$(t)),$(error T=$(t): no such test))),\
	$(filter-out $(if $(LONG),,$(foreach t,$(long),$(call named,$(t)-))),$(all_tests)))
# Those that ask no Slurm run once, from a build with sanitizers: unit tests, inputs of
# fuzz targets, and those of scohort that are soon done though everything is slower
once = $(filter $(sanitized)/% $(foreach t,t0105 t0120 t0130,$(call named,$(t)-)),$(TESTS))
check_builds = $(if $(SLURM_ROOT),,all $(preloaded) $(if $(once),build-sanitized) \
	$(if $(filter-out $(once),$(TESTS)),$(releases:%=build/root/%)))
check_deps = $(if $(once),clang libclang-rt-dev) $(if $(releases),debootstrap) $(if $(LONG),valgrind)
# Tests that need one of these and don't find it say so
check_extras = $(if $(LONG),chromium-driver lintian rpm)

.PHONY: build-sanitized check-long flaky $(releases:%=build/root/%)
build-sanitized:
	$(call again,sanitized,$(sanitize_flags),CC=clang $(sanitized)/scohort $(sanitized)/engine-lab $(filter $(sanitized)/%,$(once)))

$(releases:%=build/root/%): build/root/%:
	@testsuite/root $* $@

# One prove, one summary: its last line is the answer
check:
	$(if $(SLURM_ROOT),,@build-aux/install-deps $(check_deps))
	@for p in $(if $(SLURM_ROOT),,$(check_extras)); do build-aux/install-deps $$p || echo "without $$p" >&2; done
	$(if $(check_builds),+@$(MAKE) --no-print-directory $(check_builds))
	@$(test_env) CONFIGURE_ARGS='$(CONFIGURE_ARGS)' CFLAGS='$(CFLAGS)' PROVE='$(PROVE)' \
		PROVE_JOBS=$(PROVE_JOBS) TEST_SECONDS=$(TEST_SECONDS) $(sanitizer_options) \
		testsuite/check $(if $(once),--once $(sanitized) $(once) --) \
		$(check_what) $(if $(LONG)$(T),,--elsewhere testsuite/elsewhere) \
		-- $(filter-out $(once),$(TESTS:$(CURDIR)/%=%))

# The model check with seeds that nobody has tried, and steps of optimized code, too
check-long: fuzz $(BUILD)/test/common_model $(counting:%=$(BUILD)/test/%)
	@set -e; for t in $(counting); do $(BUILD)/test/$$t; done
	COHORT_MODEL_FIRST=$$(date +%s)000000 COHORT_MODEL_EVENTS=1000000 $(BUILD)/test/common_model
	+COHORT_LONG=1 $(MAKE) --no-print-directory check LONG=yes TEST_SECONDS=2400

# N=20: how often each
N = 20
flaky: deps all $(preloaded)
	@$(test_env) PROVE_JOBS=$(PROVE_JOBS) TEST_SECONDS=$(TEST_SECONDS) \
		testsuite/flaky $(N) $(filter testsuite/%,$(TESTS:$(CURDIR)/%=%))

demo: deps all
	@$(test_env) WEB='$(WEB)' testsuite/demo

# Pictures for the documents
.PHONY: screenshots
screenshots: all
	@build-aux/install-deps chromium-driver
	$(test_env) testsuite/web/screenshots doc/images

# TIMINGS= is a folder with scenarios and the times of a reference scheduler for them
TIMINGS =
bench: deps all
	$(if $(TIMINGS),$(BUILD)/engine-lab time --against $(TIMINGS)/kueue-timings.json $(wildcard $(TIMINGS)/*.json.gz))
	$(BUILD)/engine-lab worlds

# BENCH= are its options: make bench-slurmctld BENCH='--rounds 3 --sides none,nobody'
bench-slurmctld: deps all
	$(test_env) testsuite/bench-slurmctld $(BENCH)

include testsuite/nets.mk

# ---- install ----

# install-client is what every host needs: command, man pages, completion, and the
# folder that PluginDir names. install-plugins is for the host of slurmctld.

.PHONY: install install-client install-plugins uninstall deb rpm
install: install-client install-plugins

install-client: $(programs)
	install -d $(DESTDIR)$(plugindir) $(DESTDIR)$(bindir) $(DESTDIR)$(docdir)/doc
	$(if $(programs),install -m 755 $(programs) $(DESTDIR)$(bindir))
	install -D -m 644 $(completion) $(DESTDIR)$(completiondir)/scohort
	install -m 644 README.md COPYING $(DESTDIR)$(docdir)
	install -m 644 $(user_guide) $(DESTDIR)$(docdir)/doc
	install -m 644 $(plots_licence) $(DESTDIR)$(docdir)/COPYING.uPlot
	@set -e; for m in $(mans); do \
		dir=$(DESTDIR)$(mandir)/man$${m##*.}; \
		install -d $$dir; install -m 644 $$m $$dir; done

install-plugins: $(plugins)
	install -d $(DESTDIR)$(plugindir) $(DESTDIR)$(unitdir) $(DESTDIR)$(docdir)/examples \
		$(DESTDIR)$(docdir)/doc/images
	$(if $(plugins),install -m 755 $(plugins) $(DESTDIR)$(plugindir))
	install -m 644 $(examples) $(monitoring) $(DESTDIR)$(docdir)/examples
	install -m 644 $(docs) $(DESTDIR)$(docdir)
	install -m 644 $(filter-out $(user_guide),$(guides)) $(DESTDIR)$(docdir)/doc
	install -m 644 $(wildcard doc/images/*) $(DESTDIR)$(docdir)/doc/images
	install -m 644 $(filter-out %.in,$(units)) $(DESTDIR)$(unitdir)
	@set -e; for u in $(filter %.in,$(units)); do \
		to=$(DESTDIR)$(unitdir)/$$(basename $$u .in); \
		sed 's|@bindir@|$(bindir)|' $$u >$$to; chmod 644 $$to; done

# Packages for the Slurm that was configured for, in DEB_DIR and RPM_DIR. RPM_SLURM is
# the rpm that has Slurm's plugins (slurm-ohpc); "none": Slurm is from no rpm.
DEB_DIR = $(BUILD)
RPM_DIR = $(BUILD)
RPM_SLURM =
deb: all
	@build-aux/deb '$(DEB_DIR)'
rpm: all
	@BUILD='$(BUILD)' build-aux/rpm '$(RPM_DIR)' $(RPM_SLURM)

# The version is that of configure.ac. The tarball needs no git.
.PHONY: dist
DIST_DIR = $(BUILD)
dist:
	@build-aux/dist '$(DIST_DIR)'

uninstall:
	rm -f $(addprefix $(DESTDIR)$(plugindir)/,$(notdir $(plugins)))
	rm -f $(addprefix $(DESTDIR)$(bindir)/,$(notdir $(programs)))
	rm -f $(addprefix $(DESTDIR)$(docdir)/,COPYING.uPlot $(docs) $(guides) $(wildcard doc/images/*) $(addprefix examples/,$(notdir $(examples) $(monitoring))))
	rm -f $(DESTDIR)$(completiondir)/scohort
	rm -f $(addprefix $(DESTDIR)$(unitdir)/,$(notdir $(units:.in=)))
	rm -f $(foreach m,$(mans),$(DESTDIR)$(mandir)/man$(patsubst .%,%,$(suffix $(m)))/$(notdir $(m)))
	-rmdir $(DESTDIR)$(docdir)/examples $(DESTDIR)$(docdir)/doc/images $(DESTDIR)$(docdir)/doc $(DESTDIR)$(docdir) $(DESTDIR)$(plugindir)

# ---- the rest ----

.PHONY: clean distclean help
clean:
	rm -rf $(BUILD)/obj $(BUILD)/test $(BUILD)/plugins $(BUILD)/*.a $(BUILD)/scohort $(BUILD)/engine-lab

# The cached source of Slurm stays (.cache): it is no product of this tree
distclean:
	rm -rf build autom4te.cache configure config.status config.log config.mk

help:
	@sed -n '/^#\tmake/,/^#$$/s/^#\t/\t/p' Makefile
	@echo '	make uninstall clean distclean bench bench-slurmctld test-programs plugins deps'

-include $(patsubst %.o,%.d,$(common_obj) $(counted_obj) $(config_obj) $(scohort_obj) $(lab_obj) $(ctld_obj) \
	$(select_obj) $(preempt_obj) $(test_obj))
