// grammar.h: a text in Lua 5.1 as Lua 5.4 must be given it, so that both mean the same.
//
// - An escape that 5.1 does not know stands for its letter: "\x41" is "x41".
// - Operators that 5.1 does not know (// << >> :: & | ~), empty statements, attributes of locals and `goto`
//   are no longer what 5.4
//   takes them for; the error that follows is 5.1's (compile_wording puts the signs back).
// - A numeral becomes a float, as all numbers of 5.1 are: 1 % 0 is no error, and nothing wraps. (In t[1] it
//   stays an integer: the key is the same one, and found sooner.)
// - An operand of `..` is written as 5.1 writes it (concatenation.h).
//
// Lines stay where they are. What is no Lua at all is left to 5.4 to refuse: its messages quote the text, so
// they are made of one in which numerals and operands stay.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep::lua {

enum class Numbers : std::uint8_t { as_51, as_54 };

/// The text for 5.4.
std::string grammar_54(std::string_view text, Numbers numbers);

/// What stands in that text for & | ~ and an empty statement's semicolon, and the name that 5.4's messages
/// give it.
struct StandIn {
  char sign;
  char byte;
  const char* printed;
};
inline constexpr StandIn stand_ins[] = {
    {'&', '\x01', "'<\\1>'"}, {'|', '\x02', "'<\\2>'"}, {'~', '\x03', "'<\\3>'"}, {';', '\x04', "'<\\4>'"}};

}  // namespace lockstep::lua
