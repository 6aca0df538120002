#include "tools/gate/build_identity.h"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <cstring>
#include <string_view>

namespace lockstep::tools {

namespace {

/// The note of the linker among those that begin here; each is a header, a name and what it says.
std::string noted_identity(const char* at, std::size_t bytes) {
  const auto padded = [](std::size_t size) { return (size + 3) / 4 * 4; };
  while (bytes > sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, at, sizeof note);
    const std::size_t whole = sizeof note + padded(note.n_namesz) + padded(note.n_descsz);
    if (whole > bytes) break;
    const std::string_view name(at + sizeof note, note.n_namesz);
    if (note.n_type == NT_GNU_BUILD_ID && name == std::string_view("GNU\0", 4)) {
      std::string digits;
      for (std::size_t i = 0; i < note.n_descsz; ++i)
        digits +=
            fmt::format("{:02x}", static_cast<unsigned char>(at[sizeof note + padded(note.n_namesz) + i]));
      return digits;
    }
    at += whole;
    bytes -= whole;
  }
  return "";
}

/// The program itself is the first object that is told of.
int first_object(dl_phdr_info* object, std::size_t, void* into) {
  auto& identity = *static_cast<std::string*>(into);
  for (int i = 0; i < object->dlpi_phnum && identity.empty(); ++i) {
    const ElfW(Phdr)& part = object->dlpi_phdr[i];
    if (part.p_type == PT_NOTE)
      identity =
          noted_identity(reinterpret_cast<const char*>(object->dlpi_addr + part.p_vaddr), part.p_memsz);
  }
  return 1;
}

}  // namespace

std::string build_identity() {
  std::string identity;
  dl_iterate_phdr(first_object, &identity);
  return identity;
}

}  // namespace lockstep::tools
