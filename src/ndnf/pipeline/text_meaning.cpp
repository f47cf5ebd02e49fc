#include "ndnf/pipeline/text_meaning.h"

#include "ndnf/logic/read_program.h"
#include "ndnf/nodes/subject.h"

namespace ndnf {

TextMeaning::TextMeaning(const ProgramText& text, const Task& task, const ActorView& view)
    : text_(text),
      view_(view),
      program_(over_view(view, task.model().observations(),
                         ground_program(text.parsed(), view.table->vocabulary()))),
      bound_(program_, view.table->shared_vocabulary()) {}

PolicyTable TextMeaning::rows() const { return on_environment(view_, tabulate(bound_, *view_.table)); }

const std::set<std::size_t>& TextMeaning::fired(ObsId obs) {
  const ObsId seen = view_.seen_as[obs];
  const auto [entry, is_new] = fired_.try_emplace(seen);
  if (is_new) {
    for (const std::size_t s : bound_.fired(*view_.table, seen)) {
      entry->second.insert(text_.statement_at(std::get<Rule>(program_.statements[s].content).place));
    }
  }
  return entry->second;
}

}  // namespace ndnf
