#pragma once

#include "ndnf/env/task.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/nodes/subject.h"
#include "ndnf/pipeline/program_heading.h"

namespace ndnf {

/// A policy of any kind as the subject of an extraction from a finite task. With `ties` the rows of `optimal`
/// are uniform over equally good actions (optimum.h, with_ties).
Subject subject_of(const PolicySource& source, const Task& task, bool ties);

/// How a program's header names the policy that it was extracted from.
Original original_of(const PolicySource& source);

/// Compares a program with its network over comparisons in every kind of observation that these tell apart,
/// if the kinds can be listed.
void compare_kinds(const Subject& subject, const Policy& network, const Policy& program, const Task& task,
                   SampledScope& scope);

}  // namespace ndnf
