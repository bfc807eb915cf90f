#include "generator/host/build_id.hpp"

#include <elf.h>
#include <link.h>

#include <filesystem>
#include <string>

namespace primer {
namespace {

constexpr std::size_t padded(std::size_t size) { return (size + 3) & ~std::size_t{3}; }

// The build id among an object's notes; empty when it has none.
std::string build_id(const dl_phdr_info& object) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const auto& segment = object.dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const char* at = reinterpret_cast<const char*>(object.dlpi_addr + segment.p_vaddr);
    const char* end = at + segment.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      const auto& note = *reinterpret_cast<const ElfW(Nhdr)*>(at);
      const char* name = at + sizeof note;
      const char* content = name + padded(note.n_namesz);
      if (note.n_type == NT_GNU_BUILD_ID &&
          std::string_view(name, note.n_namesz) == std::string_view("GNU\0", 4)) {
        return {content, note.n_descsz};
      }
      at = content + padded(note.n_descsz);
    }
  }
  return {};
}

// For an object without one: when its file was written, and its size.
std::string file_stamp(const char* name) {
  namespace fs = std::filesystem;
  const fs::path path = *name ? fs::path(name) : fs::path("/proc/self/exe");
  std::error_code error;
  const auto time = fs::last_write_time(path, error).time_since_epoch().count();
  const auto size = fs::file_size(path, error);
  return path.string() + ' ' + std::to_string(time) + ' ' + std::to_string(size);
}

int add_object(dl_phdr_info* object, std::size_t, void* all) {
  const std::string id = build_id(*object);
  const bool kernel = std::string_view(object->dlpi_name).starts_with("linux-vdso");
  if (!kernel)
    *static_cast<std::string*>(all) += (id.empty() ? file_stamp(object->dlpi_name) : id) + '\n';
  return 0;
}

}  // namespace

Digest program_identity() {
  std::string all;
  dl_iterate_phdr(add_object, &all);
  return digest(all);
}

}  // namespace primer
