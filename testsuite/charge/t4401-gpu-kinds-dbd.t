#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='the same with slurmdbd, whose TRES count GPUs, too'
ACCOUNTING=yes
. "$(dirname "$0")/t4400-gpu-kinds.t"
