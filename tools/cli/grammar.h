// grammar.h: how a command says which options it takes: a name, where the value goes, and a line of help.
//
// CLI11 reads the words, behind this door: command_line.cpp alone includes it, because a compiler needs some
// ten seconds for it, and its messages name C++ types and ranges. A mistake in a value is one sentence of
// ours: "--seed wants …". Values are stored while a command line is read, so where they go must outlive that.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/result.h"
#include "sim/base/time.h"
#include "tools/cli/session.h"

namespace CLI {
class App;
}

namespace lockstep::tools {

template <class T>
using Choices = std::vector<std::pair<std::string, T>>;

class Grammar {
 public:
  explicit Grammar(CLI::App& app) : app_(&app) {}

  /// Positionals: a word, or as many as there are.
  void word(const char* name, std::string& into, const char* about);
  void words(const char* name, std::vector<std::string>& into, const char* about);
  /// What stands behind a lone comma is data that may look like anything: it is taken as it is.
  void behind_comma(std::vector<std::string>& into) { behind_comma_ = &into; }

  void flag(const char* name, bool& into, const char* about);
  void flag_off(const char* name, bool& into, const char* about);
  void text(const char* name, std::string& into, const char* shown, const char* about);
  /// May be given again and again; takes one value each time.
  void repeated(const char* name, std::vector<std::string>& into, const char* shown, const char* about);
  void count(const char* name, std::uint64_t& into, const char* about);
  void count(const char* name, std::optional<std::uint64_t>& into, const char* about);
  void duration(const char* name, std::optional<sim::Duration>& into, const char* about);
  void size(const char* name, std::optional<std::uint64_t>& into, const char* about);
  /// One of the named values; also as a positional.
  template <class T>
  void choice(const char* name, T& into, const Choices<T>& choices, const char* about) {
    std::vector<std::string> names;
    for (const auto& [word, value] : choices) names.push_back(word);
    one_of(
        name, names, [&into, choices](std::size_t at) { into = choices[at].second; }, about);
  }
  /// What takes the word may refuse it with the rest of a sentence that begins with the option's name.
  using Take = std::function<std::optional<sim::Problem>(const std::string& word)>;
  void taken(const char* name, Take take, const char* shown, const char* about);

  /// The same, given again and again: each word is taken.
  void taken_again(const char* name, Take take, const char* shown, const char* about);

  // The options that several commands have.
  void scripts(std::vector<std::string>& into);
  void format(Format& into, const char* about);

  std::vector<std::string>* place_behind_comma() const { return behind_comma_; }

 private:
  void one_of(const char* name, const std::vector<std::string>& names,
              const std::function<void(std::size_t)>& chosen, const char* about);

  CLI::App* app_;
  std::vector<std::string>* behind_comma_ = nullptr;
};

}  // namespace lockstep::tools
