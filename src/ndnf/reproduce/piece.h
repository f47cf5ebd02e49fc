#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace ndnf {

using Json = nlohmann::ordered_json;

/// What must be finished before what: every piece of a stage may use the results of the stages before.
enum class Stage : std::uint8_t {
  kTrain,
  kDistill,  ///< Needs a teacher.
  kExtract,  ///< Needs a trained network.
  kEdit,     ///< Needs a program.
  kTime,     ///< Measures time, so nothing else runs beside it.
};

/// One independent job of a reproduction. Its result is a function of `inputs`, times apart.
struct Piece {
  std::string name;    ///< Also its place below the folder of pieces: "train/paper/blackjack-mlp/seed-0".
  std::string inputs;  ///< All that decides its result, and the build.
  Stage stage = Stage::kTrain;
  double seconds = 1;  ///< A guess: the longest begin first.
  std::function<Json(const std::filesystem::path& out)> work;
};

/// Results of pieces by name.
using Results = std::map<std::string, Json>;

/// The finished pieces of an out folder, one file each, written whole: what lets an interrupted reproduction
/// go on, and all that the ranks of one tell each other.
class PieceStore {
 public:
  explicit PieceStore(std::filesystem::path out) : out_(std::move(out)) {}

  const std::filesystem::path& out() const { return out_; }
  /// The result, if it is there and of the same inputs. A file that is damaged counts as not there.
  std::optional<Json> find(const Piece& piece) const;
  void keep(const Piece& piece, const Json& result) const;

 private:
  std::filesystem::path file_of(const Piece& piece) const { return out_ / "pieces" / (piece.name + ".json"); }

  std::filesystem::path out_;
};

/// The build in words: pieces made by another are made again.
std::string build_text();

}  // namespace ndnf
