#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='the Debian packages: what is in them, what they need, and their removal'
. "$(dirname "$0")/../lib.sh"

command -v dpkg-shlibdeps >/dev/null || {
	skip_all='no dpkg-dev here'
	test_done
}

version=$(sed -n 's/^SLURM_VERSION = //p' "$TOP/config.mk")
folder=/usr/lib/slurm-cohort

# built LIBRARY: scohort is built with that optional one (SQLITE, MHD)
built() { grep -qx "HAVE_$1 = yes" "$TOP/config.mk"; }
optional_units=$(! built SQLITE || echo /usr/lib/systemd/system/slurm-cohort-record.{service,timer}
	! built MHD || echo /usr/lib/systemd/system/slurm-cohort-web.service)

test_expect_success 'make deb: two files, named for both versions' '
	env -u MAKEFLAGS -u MAKELEVEL make -s -C "$TOP" BUILD="$BUILD" DEB_DIR="$WORK" deb >out &&
	deb=$(ls "$WORK"/slurm-cohort_*.deb) && client=$(ls "$WORK"/slurm-cohort-client_*.deb) &&
	[ "$(ls "$WORK"/*.deb | wc -l)" -eq 2 ] &&
	grep -x "$deb" out && grep -x "$client" out &&
	for f in "$deb" "$client"; do
		echo "$f" | grep -E "_[0-9.]+\+slurm${version}_[a-z0-9]+\.deb$" || return 1
	done
'

# holds DEB FILE...: it has these
holds() {
	local deb=$1 f
	shift
	dpkg-deb -c "$deb" >contents || return 1
	for f in "$@"; do
		grep -q " \.$f\$" contents || { echo "$f is missing"; return 1; }
	done
	! grep -v "root/root" contents && ! grep -E " \./(etc|var)/" contents
}

test_expect_success 'one for slurmctld: plugins, examples, units, and all is root'\''s' '
	holds "$deb" $folder/libcohort_ctld.so $folder/select_cons_tres.so $folder/preempt_cohort.so \
		/usr/lib/systemd/system/slurm-cohort-metrics.service \
		/usr/lib/systemd/system/slurm-cohort-metrics.timer \
		$optional_units \
		/usr/share/doc/slurm-cohort/README.md /usr/share/doc/slurm-cohort/NEWS.md.gz \
		/usr/share/doc/slurm-cohort/copyright /usr/share/doc/slurm-cohort/doc/admin-guide.md \
		/usr/share/doc/slurm-cohort/examples/cohort.yaml.example &&
	! grep -E "/(bin|man)/" contents
'

test_expect_success 'one for all hosts: command, man pages, completion, the folder without plugins' '
	holds "$client" /usr/bin/scohort $folder/ /usr/share/man/man1/scohort.1.gz \
		/usr/share/man/man5/cohort.yaml.5.gz /usr/share/man/man8/slurm-cohort.8.gz \
		/usr/share/bash-completion/completions/scohort \
		/usr/share/doc/slurm-cohort-client/copyright \
		/usr/share/doc/slurm-cohort-client/doc/user-guide.md &&
	! grep -E "\.so$|systemd" contents
'

test_expect_success 'the former wants the latter of the same build, which wants libraries only' '
	dpkg-deb -f "$deb" Depends |
		grep -F "slurm-cohort-client (= $(dpkg-deb -f "$client" Version))" &&
	dpkg-deb -f "$client" Depends >client-depends &&
	grep -E "libc6 .*libjson-c" client-depends && { ! built SQLITE || grep libsqlite3 client-depends; } &&
	{ ! built MHD || grep libmicrohttpd client-depends; } && ! grep -E "slurm-wlm|slurm-cohort" client-depends
'

# What the builder said, where Slurm is in a folder of its own: where its library is
# (LDFLAGS), and that the folder is below /tmp
lint_of_builder() {
	! grep -q '^LDFLAGS = .*rpath' "$TOP/config.mk" || echo custom-library-search-path
	! grep -q '^SLURM_PLUGINDIR = /tmp/' "$TOP/config.mk" ||
		echo possibly-insecure-handling-of-tmp-files-in-maintainer-script
}

