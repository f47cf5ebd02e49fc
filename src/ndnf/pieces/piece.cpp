#include "ndnf/pieces/piece.h"

#include <fmt/format.h>

#include "ndnf/base/fingerprint.h"
#include "ndnf/system/file.h"
#include "ndnf/training/build_info.h"

namespace ndnf {

std::optional<Json> PieceStore::find(const Piece& piece) const {
  if (!std::filesystem::exists(file_of(piece))) return std::nullopt;
  const Json json = Json::parse(read_file(file_of(piece)), nullptr, false);
  if (!json.is_object() || !json.contains("result")) return std::nullopt;
  if (json.value("fingerprint", "") != fingerprint(piece.inputs)) return std::nullopt;
  return json.at("result");
}

void PieceStore::keep(const Piece& piece, const Json& result) const {
  std::filesystem::create_directories(file_of(piece).parent_path());
  const Json json = {{"piece", piece.name}, {"fingerprint", fingerprint(piece.inputs)}, {"result", result}};
  write_file(file_of(piece), json.dump(1) + "\n");
}

std::string build_text() { return to_json(build_info()).dump(); }

}  // namespace ndnf
