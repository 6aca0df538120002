#include "properties/check/words_watch.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "model/client/new_words.h"
#include "model/world/unmentioned.h"
#include "sim/base/fields.h"
#include "sim/base/mentions.h"

namespace lockstep::properties {

/// The words of one call of a thread.
struct WordsWatch::Word {
  std::string name;  // of the thread, with what is before the number
  std::uint64_t block = 0;
  auto operator<=>(const Word&) const = default;
};

/// What a script looks into while it runs.
struct WordsWatch::Looks final : lua::Inspector {
  std::vector<lua::Inspected> calls;
  void called(lua::Inspected call) override { calls.push_back(std::move(call)); }
};

struct WordsWatch::Outcome {
  Answered answered;
  std::vector<lua::Inspected> looked;
  bool operator==(const Outcome&) const = default;
  static auto fields(auto& o) { return std::tie(o.answered, o.looked); }
};

namespace {

/// Farther than any block reaches that is drawn in a search, and each ends in another digit.
constexpr std::array<std::uint64_t, 10> shifts{90'131'719,  1'000'001, 20'300'002, 3'050'003,   40'706'004,
                                               500'705'005, 6'040'406, 70'302'007, 800'111'008, 123'456'780};

class NumbersIn final : public sim::Mentions {
 public:
  NumbersIn(const std::string& name, std::set<std::uint64_t>& blocks) : name_(name), blocks_(blocks) {}
  void text(const std::string& text) override {
    model::for_each_number(text, name_, [&](const char*, const char*, std::uint64_t number) {
      if (number >= model::numbers_of_a_draw) blocks_.insert(number / model::numbers_of_a_draw);
    });
  }
  void number(sim::WordNumber) override {}

