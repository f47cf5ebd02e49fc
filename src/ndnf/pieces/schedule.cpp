#include "ndnf/pieces/schedule.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "ndnf/base/error.h"
#include "ndnf/base/parallel.h"

namespace ndnf {
namespace {

/// How far a piece advances the progress bar.
std::size_t units(const Piece& piece) { return static_cast<std::size_t>(std::ceil(1000 * piece.seconds)); }

/// The missing pieces of a stage, the longest first.
std::vector<const Piece*> missing(const std::vector<Piece>& pieces, Stage stage, const PieceStore& store) {
  std::vector<const Piece*> found;
  for (const Piece& piece : pieces) {
    if (piece.stage == stage && !store.find(piece)) found.push_back(&piece);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Piece* a, const Piece* b) { return a->seconds > b->seconds; });
  return found;
}

/// Every rank computes the same list, so the shares need no communication.
std::vector<const Piece*> share(const std::vector<const Piece*>& all, Stage stage, const Ranks& ranks) {
  if (stage == Stage::kTime) return ranks.first() ? all : std::vector<const Piece*>{};
  std::vector<const Piece*> own;
  for (std::size_t i = ranks.rank(); i < all.size(); i += ranks.size()) own.push_back(all[i]);
  return own;
}

}  // namespace

Results do_pieces(std::vector<Piece> pieces, const PieceStore& store, Ranks& ranks, std::size_t jobs,
                  const Watch& watch) {
  std::size_t total = 0;
  for (const Piece& piece : pieces) total += units(piece);
  std::atomic<std::size_t> finished = 0;
  for (const Stage stage : {Stage::kTrain, Stage::kDistill, Stage::kExtract, Stage::kEdit, Stage::kTime}) {
    const std::vector<const Piece*> open = missing(pieces, stage, store);
    ranks.wait_for_all();  // no rank may begin before all have computed the list
    const std::vector<const Piece*> own = share(open, stage, ranks);
    for (const Piece& piece : pieces) {
      const bool done = std::find(own.begin(), own.end(), &piece) == own.end();
      if (piece.stage == stage && done) finished += units(piece);
    }
    parallel_for(own.size(), stage == Stage::kTime ? 1 : jobs, [&](std::size_t i) {
      watch.step(static_cast<double>(finished) / static_cast<double>(total), own[i]->name);
      store.keep(*own[i], own[i]->work(store.out()));
      finished += units(*own[i]);
    });
    ranks.wait_for_all();
  }
  Results results;
  if (!ranks.first()) return results;
  for (const Piece& piece : pieces) {
    auto result = store.find(piece);
    if (!result)
      throw Error(piece.name, "was made but cannot be found", "is the folder shared by all ranks?");
    results[piece.name] = std::move(*result);
  }
  return results;
}

}  // namespace ndnf
