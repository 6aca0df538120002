# cmake -D OUT=file.cpp -D FILES="a.md;b.md" -P EmbedTexts.cmake   writes help pages as a C++ table
set(rows "")
foreach(file IN LISTS FILES)
  get_filename_component(topic "${file}" NAME_WE)
  file(READ "${file}" text)
  string(APPEND rows "    {\"${topic}\", R\"lockstep(${text})lockstep\"},\n")
endforeach()
file(WRITE "${OUT}.new" "// Made from tools/help by tools/cmake/EmbedTexts.cmake.
#include \"tools/cli/help_texts.h\"

namespace lockstep::tools {

namespace {
constexpr HelpText texts[] = {
${rows}};
}  // namespace

std::span<const HelpText> help_texts() { return texts; }

}  // namespace lockstep::tools
")
file(COPY_FILE "${OUT}.new" "${OUT}" ONLY_IF_DIFFERENT)
