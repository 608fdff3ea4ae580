dnl SPDX-License-Identifier: GPL-2.0-or-later
dnl COHORT_PKG(PREFIX, MODULE, PACKAGE, [optional])
dnl Asks pkg-config for MODULE, which may have ">= VERSION" behind it, and substitutes PREFIX_CFLAGS and PREFIX_LIBS.
dnl One that is missing is an error that names the Debian package to install,
dnl unless it is optional: then HAVE_PREFIX is empty in config.mk.

AC_DEFUN([COHORT_PKG], [
AC_MSG_CHECKING([for $2])
AS_IF([$PKG_CONFIG --exists "$2" 2>/dev/null],
	[$1_CFLAGS=`$PKG_CONFIG --cflags "$2"`
	 $1_LIBS=`$PKG_CONFIG --libs "$2"`
	 HAVE_$1=yes
	 cohort_version=`$PKG_CONFIG --modversion "$2"`
	 AC_MSG_RESULT([$cohort_version])],
	[$1_CFLAGS= $1_LIBS= HAVE_$1=
	 AC_MSG_RESULT([no])
	 m4_if([$4], [optional], [:],
		[AC_MSG_ERROR([$2 not found by $PKG_CONFIG: install $3 and pkg-config])])])
AC_SUBST([$1_CFLAGS])
AC_SUBST([$1_LIBS])
AC_SUBST([HAVE_$1])
])
