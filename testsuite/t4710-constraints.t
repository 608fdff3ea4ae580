#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='many --constraint texts, and long ones, cost what their jobs cost; and are judged right'
. "$(dirname "$0")/lib.sh"
. "$TESTSUITE/lib/quota.sh"
. "$TESTSUITE/lib/reason.sh"
. "$TESTSUITE/lib/scohort.sh"

# Twelve features make many texts; n3 and n4 are of another rack
{
	quick_scheduler
	echo 'NodeName=DEFAULT Features=a,b,c,d,e,f,g,h,i,j,k,l'
} >extra.conf
{
	quota_head
	echo 'clusterQueues:'
	queue q 4
} >cohort.yaml
cluster_up --cohort cohort.yaml --slurm-conf extra.conf --node-conf nodes.conf
