#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='the RPMs: what is in them, what they need, and what they say'
. "$(dirname "$0")/../lib.sh"

command -v rpmbuild >/dev/null || {
	skip_all='no rpmbuild here (Debian: package rpm)'
	test_done
}

version=$(sed -n 's/^SLURM_VERSION = //p' "$TOP/config.mk")
plugindir=$(sed -n 's/^SLURM_PLUGINDIR = //p' "$TOP/config.mk")
folder=/usr/lib/slurm-cohort

# built LIBRARY: scohort is built with that optional one (SQLITE, MHD)
built() { grep -qx "HAVE_$1 = yes" "$TOP/config.mk"; }
optional_units=$(! built SQLITE || echo /usr/lib/systemd/system/slurm-cohort-record.{service,timer}
	! built MHD || echo /usr/lib/systemd/system/slurm-cohort-web.service)

# A database of its own: nothing of this machine's is asked or changed
query() { rpm --dbpath "$WORK/db" -qp --nosignature "$@"; }

make_rpm() {
	env -u MAKEFLAGS -u MAKELEVEL make -s -C "$TOP" BUILD="$BUILD" "$@" rpm
}

test_expect_success 'make rpm: two files, named for both versions' '
	make_rpm RPM_DIR="$WORK/rpms" >out &&
	rpm=$(ls "$WORK"/rpms/slurm-cohort-[0-9]*.rpm) && client=$(ls "$WORK"/rpms/slurm-cohort-client-*.rpm) &&
	[ "$(ls "$WORK"/rpms/*.rpm | wc -l)" -eq 2 ] && grep -x "$rpm" out && grep -x "$client" out &&
	for f in "$rpm" "$client"; do
		echo "$f" | grep -E -- "-[0-9.]+\+slurm$version-1.*\.rpm$" || return 1
	done
'

# holds RPM FILE...: it has these, and all belongs to root
holds() {
	local rpm=$1 f
	shift
	query -l "$rpm" >files || return 1
	for f in "$@"; do
		grep -qx "$f" files || { echo "$f is missing"; return 1; }
	done
	query -lv "$rpm" | awk '$3 != "root" || $4 != "root" { print; bad = 1 } END { exit bad }' &&
		! grep -E "^/(etc|var)/|build-id" files
}

test_expect_success 'one for slurmctld: plugins, examples, units' '
	holds "$rpm" $folder/libcohort_ctld.so $folder/select_cons_tres.so $folder/preempt_cohort.so \
		/usr/lib/systemd/system/slurm-cohort-metrics.service \
		/usr/lib/systemd/system/slurm-cohort-metrics.timer \
		$optional_units \
		/usr/share/doc/slurm-cohort/NEWS.md /usr/share/doc/slurm-cohort/doc/admin-guide.md \
		/usr/share/doc/slurm-cohort/examples/cohort.yaml.example &&
	! grep -E "/(bin|man)/" files
'

test_expect_success 'one for all hosts: command, man pages, completion, the folder without plugins' '
	holds "$client" /usr/bin/scohort $folder /usr/share/man/man1/scohort.1.gz \
		/usr/share/man/man5/cohort.yaml.5.gz /usr/share/man/man8/slurm-cohort.8.gz \
		/usr/share/bash-completion/completions/scohort /usr/share/doc/slurm-cohort/COPYING \
		/usr/share/doc/slurm-cohort/doc/user-guide.md /usr/share/doc/slurm-cohort/COPYING.uPlot &&
	! grep -E "\.so$|systemd" files
'

test_expect_success 'the former wants exactly this Slurm, and the latter of the same build' '
	query --requires "$rpm" >requires &&
	grep -xE "slurm(-[a-z]+)* = ([0-9]+:)?$version" requires &&
	grep -xF "slurm-cohort-client = $(query --qf "%{VERSION}-%{RELEASE}" "$client")" requires &&
	grep "^libjson-c" requires && ! grep -E "select_cons_tres|libcohort_ctld" requires &&
	query --provides "$rpm" >provides && ! grep "\.so" provides &&
	query --requires "$client" >requires && grep "^libjson-c" requires &&
	! grep -E "^slurm" requires
'

test_expect_success 'Slurm from a package of another name, and from none' '
	make_rpm RPM_DIR="$WORK/ohpc" RPM_SLURM=slurm-ohpc &&
	query --requires "$WORK"/ohpc/slurm-cohort-[0-9]*.rpm | grep -x "slurm-ohpc = $version" &&
	make_rpm RPM_DIR="$WORK/none" RPM_SLURM=none &&
	query --requires "$WORK"/none/slurm-cohort-[0-9]*.rpm >requires &&
	! grep -v "^slurm-cohort-client" requires | grep "^slurm"
'

# says WHEN RPM ARGUMENT: what its script of that name prints, in a root of its own
says() {
	query --qf "%{$1}" "$2" >script && DPKG_ROOT=$WORK/root sh script "$3" >out 2>&1
}

test_expect_success 'after installation: the three lines for slurm.conf, told once' '
	mkdir -p "$WORK/root/etc/slurm" "$WORK/root$folder" &&
	for p in "$rpm" "$client"; do
		says POSTTRANS "$p" 1 &&
		grep -x "    PluginDir=$folder:$plugindir" out &&
		grep -x "    PreemptType=preempt/cohort" out && grep -x "    PreemptMode=REQUEUE" out ||
			return 1
	done &&
	: >"$WORK/root$folder/preempt_cohort.so" && says POSTTRANS "$client" 1 && test_must_be_empty out
'

test_expect_success 'where slurm.conf has them: a restart is wanted; removal warns, an upgrade does not' '
	echo "PluginDir=$folder:$plugindir" >"$WORK/root/etc/slurm/slurm.conf" &&
	says POSTTRANS "$rpm" 2 && grep "slurm.conf names $folder: restart slurmctld" out &&
	! grep PreemptMode out && says POSTTRANS "$client" 2 && test_must_be_empty out &&
	for p in "$rpm" "$client"; do
		says PREUN "$p" 1 && test_must_be_empty out &&
		says PREUN "$p" 0 && grep "WARNING: .*slurm.conf still names $folder" out || return 1
	done &&
	rm "$WORK/root/etc/slurm/slurm.conf" && says PREUN "$rpm" 0 && test_must_be_empty out
'

test_expect_success 'rpm installs both, and refuses the plugins alone' '
	there="--root $WORK/sys --dbpath /db" &&
	mkdir -p "$WORK/sys/db" && rpm $there --initdb &&
	test_must_fail rpm $there -i --test "$rpm" 2>err &&
	grep "slurm-cohort-client = .* is needed by" err && grep "slurm.* = $version is needed by" err &&
	rpm $there -i --noscripts --nodeps "$rpm" "$client" &&
	[ -x "$WORK/sys/usr/bin/scohort" ] && [ -e "$WORK/sys$folder/preempt_cohort.so" ] &&
	{ ! built MHD || grep -x "ExecStart=/usr/bin/scohort web --listen \${LISTEN} \$OPTIONS" "$WORK/sys/usr/lib/systemd/system/slurm-cohort-web.service"; } &&
	rpm $there -e --noscripts --nodeps slurm-cohort &&
	[ -d "$WORK/sys$folder" ] && [ -z "$(ls -A "$WORK/sys$folder")" ] &&
	rpm $there -e --noscripts slurm-cohort-client && [ ! -e "$WORK/sys$folder" ]
'

test_done
