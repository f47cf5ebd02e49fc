#include "ndnf/solvers/z3.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace ndnf {
namespace {

/// Reads the output of Z3, one word or bracket at a time.
class Reply {
 public:
  explicit Reply(std::string_view text) : text_(text) {}

  std::string_view next() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    const std::size_t begin = at_;
    if (begin == text_.size()) throw_nonsense("z3", "the output ends too early");
    if (text_[begin] == '"') {  // a message
      at_ = std::min(text_.find('"', begin + 1), text_.size() - 1) + 1;
    } else if (text_[begin] == '(' || text_[begin] == ')') {
      ++at_;
    } else {
      const std::size_t end = text_.find_first_of(" \n\t\r()", begin);
      at_ = std::min(end, text_.size());
    }
    return text_.substr(begin, at_ - begin);
  }

  void expect(std::string_view word) {
    if (next() != word) throw_nonsense("z3", fmt::format("no {} where one was expected", word));
  }

  /// `5` or `(- 5)`.
  std::int64_t number() {
    std::string_view word = next();
    const bool negative = word == "(";
    if (negative) {
      expect("-");
      word = next();
    }
    std::int64_t value = 0;
    if (std::from_chars(word.data(), word.data() + word.size(), value).ec != std::errc())
      throw_nonsense("z3", fmt::format("{} is not a number", word));
    if (negative) expect(")");
    return negative ? -value : value;
  }

  /// The rest of an expression whose bracket was read.
  void skip() {
    for (std::size_t depth = 1; depth > 0;) {
      const std::string_view word = next();
      depth += word == "(" ? 1 : 0;
      depth -= word == ")" ? 1 : 0;
    }
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

/// ((v0 5) (v1 (- 3)) …) after `sat`; otherwise a complaint that there is none.
Z3Questions::Answer read_answer(Reply& reply, std::size_t variables) {
  using Status = Z3Questions::Answer::Status;
  std::string_view word = reply.next();
  while (word == "(") {  // what `minimize` reports
    reply.skip();
    word = reply.next();
  }
  Z3Questions::Answer answer;
  answer.status = word == "sat" ? Status::kYes : word == "unsat" ? Status::kNo : Status::kUnknown;
  if (word != "sat" && word != "unsat" && word != "unknown")
    throw_nonsense("z3", fmt::format("{} instead of sat or unsat", word.substr(0, 100)));
  reply.expect("(");
  if (answer.status != Status::kYes) {
    reply.skip();
    return answer;
  }
  for (std::size_t v = 0; v < variables; ++v) {
    reply.expect("(");
    reply.next();
    answer.values.push_back(reply.number());
    reply.expect(")");
  }
  reply.expect(")");
  return answer;
}

}  // namespace

SolverText smt_number(std::int64_t number) {
  return number < 0 ? SolverText().add("(- {})", -number) : SolverText().add("{}", number);
}

std::size_t Z3Questions::add_variable(std::int64_t low, std::int64_t high) {
  const std::size_t number = variables_++;
  shared_.add("(declare-const v{} Int)\n(assert (<= ", number).add(smt_number(low));
  shared_.add(" v{} ", number).add(smt_number(high)).add("))\n");
  return number;
}

std::size_t Z3Questions::ask(const SolverText& condition, const std::vector<SolverText>& least) {
  asked_.add("(push)\n(assert ").add(condition).add(")\n");
  for (const SolverText& term : least) asked_.add("(minimize ").add(term).add(")\n");
  asked_.add("(check-sat)\n(get-value (");
  for (std::size_t v = 0; v < variables_; ++v) asked_.add("v{} ", v);
  asked_.add("))\n(pop)\n");
  return questions_++;
}

std::vector<Z3Questions::Answer> Z3Questions::answers(const SolverLimits& limits) {
  const std::size_t count = std::exchange(questions_, 0);
  SolverText text = shared_;
  text.add(std::exchange(asked_, SolverText()));
  std::vector<Answer> all;
  if (count == 0) return all;
  const ProcessResult result = call_z3(text, limits);
  if (result.timed_out || result.output_cut || result.output.empty()) throw_no_answer("z3", result, limits);
  Reply reply(result.output);
  for (std::size_t i = 0; i < count; ++i) all.push_back(read_answer(reply, variables_));
  return all;
}

}  // namespace ndnf
