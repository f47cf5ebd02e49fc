// Trains a policy for a small corridor, evaluates it exactly, and prints its expected return.
#include <iostream>

#include "ndnf/pipeline/evaluate_policy.h"
#include "ndnf/training/train.h"

int main() {
  ndnf::TrainRequest training;
  training.source = "small-corridor-ndnf-mt";
  training.out = "run";
  ndnf::EvaluationRequest evaluation;
  evaluation.policy = ndnf::train(training).front().run;
  std::cout << ndnf::evaluate_policy(evaluation).evaluation.mean_return << '\n';
}
