// concatenation.h: `..` in a text for Lua 5.4, so that it writes numbers as 5.1 does.
//
// Nothing outside of 5.4 is asked how `..` writes a number, and the float 2 is "2.0" to it. So each operand x
// of `..` becomes (x//'NAME'): 5.1 has no //, and for what is no number beside a string 5.4 calls __idiv of
// strings, which install_concatenation sets. It turns a number into 5.1's text. Texts, and tables that can be
// concatenated, it leaves; for anything else it gives a stand-in, and the error comes when `..` is carried
// out, in 5.1's words: NAME says what the operand is called ("x" a variable, ".x" a field, "" nothing).
//
// It follows brackets and blocks, not the whole grammar. A text that is no Lua may come out as another one;
// whoever compiles it asks 5.4 about the text without this.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lua/dialect/compat.h"

namespace lockstep::lua {

/// What a token means to an operand.
enum class Token : std::uint8_t {
  name,        // of a variable, a field or a method
  text,        // 'x'
  constant,    // 1, nil, ...
  access,      // . and :
  arithmetic,  // what binds more tightly than `..`
  concat,      // ..
  open,        // ( [ {
  close,       // ) ] }
  function,
  block,      // do, if, repeat
  block_end,  // end, until
  other       // ends an operand
};

/// Told of each token of a text before and after it is written to `out`, it wraps operands there.
class Concatenation {
 public:
  explicit Concatenation(std::string& out) : out_(out) {}

  void token(Token token, std::string_view text);
  void written() { end_ = out_.size(); }
  void finish();

 private:
  static constexpr std::size_t none = std::string::npos;

  // One for each bracket and block that is open.
  struct Level {
    char opened_by = 0;
    std::size_t begin = none;     // of the operand under way, in out_
    bool is_chained = false;      // it stands behind a `..`
    bool is_text = false;         // it is one text, and nothing else
    bool is_value = false;        // it ends in what cannot be called, such as 1
    bool is_computed = false;     // there is arithmetic in it
    bool is_group = false;        // its last bracket is not that of a call
    bool is_compound = false;     // more than one operand was in this level
    std::string name;             // what it is called
  };

  void begin_operand();
  void end_operand();
  void wrap();
  void follow_value(Token token, std::string_view text);
  void name(std::string_view text);
  void open(char bracket);
  void close(std::string_view text);

  std::string& out_;
  std::vector<Level> levels_ = std::vector<Level>(1);
  std::size_t end_ = 0;  // of the last token, in out_
  Token last_ = Token::other;
  char last_sign_ = 0;
  bool is_lost_ = false;  // this is no Lua
};

/// Sets what the written operands need. Nothing in the 5.1 build.
void install_concatenation(lua_State* L);

}  // namespace lockstep::lua
