#!/usr/bin/env bash
# A tour of what ndnf does, by running it. Usage: examples/demo.sh NDNF
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

say "1. Tasks are finite models, described exactly. These come with the program:"
run ndnf envs

say "2. One of them: a corridor in which the agent only feels walls, and one square swaps left and right.
   No deterministic policy gets through, so the best one throws a coin; that it is the best is proved."
run ndnf envs small-corridor:wall

say "3. What is a policy worth? Blackjack, all actions alike, over all games that there are:"
run ndnf eval uniform --env blackjack

say "4. And the best policy?"
run ndnf eval optimal --env blackjack

say "5. The same by playing a hundred million games on all cores, with its standard error:"
run ndnf eval optimal --env blackjack --episodes 1e8

say "6. Selection matters: the best Taxi policy with one action in ten taken at random."
run ndnf eval optimal --env taxi --select epsilon:0.1

say "7. Learn a policy: a neural DNF-MT actor opens the doors, from images, in a second or two.
   What it earns is exact, and so is the distance to the optimum."
rm -rf "$made/run"
run ndnf train door-corridor-ndnf-mt --out "$made/run"
run ndnf eval "$made/run"

say "8. Read what it learned: the network as a logic program that does the same in every image. The paper's way is tried,
   and ways that lose nothing, over the predicates that the network invents and over the task's own atoms; the smallest
   faithful program is taken."
run ndnf extract "$made/run"

say "9. The program is a policy of its own. The real clingo agrees on what it earns:"
run ndnf eval "$made/run/policy.lp" --with clingo

say "10. The paper could not train Taxi with PPO. Other settings can, to the optimum, and the actor's conjunctions end as
   plain truth values:"
rm -rf "$made/taxi"
run ndnf train best/taxi-ndnf-mt --out "$made/taxi"
run ndnf eval "$made/taxi"

say "11. Blackjack: the actions that another network prefers, in as few rules as any exactly-one program needs, which is
   proved. With a default action there are fewer."
rm -rf "$made/blackjack"
run ndnf train blackjack-ndnf-mt --out "$made/blackjack"
run ndnf extract "$made/blackjack" --as asp --compact

say "12. A task and a policy of your own are two JSON files:"
run ndnf eval examples/two-rooms-policy.json --env examples/two-rooms.json

say "13. Every state has a picture."
run ndnf envs taxi --state 14 --svg "$made/taxi.svg"
run ndnf envs blackjack --state 200 --svg "$made/blackjack.svg"
run ndnf envs door-corridor --svg "$made/door-corridor.svg"

say "14. Edit. In door-corridor-t the goal must be toggled from the square before it, so the policy would walk on it for ever.
   One rule more, and the others step back where it applies:"
run ndnf edit "$made/run/policy.lp" --env door-corridor-t --when one_step_ahead_goal --do toggle -o "$made/edited.lp"
run ndnf diff "$made/run/policy.lp" "$made/edited.lp" --env door-corridor-t

say "15. Checked wherever it comes, then a network again, without training:"
run ndnf check "$made/edited.lp" --env door-corridor-t --scope visited --property 'P>=1 [F<=8 "end"]'
run ndnf compile "$made/edited.lp" --env door-corridor-t -o "$made/edited.safetensors"
run ndnf eval "$made/edited.safetensors"

say "Next"
cat <<EOF
  build/default/cli/ndnf --help       the commands
  docs/training.md                    train, resume, change settings
  docs/extraction.md                  from network to logic, and what faithful means
  docs/checking.md                    check, compare and explain policies
  docs/model-file.md                  bring your own task
  docs/design.md                      how it is built
  make test                           all tests, with Storm, clingo, ProbLog and Gymnasium as referees
EOF
