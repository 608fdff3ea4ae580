dnl SPDX-License-Identifier: GPL-2.0-or-later
dnl COHORT_SLURM
dnl Finds the installed Slurm and the source of the very same version, whose
dnl internal headers the plugins are compiled with. Slurm's loader wants the
dnl exact version and job_record_t changes between micro releases, so that a
dnl mismatch is an error here rather than a crash of slurmctld later.
dnl
dnl Slurm's own ./configure is not run: build/config.h says what its headers
dnl want to know.

AC_DEFUN([COHORT_SLURM_OPTIONS], [
AC_ARG_WITH([slurm-source],
	[AS_HELP_STRING([--with-slurm-source=DIR],
		[source tree of the installed Slurm (default: from apt's source package)])],
	[SLURM_SOURCE=$withval], [SLURM_SOURCE=])
AC_ARG_WITH([slurm-version],
	[AS_HELP_STRING([--with-slurm-version=X.Y.Z],
		[version to build for (default: what slurmctld -V says)])],
	[SLURM_VERSION=$withval], [SLURM_VERSION=])
AC_ARG_WITH([slurm-plugindir],
	[AS_HELP_STRING([--with-slurm-plugindir=DIR],
		[folder of Slurm's own plugins (default: found beside slurmctld)])],
	[SLURM_PLUGINDIR=$withval], [SLURM_PLUGINDIR=])
AC_ARG_WITH([slurm-sysconfdir],
	[AS_HELP_STRING([--with-slurm-sysconfdir=DIR],
		[folder of slurm.conf (default: /etc/slurm)])],
	[SLURM_SYSCONFDIR=$withval], [SLURM_SYSCONFDIR=/etc/slurm])
])

AC_DEFUN([COHORT_SLURM_INSTALLED], [
AC_PATH_PROG([SLURMCTLD], [slurmctld], [],
	[$PATH$PATH_SEPARATOR/usr/sbin$PATH_SEPARATOR/usr/local/sbin])
AC_MSG_CHECKING([for the version of Slurm])
AS_IF([test -z "$SLURM_VERSION" && test -n "$SLURMCTLD"],
	[SLURM_VERSION=`"$SLURMCTLD" -V | awk '{ print $[]2; exit }'`])
AS_IF([test -z "$SLURM_VERSION"],
	[AC_MSG_ERROR([no slurmctld found: install it, or say --with-slurm-version])])
AC_MSG_RESULT([$SLURM_VERSION])
])

AC_DEFUN([COHORT_SLURM_PLUGINS], [
AC_MSG_CHECKING([for Slurm's plugins])
AS_IF([test -z "$SLURM_PLUGINDIR"],
	[cohort_prefix=`dirname "${SLURMCTLD:-/usr/sbin/slurmctld}"`/..
	 for cohort_dir in "$cohort_prefix"/lib*/slurm-wlm "$cohort_prefix"/lib*/slurm \
			"$cohort_prefix"/lib/*/slurm-wlm "$cohort_prefix"/lib/*/slurm; do
		AS_IF([test -e "$cohort_dir/select_cons_tres.so"],
			[SLURM_PLUGINDIR=`cd -P "$cohort_dir" && pwd -P`; break])
	 done])
AS_IF([test ! -e "$SLURM_PLUGINDIR/select_cons_tres.so"],
	[AC_MSG_ERROR([no select_cons_tres.so in $SLURM_PLUGINDIR: say --with-slurm-plugindir])])
AC_MSG_RESULT([$SLURM_PLUGINDIR])
])

AC_DEFUN([COHORT_SLURM_HEADERS], [
AS_IF([test -z "$SLURM_SOURCE"],
	[AC_MSG_NOTICE([getting the source of Slurm $SLURM_VERSION through apt])
	 SLURM_SOURCE=`"$srcdir/build-aux/slurm-source" "$SLURM_VERSION"` ||
		AC_MSG_ERROR([no source of Slurm $SLURM_VERSION: say --with-slurm-source])])
AS_CASE([$SLURM_SOURCE], [/*], [],
	[SLURM_SOURCE=`cd "$SLURM_SOURCE" && pwd` || AC_MSG_ERROR([no such Slurm source])])
AC_MSG_CHECKING([for the version of the headers])
AS_IF([test ! -r "$SLURM_SOURCE/META"],
	[AC_MSG_ERROR([$SLURM_SOURCE is no source tree of Slurm: it has no META])])
dnl slurmctld -V adds the release where it is not 1, and a vendor's suffix stands in either
cohort_headers=`awk '$[]1 == "Version:" { v = $[]2 } $[]1 == "Release:" && $[]2 != "1" { r = "-" $[]2 }
	END { print v r }' "$SLURM_SOURCE/META"`
AC_MSG_RESULT([$cohort_headers])
AS_CASE([$SLURM_VERSION],
	[$cohort_headers], [],
	[`echo "$cohort_headers" | sed 's/-.*//'`|`echo "$cohort_headers" | sed 's/-.*//'`-*],
		[AC_MSG_WARN([the headers are of Slurm $cohort_headers, slurmctld is $SLURM_VERSION:
	if that vendor changed job records, say --with-slurm-source=DIR])],
	[AC_MSG_ERROR([the headers in $SLURM_SOURCE are of Slurm $cohort_headers,
	but slurmctld is $SLURM_VERSION: the plugins need headers of exactly that version])])
])

AC_DEFUN([COHORT_SLURM], [
COHORT_SLURM_OPTIONS
COHORT_SLURM_INSTALLED
COHORT_SLURM_PLUGINS
COHORT_SLURM_HEADERS
SLURM_VERSION_NUMBER=`echo "$SLURM_VERSION" | awk -F'@<:@.-@:>@' \
	'{ printf "0x%02x%02x%02x", $[]1, $[]2, $[]3 }'`
AC_DEFINE_UNQUOTED([SLURM_VERSION_STRING], ["$SLURM_VERSION"])
AC_DEFINE_UNQUOTED([COHORT_SLURM_SYSCONFDIR], ["$SLURM_SYSCONFDIR"])
AC_CHECK_FUNCS([strlcpy])
AC_CHECK_LIB([slurm], [slurm_load_jobs], [SLURM_LIBS=-lslurm], [SLURM_LIBS=])
AC_SUBST([SLURM_LIBS])
AC_SUBST([SLURM_SOURCE])
AC_SUBST([SLURM_VERSION])
AC_SUBST([SLURM_VERSION_NUMBER])
AC_SUBST([SLURM_PLUGINDIR])
AC_SUBST([SLURM_SYSCONFDIR])
AS_VAR_COPY([HAVE_LIBSLURM], [SLURM_LIBS])
AS_IF([test -n "$SLURM_LIBS"], [AC_DEFINE([HAVE_LIBSLURM], [1])])
])