 private:
  const std::string& name_;
  std::set<std::uint64_t>& blocks_;
};

enum class Part : std::uint8_t { number, whole };

/// The text with what `write` puts in the place of each number behind the name, or of both; nothing: it
/// stays.
template <class Write>
std::string with_numbers(const std::string& text, const std::string& name, Write write,
                         Part part = Part::number) {
  std::string changed;
  const char* kept = text.data();
  model::for_each_number(text, name, [&](const char* begin, const char* end, std::uint64_t number) {
    const std::optional<std::string> other = write(number);
    if (!other) return;
    changed.append(kept, part == Part::whole ? begin - name.size() : begin) += *other;
    kept = end;
  });
  return changed.append(kept, text.data() + text.size());
}

/// As many digits, each another one; the first is not 0.
std::uint64_t turned(std::uint64_t number, unsigned by) {
  std::string digits = fmt::format("{}", number);
  const char first = digits.front();
  for (char& digit : digits) digit = static_cast<char>('0' + (digit - '0' + static_cast<int>(by)) % 10);
  if (digits.front() == '0') digits.front() = first == '1' ? '2' : '1';
  return std::stoull(digits);
}

constexpr std::size_t turns = 9;

/// Each number in a place of its own, which comes before those of all other words, or behind them.
struct Outermost {
  Part part;
  const char* before;
  std::string operator()(std::uint64_t number) const { return fmt::format("{}{:020}", before, number); }
};
constexpr std::array<Outermost, 4> outermost{
    {{Part::whole, "!"}, {Part::whole, "~"}, {Part::number, ""}, {Part::number, "9999"}}};

/// What of a text is not the number of a word.
std::string without_numbers(const std::string& text, const std::string& name) {
  return with_numbers(text, name, [](std::uint64_t) { return std::optional<std::string>(""); });
}

/// The number of no word is left out, and the set of all digits.
bool treats_digits_alike(std::string pattern, const std::set<std::string>& names) {
  for (const std::string& name : names) pattern = without_numbers(pattern, name);
  constexpr std::string_view all_digits = "0-9";
  for (std::size_t at = pattern.find(all_digits); at != std::string::npos; at = pattern.find(all_digits))
    pattern.erase(at, all_digits.size());
  return pattern.find_first_of("0123456789") == std::string::npos;
}

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

/// What is searched for in the keys and items of a server.
const std::string* pattern_of_command(const std::vector<std::string>& words) {
  if (words.empty()) return nullptr;
  const std::string command = lower(words.front());
  if (command == "'keys") return words.size() > 1 ? &words[1] : nullptr;
  if (!command.ends_with("scan")) return nullptr;
  for (std::size_t i = 1; i + 1 < words.size(); ++i)
    if (lower(words[i]) == "'match") return &words[i + 1];
  return nullptr;
}

/// It may go by digits, and what it finds does not tell.
bool goes_by_digits(const lua::Inspected& call, const std::set<std::string>& names) {
  const std::vector<std::string>& given = call.arguments;
  if (call.function.starts_with("redis.")) {
    const std::string* pattern = pattern_of_command(given);
    return pattern != nullptr && !treats_digits_alike(*pattern, names);
  }
  const auto mentions_one = [&](const std::string& text) {
    return model::has_number_of({names.begin(), names.end()}, text);
  };
  if (given.empty() || !mentions_one(given.front())) return false;
  if (call.function.find("unpack") != std::string::npos) return true;  // it may answer parts in tables
  constexpr std::array<std::string_view, 5> searching{"string.find", "string.match", "string.gmatch",
                                                      "string.gfind", "string.gsub"};
  if (std::find(searching.begin(), searching.end(), call.function) == searching.end()) return false;
  if (call.function == "string.gsub" && given.size() > 2 && !given[2].starts_with('\''))
    return true;  // nobody is told what its function is given
  return given.size() > 1 && !treats_digits_alike(given[1], names);
}

/// Whether a script is given a text with a word by itself, and not to hand it on to its server.
bool looks_into(const lua::Inspected& call, const std::set<std::string>& names) {
  return !call.function.starts_with("redis.") &&
         std::any_of(call.arguments.begin(), call.arguments.end(), [&](const std::string& text) {
           return model::has_number_of({names.begin(), names.end()}, text);
         });
}

std::optional<std::string> first_difference(const std::vector<lua::Inspected>& one,
                                            const std::vector<lua::Inspected>& other) {
  const auto [at, beside] = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
  if (at != one.end()) return at->function;
  if (beside != other.end()) return beside->function;
  return std::nullopt;
}

}  // namespace

WordsWatch::WordsWatch(const model::Setup& setup, bool with_now)
    : setup_(setup),
      with_now_(with_now),
      looks_(std::make_unique<Looks>()),
      engine_({.inspector = looks_.get()}) {}

WordsWatch::WordsWatch(WordsWatch&&) noexcept = default;
WordsWatch::~WordsWatch() = default;

void WordsWatch::before(const model::World& world, const model::Move& move) {
  if (culprit_) return;
  each_request_of(world, move, [&](const model::Request& request, const model::Carried& on) {
    look_at(world, on.link, on.connection, request);
  });
}

void WordsWatch::look_at(const model::World& world, model::LinkId link, model::ConnectionId connection,
                         const model::Request& request) {
  const auto& server = world.nodes[link.node.index()];
  const Asked asked{.server = *server,
                    .words = model::words_of(request, setup_),
                    .node = link.node,
                    .by = known_by(setup_, link, connection),
                    .wall_ms = wall_ms_of(world, setup_, link.node)};
  sim::Encoder key;
  encode(key, server.digest());
  encode(key, asked.words);
  key.number(link.process.value);
  key.number(link.node.value);
  if (with_now_) key.number(static_cast<std::uint64_t>(asked.wall_ms));
  if (!met_.insert(sim::digest_bytes(key.bytes())).fresh) return;
  const std::vector<Word> words = words_in(world, asked);
  if (words.empty()) return;
  // All others for the first requests, which are different ones; then two for each.
  constexpr std::size_t with_all = 1'000;
  if (const auto why = why_not_alike(asked, words, met_.size() <= with_all))
    culprit_ = fmt::format("{} does not treat all such words alike: {}", sender_of(request, setup_), *why);
}

std::vector<WordsWatch::Word> WordsWatch::words_in(const model::World& world, const Asked& asked) const {
  std::vector<Word> words, others;
  for (const std::string& name : model::names_before_numbers(world, setup_)) {
    std::set<std::uint64_t> sent, stored;
    NumbersIn numbers_sent(name, sent), numbers_stored(name, stored);
    sim::tell_mentions(asked.words, numbers_sent);
    sim::tell_mentions(asked.server, numbers_stored);
    for (const std::uint64_t block : sent) {
      words.push_back({name, block});
      stored.erase(block);
    }
    for (const std::uint64_t block : stored) others.push_back({name, block});
  }
  // A server may keep very many.
  constexpr std::size_t others_max = 4;
  for (std::size_t i = 0; i < std::min(others.size(), others_max); ++i)
    words.push_back(others[(met_.size() + i) % others.size()]);
  return words;
}

WordsWatch::Outcome WordsWatch::outcome_of(Asked asked) const {
  looks_->calls.clear();
  Outcome outcome{.answered = serve_again(std::move(asked), setup_, engine_), .looked = {}};
  outcome.looked = std::move(looks_->calls);
  return outcome;
}

std::optional<std::string> WordsWatch::why_not_alike(const Asked& asked, const std::vector<Word>& words,
                                                     bool thoroughly) const {
  const Outcome outcome = outcome_of(asked);
  std::set<std::string> names;
  for (const Word& word : words) names.insert(word.name);
  for (const lua::Inspected& call : outcome.looked)
    if (goes_by_digits(call, names)) return fmt::format("`{}` may go by the digits of one", call.function);
  const auto with_others = [&](const Word& word, auto other, Part part = Part::number) {
    sim::Names exchanged;
    exchanged.text = [&](std::string& text, sim::Named&) {
      const auto write = [&](std::uint64_t number) -> std::optional<std::string> {
        if (number / model::numbers_of_a_draw != word.block) return std::nullopt;
        return fmt::format("{}", other(number));
      };
      text = with_numbers(text, word.name, write, part);
    };
    Asked changed = asked;
    sim::rename(changed.server, sim::Renaming(exchanged));
    sim::rename(changed.words, sim::Renaming(exchanged));
    return std::pair(outcome_of(std::move(changed)), renamed(outcome, exchanged));
  };
  const bool looked_into = std::any_of(outcome.looked.begin(), outcome.looked.end(),
                                       [&](const auto& call) { return looks_into(call, names); });
  constexpr std::size_t later = 2;
  for (const Word& word : words) {
    for (std::size_t i = 0; i < (thoroughly ? outermost.size() : later); ++i) {
      const Outermost& one = outermost[(met_.size() * later + i) % outermost.size()];
      if (one.part == Part::whole && looked_into) continue;
      const auto [it, expected] = with_others(word, one, one.part);
      if (!(it.answered == expected.answered)) return "what it stores or answers depends on which it gets";
    }
    for (std::size_t i = 0; i < (thoroughly ? shifts.size() : later); ++i) {
      const std::uint64_t by = shifts[(met_.size() * later + i) % shifts.size()];
      const auto [it, expected] = with_others(word, [&](std::uint64_t number) { return number + by; });
      if (!(it.answered == expected.answered)) return "what it stores or answers depends on which it gets";
    }
    for (std::size_t i = 0; i < (thoroughly ? turns : later); ++i) {
      const unsigned by = 1 + static_cast<unsigned>((met_.size() * later + i) % turns);
      const auto [it, expected] = with_others(word, [&](std::uint64_t number) { return turned(number, by); });
      if (const auto function = first_difference(it.looked, expected.looked))
        return fmt::format("what `{}` is given or finds depends on which it gets", *function);
      if (!(it.answered == expected.answered)) return "what it stores or answers depends on which it gets";
    }
  }
  return std::nullopt;
}

}  // namespace lockstep::properties
