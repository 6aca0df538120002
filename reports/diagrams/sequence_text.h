// sequence_text.h: a sequence diagram as lines of a text language; what such languages have in common.
//
// Participants are aliases P0, P1, … with the labels of the actors, because ids like "end" or "a:b" break
// every grammar. A language says how it writes a message, a note and a violation, and how a text is made
// harmless. The text stays within limits that renderers have; then a note says what was left out.
#pragma once

#include <cstdint>
#include <string>

#include "reports/text/window.h"
#include "sim/trace.h"

namespace lockstep::reports {

struct SequenceTextOptions {
  Window window;
  std::size_t messages_max = 200;
  std::size_t bytes_max = 40'000;
};

enum class Arrow : std::uint8_t { request, answer, push, copied, lost };

class SequenceLanguage {
 public:
  virtual ~SequenceLanguage() = default;
  virtual std::string opening() const = 0;
  virtual std::string closing() const = 0;
  /// Printable text as it may stand behind a colon or as a label.
  virtual std::string escaped(const std::string& printable_text) const = 0;
  virtual std::string participant(const std::string& alias, const std::string& text) const = 0;
  virtual std::string message(const std::string& from, Arrow arrow, const std::string& to,
                              const std::string& text) const = 0;
  /// Over one participant, or from `first` to `last`.
  virtual std::string note(const std::string& first, const std::string& last,
                           const std::string& text) const = 0;
  virtual std::string violation(const std::string& first, const std::string& last,
                                const std::string& text) const = 0;
};

std::string sequence_text(const sim::Trace& trace, const SequenceTextOptions& options,
                          const SequenceLanguage& language);

}  // namespace lockstep::reports