if command -v lintian >/dev/null; then
test_expect_success 'lintian has no complaint' '
	tags=$(lint_of_builder | paste -s -d ,) &&
	lintian --allow-root --fail-on error,warning ${tags:+--suppress-tags $tags} \
		"$deb" "$client" >lint 2>&1 || {
		cat lint
		return 1
	}
'
else
	say_color skip '# no lintian here: it is not asked'
fi

test_expect_success 'the unit of the metrics writes the file as a whole, also without slurmctld' '
	dpkg-deb -x "$deb" unpacked &&
	unit=unpacked/usr/lib/systemd/system/slurm-cohort-metrics.service &&
	sed -n "s|^ExecStart=/bin/sh -c .\(.*\).\$|\1|p" $unit | sed "s/\\$\\$/\$/g" >script &&
	grep "^/usr/bin/scohort metrics --prometheus " script && ! grep "@" $unit &&
	printf "#!/bin/sh\necho slurm_cohort_up 0\nexit 1\n" >scohort-down && chmod +x scohort-down &&
	sed -i "s|^/usr/bin/scohort|./scohort-down|" script &&
	FILE=$PWD/metrics.prom sh script && grep "^slurm_cohort_up 0" metrics.prom &&
	printf "#!/bin/sh\nexit 1\n" >scohort-down &&
	! FILE=$PWD/metrics.prom sh script && grep "^slurm_cohort_up 0" metrics.prom &&
	grep "^OnUnitActiveSec=" "${unit%service}timer"
'

if built MHD; then
test_expect_success 'the unit of the web pages calls scohort as it can be called' '
	unit=unpacked/usr/lib/systemd/system/slurm-cohort-web.service &&
	[ "$(grep "^ExecStart=" $unit)" = "ExecStart=/usr/bin/scohort web --listen \${LISTEN} \$OPTIONS" ] &&
	grep -x "Environment=LISTEN=127.0.0.1:8090" $unit && ! grep "@[a-z]*@" $unit && grep -x "DynamicUser=yes" $unit
'
fi

