#!/usr/bin/env bash
# A guided tour of ndnf that runs its commands. Usage: examples/demo.sh NDNF
set -eu
cd "$(dirname "$(realpath "$0")")/.."
PATH="$(dirname "$(realpath "$1")"):$PATH"
made=build/demo
mkdir -p "$made"

bold='' plain=''
if [ -t 1 ]; then
  bold=$'\e[1m' plain=$'\e[0m'
fi
say() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }
run() {
  printf '$ %s\n' "$*"
  "$@"
}

say "1. Tasks are finite models, described exactly. These are built in:"
run ndnf envs

say "2. One of them: a corridor in which the agent observes only walls, and one square swaps left and right.
   No deterministic policy reaches the goal, so the best one is stochastic. Its optimality is proved."
run ndnf envs small-corridor:wall

say "3. The exact expected return of a policy: uniform actions in Blackjack, over all possible games."
run ndnf eval uniform --env blackjack

say "4. The same for the optimal policy:"
run ndnf eval optimal --env blackjack

say "5. The same by simulating a hundred million games on all cores, with the standard error:"
run ndnf eval optimal --env blackjack --episodes 1e8

say "6. Selection matters: the optimal Taxi policy with one action in ten taken at random."
run ndnf eval optimal --env taxi --select epsilon:0.1

say "7. Train a policy: a neural DNF-MT actor learns to open the doors, from images, in a second or two.
   Its expected return is exact, and so is the gap to the optimum."
rm -rf "$made/run"
run ndnf train door-corridor-ndnf-mt --out "$made/run"
run ndnf eval "$made/run"

say "8. Extract a logic program that agrees with the network on every image. The paper's method and lossless ones are
   tried, over the predicates that the network invents and over the task's own atoms; the smallest faithful program
   is chosen."
run ndnf extract "$made/run"

say "9. The program is itself a policy. The real clingo gives the same return:"
run ndnf eval "$made/run/policy.lp" --with clingo

say "10. The paper could not train Taxi with PPO. With other settings it reaches the optimum, and the actor's conjunctions
   become plain truth values:"
rm -rf "$made/taxi"
run ndnf train best/taxi-ndnf-mt --out "$made/taxi"
run ndnf eval "$made/taxi"

say "11. Blackjack: the best actions of another network as an exactly-one program with the fewest rules, which is
   proved. With a default action fewer rules are enough."
rm -rf "$made/blackjack"
run ndnf train blackjack-ndnf-mt --out "$made/blackjack"
run ndnf extract "$made/blackjack" --as asp --compact

say "12. Your own task and policy can be two JSON files:"
run ndnf eval examples/two-rooms-policy.json --env examples/two-rooms.json

say "13. Every state can be drawn."
run ndnf envs taxi --state 14 --svg "$made/taxi.svg"
run ndnf envs blackjack --state 200 --svg "$made/blackjack.svg"
run ndnf envs door-corridor --svg "$made/door-corridor.svg"

say "14. Edit. In door-corridor-t the goal must be toggled from the square before it, so the policy would never finish.
   Add one rule that overrides the others where it applies:"
run ndnf edit "$made/run/policy.lp" --env door-corridor-t --when one_step_ahead_goal --do toggle -o "$made/edited.lp"
run ndnf diff "$made/run/policy.lp" "$made/edited.lp" --env door-corridor-t

say "15. Check the edited program in all visited observations, then compile it into a network, without training:"
run ndnf check "$made/edited.lp" --env door-corridor-t --scope visited --property 'P>=1 [F<=8 "end"]'
run ndnf compile "$made/edited.lp" --env door-corridor-t -o "$made/edited.safetensors"
run ndnf eval "$made/edited.safetensors"

say "Next"
cat <<EOF
  build/default/cli/ndnf studio build/demo/run   the studio: watch, edit and prove the policy of step 7 in a browser
  build/default/cli/ndnf report build/demo/run   the same policy as one page
  build/default/cli/ndnf --help       the commands
  docs/training.md                    train, resume, change settings
  docs/extraction.md                  from network to logic, and what faithful means
  docs/checking.md                    check, compare and explain policies
  docs/model-file.md                  define your own task
  docs/design.md                      the design
  make test                           all tests, with Storm, clingo, ProbLog and Gymnasium as referees
EOF
