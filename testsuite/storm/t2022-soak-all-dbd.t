#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='the same with slurmdbd: QOS, limits and accounts come, change and go'
ACCOUNTING=1
. "$(dirname "$0")/t2021-soak-all.t"
