#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='squeue: REASON of waiting jobs says place and reason, and keeps still'
. "$(dirname "$0")/lib.sh"
. "$TESTSUITE/lib/reason.sh"

cat >slurm.conf <<-EOF
	PartitionName=low Nodes=ALL PriorityTier=1
	PartitionName=high Nodes=ALL PriorityTier=20
