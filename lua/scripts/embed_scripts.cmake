# Writes a C++ source that holds files byte for byte.
#   cmake -DOUTPUT=x.cpp -DDIRECTORY=dir "-DNAMES=a.lua,b.toml" -P embed_scripts.cmake
string(REPLACE "," ";" names "${NAMES}")
set(arrays "")
set(entries "")
set(number 0)
foreach(name IN LISTS names)
  file(READ "${DIRECTORY}/${name}" hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
  string(REPEAT "......," 12 line)
  string(REGEX REPLACE "(${line})" "\\1\n  " bytes "${bytes}")
  # The last byte is not part of the text: an array must not be empty.
  string(APPEND arrays "constexpr char file_${number}[] = {\n  ${bytes}'\\0'};\n")
  string(APPEND entries "    {\"${name}\", {file_${number}, sizeof file_${number} - 1}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE "${OUTPUT}" "// Written by lua/scripts/embed_scripts.cmake.
#include \"lua/scripts/embedded_scripts.h\"

namespace lockstep::lua {
namespace {
${arrays}
constexpr EmbeddedFile files[] = {
${entries}};
}  // namespace

std::span<const EmbeddedFile> embedded_scripts() { return files; }

}  // namespace lockstep::lua
")