if built SQLITE; then
test_expect_success 'the unit of the record calls scohort as it can be called' '
	unit=unpacked/usr/lib/systemd/system/slurm-cohort-record.service &&
	command=$(sed -n "s|^ExecStart=/usr/bin/scohort \(.*\) --db .*|\1|p" $unit) && [ "$command" = record ] &&
	! grep "@[a-z]*@" $unit && grep "^StateDirectory=slurm-cohort$" $unit &&
	grep "/var/lib/slurm-cohort/history.db" $unit && grep "^OnCalendar=" "${unit%service}timer" &&
	{ ! command -v systemd-analyze || systemd-analyze calendar "$(sed -n "s/^OnCalendar=//p" "${unit%service}timer")"; }
'
fi

test_expect_success 'without its library a command is not built in, and has no unit' '
	install_units() { env -u MAKEFLAGS -u MAKELEVEL make -s -n -C "$TOP" BUILD="$BUILD" install-plugins "$@" >out; } &&
	install_units HAVE_SQLITE= HAVE_MHD=yes && grep cohort-metrics.timer out && grep cohort-web out && ! grep cohort-record out &&
	install_units HAVE_SQLITE=yes HAVE_MHD= && grep cohort-record.timer out && grep cohort-record.service out && ! grep cohort-web out
'

# What dpkg says to: is this version of Slurm right for the package?
suits() {
	local low high
	low=$(dpkg-deb -f "$deb" Depends | grep -o "(>= [0-9:]*$version)" | tr -d '()>= ')
	high=$(dpkg-deb -f "$deb" Depends | grep -o "(<< [0-9:]*$version[^)]*)" | tr -d '()< ')
	dpkg --compare-versions "$1" ge "$low" && dpkg --compare-versions "$1" lt "$high"
}

owner=$(dpkg -S "$(sed -n "s/^SLURM_PLUGINDIR = //p" "$TOP/config.mk")/select_cons_tres.so" \
	2>/dev/null | cut -d: -f1)
dpkg-deb -f "$deb" Depends >depends

if [ -n "$owner" ]; then
test_expect_success 'it wants this micro release of Slurm, in any revision, and no other' '
	grep -F "$owner (" depends && grep -E "libc6 |libjson-c" depends &&
	suits "$(dpkg-query -W -f "\${Version}" "$owner")" &&
	suits "$version-1" && suits "$version-4+deb12u9" &&
	! suits "${version%.*}.99-1" && ! suits "${version}0-1" && ! suits "99.05.1-1" &&
	! suits "${version%.*}.0-1"
'
else
test_expect_success 'no package has this Slurm: it wants libraries only' '
	grep -E "libc6 |libjson-c" depends && ! sed "s/slurm-cohort-client (.*slurm[^)]*)//" depends | grep slurm
'
fi

# A root of its own for dpkg: nothing of this machine is touched
dpkg_there() {
	dpkg --root="$WORK/root" --force-script-chrootless --force-depends \
		--force-not-root --log=/dev/null "$@" >out 2>&1
}

plugindir=$(sed -n 's/^SLURM_PLUGINDIR = //p' "$TOP/config.mk")

# tells_lines WHO: the three lines for slurm.conf, once
tells_lines() {
	[ "$(grep -c "^$1: nothing is in force until slurm.conf" out)" -eq 1 ] &&
		grep -x "    PluginDir=$folder:$plugindir" out &&
		grep -x "    PreemptType=preempt/cohort" out && grep -x "    PreemptMode=REQUEUE" out
}

test_expect_success 'on other hosts: the folder, and the three lines for slurm.conf' '
	mkdir -p "$WORK/root/var/lib/dpkg/updates" "$WORK/root/var/lib/dpkg/info" "$WORK/root/etc/slurm" &&
	: >"$WORK/root/var/lib/dpkg/status" && : >"$WORK/root/var/lib/dpkg/available" &&
	echo "PluginDir=/usr/lib/slurm" >"$WORK/root/etc/slurm/slurm.conf" &&
	cp "$WORK/root/etc/slurm/slurm.conf" before &&
	dpkg_there -i "$client" && tells_lines slurm-cohort-client &&
	[ -x "$WORK/root/usr/bin/scohort" ] && [ -z "$(ls -A "$WORK/root$folder")" ]
'

test_expect_success 'with slurmctld: its own files, the lines told once, and nothing else changed' '
	dpkg_there -i "$deb" "$client" && tells_lines slurm-cohort &&
	! grep "^slurm-cohort-client: " out &&
	[ -e "$WORK/root$folder/preempt_cohort.so" ] && test_cmp before "$WORK/root/etc/slurm/slurm.conf" &&
	[ "$(ls -A "$WORK/root/etc")" = slurm ]
'

test_expect_success 'removing it while nothing names it says nothing' '
	dpkg_there -r slurm-cohort && ! grep WARNING out && [ -z "$(ls -A "$WORK/root$folder")" ] &&
	dpkg_there -r slurm-cohort-client && ! grep WARNING out && [ ! -e "$WORK/root$folder" ]
'

for line in "PluginDir=$folder:/usr/lib/slurm" " plugindir=/usr/lib/slurm:$folder/"; do
	test_expect_success "removing it while slurm.conf has '$line' warns" '
		echo "$line" >"$WORK/root/etc/slurm/slurm.conf" &&
		dpkg_there -i "$client" "$deb" && ! grep PreemptMode out &&
		grep "slurm-cohort: .*/slurm.conf names $folder: restart slurmctld" out &&
		dpkg_there -i "$deb" && ! grep WARNING out &&
		dpkg_there -r slurm-cohort && cat out &&
		grep "WARNING: .*/etc/slurm/slurm.conf still names $folder in PluginDir" out &&
		grep "(slurmctld)" out && [ -d "$WORK/root$folder" ] &&
		dpkg_there -r slurm-cohort-client &&
		grep "WARNING: .*/etc/slurm/slurm.conf still names $folder in PluginDir" out &&
		grep "(neither slurmctld nor slurmd nor any command)" out && [ ! -e "$WORK/root$folder" ]
	'
done

test_expect_success 'a comment does not' '
	echo "#PluginDir=$folder:/usr/lib/slurm" >"$WORK/root/etc/slurm/slurm.conf" &&
	dpkg_there -i "$deb" && dpkg_there -r slurm-cohort && ! grep WARNING out
'

test_done
