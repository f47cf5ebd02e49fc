#include "ndnf/mdp/reserved_names.h"

#include <algorithm>
#include <array>

namespace ndnf {
namespace {

struct Predicate {
  std::string_view name;
  std::size_t least_arity;
  std::size_t most_arity;
};

/// A test checks the list against ProbLog itself.
constexpr std::array<Predicate, 69> kPredicates{{
    {"all", 3, 3},          {"all_or_none", 3, 3},   {"arg", 3, 3},
    {"atom", 1, 1},         {"atom_number", 2, 2},   {"atomic", 1, 1},
    {"between", 3, 3},      {"call", 1, 9},          {"call_in_scope", 2, 10},
    {"call_nc", 1, 9},      {"callable", 1, 1},      {"check_state", 1, 1},
    {"clause", 2, 3},       {"cmd_args", 1, 1},      {"compare", 3, 3},
    {"compound", 1, 1},     {"condition", 1, 1},     {"create_scope", 2, 2},
    {"dbg_printdb", 0, 0},  {"dbreference", 1, 1},   {"debugprint", 1, 9},
    {"error", 1, 9},        {"evidence", 1, 2},      {"fail", 0, 0},
    {"false", 0, 0},        {"find_scope", 2, 2},    {"findall", 3, 3},
    {"float", 1, 1},        {"forall", 2, 2},        {"functor", 3, 3},
    {"ground", 1, 1},       {"integer", 1, 1},       {"is_list", 1, 1},
    {"length", 2, 2},       {"module", 2, 2},        {"nl", 0, 0},
    {"nocache", 2, 2},      {"nonvar", 1, 1},        {"notrace", 0, 0},
    {"number", 1, 1},       {"numbervars", 2, 3},    {"once", 1, 1},
    {"plus", 3, 3},         {"possible", 1, 1},      {"primitive", 1, 1},
    {"print_state", 0, 0},  {"probabilityX", 1, 1},  {"query", 1, 1},
    {"rational", 1, 1},     {"reset_state", 0, 0},   {"sample_uniform1", 3, 3},
    {"seq", 1, 1},          {"set_state", 1, 1},     {"simple", 1, 1},
    {"sort", 2, 2},         {"subquery", 2, 5},      {"subquery_in_scope", 3, 6},
    {"subsumes_chk", 2, 2}, {"subsumes_term", 2, 2}, {"succ", 2, 2},
    {"trace", 0, 0},        {"true", 0, 0},          {"try_call", 1, 9},
    {"unknown", 1, 1},      {"var", 1, 1},           {"varnumbers", 2, 2},
    {"write", 1, 9},        {"writeln", 1, 9},       {"writenl", 1, 9},
}};

/// Operators and directives: no atom may have such a name, with any arguments.
constexpr std::array<std::string_view, 9> kOperators{"as",   "consult", "div",        "is", "mod",
                                                     "rdiv", "rem",     "use_module", "xor"};

}  // namespace

bool is_ours(std::string_view name) { return name.starts_with("ndnf_"); }

bool is_problogs(std::string_view name, std::size_t arity) {
  const auto same = [&](const Predicate& known) {
    return known.name == name && known.least_arity <= arity && arity <= known.most_arity;
  };
  return std::any_of(kPredicates.begin(), kPredicates.end(), same) ||
         std::find(kOperators.begin(), kOperators.end(), name) != kOperators.end();
}

bool is_reserved_atom(std::string_view name, std::size_t arity) {
  const bool speaks_of_actions = arity == 1 && (name == "action" || name == "forbidden");
  return name == "not" || speaks_of_actions || is_ours(name) || is_problogs(name, arity);
}

}  // namespace ndnf
