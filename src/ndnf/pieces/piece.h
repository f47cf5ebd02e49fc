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

/// The order of the work: pieces of a stage may use the results of all earlier stages.
enum class Stage : std::uint8_t {
  kTrain,
  kDistill,  ///< Needs a teacher.
  kExtract,  ///< Needs a trained network.
  kEdit,     ///< Needs a program.
  kTime,     ///< Measures time, so nothing else runs at the same time.
};

/// One independent job of a reproduction. Its result is a function of `inputs`, except for times.
struct Piece {
  std::string name;    ///< Also its path below the folder of pieces: "train/paper/blackjack-mlp/seed-0".
  std::string inputs;  ///< Everything that determines its result, including the build.
  Stage stage = Stage::kTrain;
  double seconds = 1;  ///< The estimated time: the longest pieces begin first.
  std::function<Json(const std::filesystem::path& out)> work;
};

/// Results of pieces by name.
using Results = std::map<std::string, Json>;

/// The finished pieces of an output folder, one file each, written atomically. They allow an interrupted
/// reproduction to resume, and are the only way in which its ranks exchange data.
class PieceStore {
 public:
  explicit PieceStore(std::filesystem::path out) : out_(std::move(out)) {}

  const std::filesystem::path& out() const { return out_; }
  /// The result, if it exists and has the same inputs. A damaged file counts as missing.
  std::optional<Json> find(const Piece& piece) const;
  void keep(const Piece& piece, const Json& result) const;

 private:
  std::filesystem::path file_of(const Piece& piece) const { return out_ / "pieces" / (piece.name + ".json"); }

  std::filesystem::path out_;
};

/// The build as text: pieces made by another build are made again.
std::string build_text();

}  // namespace ndnf
