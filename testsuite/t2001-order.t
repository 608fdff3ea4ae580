#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='who goes first, and whom a waiting job holds up'
. "$(dirname "$0")/lib.sh"
. "$TESTSUITE/lib/reason.sh"

cat >slurm.conf <<-EOF
	PartitionName=low Nodes=ALL PriorityTier=1
	PartitionName=high Nodes=ALL PriorityTier=20
