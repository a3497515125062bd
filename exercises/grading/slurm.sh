#!/usr/bin/env bash
# Grades a class on a cluster, an exercise a task. From the checkout, with submissions and results on a shared disk:
#   sbatch exercises/grading/slurm.sh SUBMISSIONS RESULTS
# A task that is started again goes on with the journal beside its results.
#SBATCH --job-name=lanes-grade
#SBATCH --array=0-3
#SBATCH --cpus-per-task=4
#SBATCH --mem=8G
#SBATCH --time=01:00:00
#SBATCH --requeue
set -euo pipefail

submissions=$1
results=$2
exercises=(12_pitch 13_column_sums 23_blur 33_transpose)  # as many as --array has tasks
exercise=${exercises[$SLURM_ARRAY_TASK_ID]}

mkdir -p "$results"
"${LANES:-build/bin/lanes}" grade "$submissions" --exercise "$exercise" --jobs "$SLURM_CPUS_PER_TASK" \
    --csv "$results/$exercise.csv" --json "$results/$exercise.json"
