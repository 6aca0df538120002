// scheme_words.h: words of [scheme.NAME] and what they stand for, shared by the reader and the printer.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/client/scheme.h"
#include "scenarios/format/toml_reading.h"

namespace lockstep::scenarios {

/// For what a request is: what its replies may mean depends on it.
enum class Part : std::uint8_t { acquire, release, renew };

struct MeaningWord {
  std::string_view word;
  Part part;
  std::vector<model::Meaning> meanings;
  bool takes_wait = false;
};
std::span<const MeaningWord> meaning_words();

extern const std::vector<std::string> on_words;  // in the order of model::Scheme::On

struct FormWord {
  std::string_view word;
  model::Stored::Form form;
};
std::span<const FormWord> holder_forms();

/// The template that a text is, from its n-th byte on; mistakes are reported at their place.
model::Template read_template(TomlReading& reading, const toml::value<std::string>& text,
                              std::string_view part, std::size_t offset);
/// The words of a command, apart.
std::vector<model::Template> read_command(TomlReading& reading, const toml::value<std::string>& text);
std::string print_command(const std::vector<model::Template>& words);

/// The pattern of a rule: `OK`, `nil`, `1`, `< {now}`, `*`.
model::ReplyRule read_pattern(TomlReading& reading, const toml::key& key);
std::string print_pattern(const model::ReplyRule& rule);

/// A reply that the command may be answered with, as long as nothing is wrong, and that no rule reads.
std::string unread_reply(const std::vector<model::Described>& list, std::size_t which);
/// Some rule reads this: `OK`, `nil`, `1`, or `*` for any other value.
bool reads_reply(const model::Described& asked, std::string_view reply);
/// It is of a transaction: WATCH, UNWATCH, MULTI, EXEC, DISCARD.
bool is_of_transaction(const model::Described& described);
/// Which requests of a list share a connection; of a list that Redis would refuse, where and why.
std::optional<std::pair<std::size_t, std::string>> join_transactions(std::vector<model::Described>& list);

/// Why a request may not be sent to a server of the model, in a clause.
std::optional<std::string> unsendable(const model::Described& described);
/// Of a list that never ends as it is meant to: at which request, and why. `wanted` is what it has to mean at
/// least once, "granted".
std::optional<std::pair<std::size_t, std::string>> unending(const std::vector<model::Described>& list,
                                                            std::string_view wanted);

/// Events of keys that locks are stored under.
const std::vector<std::string>& key_events();
/// Its command changes what the connection is (MULTI, WATCH, SUBSCRIBE), or waits on it (BLPOP).
bool is_of_connection(const model::Described& described);

}  // namespace lockstep::scenarios
