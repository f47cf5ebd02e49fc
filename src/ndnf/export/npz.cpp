#include "ndnf/export/npz.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ndnf/base/checksum.h"

namespace ndnf {
namespace {

std::string_view dtype_of(Tensor::Type type) {
  switch (type) {
    case Tensor::Type::kU8:
      return "|u1";
    case Tensor::Type::kU32:
      return "<u4";
    case Tensor::Type::kU64:
      return "<u8";
    case Tensor::Type::kI64:
      return "<i8";
    case Tensor::Type::kF32:
      return "<f4";
    case Tensor::Type::kF64:
      break;
  }
  return "<f8";
}

/// Version 1.0 of the format: magic string, length of the header, and the header, a Python dictionary padded
/// with spaces so that the data begin at a multiple of 64.
std::string npy(std::string_view dtype, const std::vector<std::size_t>& shape, std::string_view data) {
  constexpr std::size_t kAlignment = 64;
  constexpr std::string_view kMark("\x93NUMPY\x01\x00", 8);
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", dtype,
                                   fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  const std::size_t before = kMark.size() + sizeof(std::uint16_t) + header.size() + 1;
  header.append((kAlignment - before % kAlignment) % kAlignment, ' ');
  header += '\n';
  std::string bytes(kMark);
  bytes += little_endian(static_cast<std::uint16_t>(header.size()));
  bytes += header;
  bytes += data;
  return bytes;
}

std::string npy(const Tensor& tensor) {
  return npy(dtype_of(tensor.type), tensor.shape,
             {reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size()});
}

/// Texts are padded with zeros to the longest, four bytes per character.
std::string npy(const std::vector<std::string>& texts) {
  std::size_t longest = 1;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  std::string data;
  for (std::string text : texts) {
    text.resize(longest, '\0');
    for (const char c : text) data += little_endian(static_cast<std::uint32_t>(c));
  }
  return npy(fmt::format("<U{}", longest), {texts.size()}, data);
}

/// The entries of a zip file, and at its end the directory, which repeats the headers of the entries.
class ZipWriter {
 public:
  void add(const std::string& name, const std::string& data) {
    const std::string facts = facts_of(name, data);
    directory_ += "PK\x01\x02" + u16(kVersion) + facts;
    directory_ += u16(0) + u16(0) + u16(0) + u32(0) + u32(bytes_.size()) + name;  // comment, disk, attributes
    bytes_ += "PK\x03\x04" + facts + name + data;
    ++count_;
  }

  std::string finish() const {
    return bytes_ + directory_ + "PK\x05\x06" + u16(0) + u16(0) + u16(count_) + u16(count_) +
           u32(directory_.size()) + u32(bytes_.size()) + u16(0);
  }

 private:
  static constexpr std::size_t kVersion = 20;     // 2.0, the oldest that readers accept
  static constexpr std::size_t kFirstDay = 0x21;  // 1 January 1980: independent of the clock

  static std::string u16(std::size_t number) { return little_endian(static_cast<std::uint16_t>(number)); }
  static std::string u32(std::size_t number) { return little_endian(static_cast<std::uint32_t>(number)); }

  /// Version, flags, method (stored), time, date, checksum, both sizes, lengths of the name and of extras.
  static std::string facts_of(const std::string& name, const std::string& data) {
    return u16(kVersion) + u16(0) + u16(0) + u16(0) + u16(kFirstDay) + u32(checksum<kCrc32>(data)) +
           u32(data.size()) + u32(data.size()) + u16(name.size()) + u16(0);
  }

  std::string bytes_;
  std::string directory_;
  std::size_t count_ = 0;
};

}  // namespace

std::string to_npz(const std::map<std::string, NumpyArray>& arrays) {
  ZipWriter zip;
  for (const auto& [name, array] : arrays) {
    zip.add(name + ".npy", std::visit([](const auto& values) { return npy(values); }, array));
  }
  return zip.finish();
}

}  // namespace ndnf
