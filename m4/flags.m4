dnl SPDX-License-Identifier: GPL-2.0-or-later
dnl COHORT_FLAGS
dnl Substitutes WARN_CFLAGS, HARDEN_CFLAGS, HARDEN_LDFLAGS: each flag only if
dnl the compiler takes it.

AC_DEFUN([COHORT_TRY_CFLAG], [
AC_MSG_CHECKING([whether $CC takes $2])
cohort_saved_CFLAGS=$CFLAGS
CFLAGS="$CFLAGS -Werror $2"
AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
	[$1="$$1 $2"; AC_MSG_RESULT([yes])], [AC_MSG_RESULT([no])])
CFLAGS=$cohort_saved_CFLAGS
])

AC_DEFUN([COHORT_FLAGS], [
WARN_CFLAGS= HARDEN_CFLAGS= HARDEN_LDFLAGS=
m4_foreach_w([flag], [-Wall -Wextra -Wstrict-prototypes -Wvla],
	[COHORT_TRY_CFLAG([WARN_CFLAGS], flag)])
m4_foreach_w([flag], [-fstack-protector-strong -fstack-clash-protection
	-fcf-protection], [COHORT_TRY_CFLAG([HARDEN_CFLAGS], flag)])
COHORT_TRY_CFLAG([HARDEN_LDFLAGS], [-Wl,-z,relro])
COHORT_TRY_CFLAG([HARDEN_LDFLAGS], [-Wl,-z,noexecstack])
dnl Some distributions' gcc defines _FORTIFY_SOURCE already
HARDEN_CFLAGS="$HARDEN_CFLAGS -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2"
AC_SUBST([WARN_CFLAGS])
AC_SUBST([HARDEN_CFLAGS])
AC_SUBST([HARDEN_LDFLAGS])
])
