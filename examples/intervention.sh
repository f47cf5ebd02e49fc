#!/usr/bin/env bash
# Policy intervention, as in the paper: one added rule adapts a policy learned for Door Corridor to two other doors.
# Usage: examples/intervention.sh [NDNF [SEED [FOLDER]]]
set -eu
ndnf=${1:-build/default/cli/ndnf}
seed=${2:-0}
made=${3:-build/intervention/seed-$seed}

rm -rf "$made"
mkdir -p "$made"

echo "door-corridor, seed $seed"
"$ndnf" train best/door-corridor-ndnf-mt --seed "$seed" --out "$made/run"
# Over the predicates that the network invents. Exit code 1: the program is faithful only to their truth values.
"$ndnf" extract "$made/run" --over predicates >"$made/extraction.txt" || [ $? -eq 1 ]
cat "$made/run/policy.lp"

# intervene ENVIRONMENT CONDITION STEPS
intervene() {
  echo
  echo "$1: toggle where $2"
  "$ndnf" eval "$made/run/policy.lp" --env "$1" | sed -n 's/^return/before the edit/p'
  "$ndnf" edit "$made/run/policy.lp" --env "$1" --when "$2" --do toggle --encoder "$made/run" --scope visited \
    -o "$made/$1.lp" >"$made/edit.txt"
  cat "$made/edit.txt"
  encoder=()
  if grep -q "in the encoder's predicates" "$made/edit.txt"; then encoder=(--encoder "$made/run"); fi
  "$ndnf" compile "$made/$1.lp" "${encoder[@]}" -o "$made/$1.safetensors"
  "$ndnf" check "$made/$1.safetensors" --scope visited --property "P>=1 [F<=$3 \"end\"]"
  "$ndnf" eval "$made/$1.safetensors"
}
intervene door-corridor-t one_step_ahead_goal 8
intervene door-corridor-ot curr_location_goal 9
