#include "properties/check/words_watch.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "model/client/new_words.h"
#include "model/client/process.h"
#include "sim/base/fields.h"
#include "sim/base/mentions.h"

namespace lockstep::properties {

/// The words of one call of a thread.
struct WordsWatch::Word {
  std::string name;  // of the thread, with what is before the number
  std::uint64_t block = 0;
  auto operator<=>(const Word&) const = default;
};

namespace {

/// Farther than any block reaches that is drawn in a search, and each ends in another digit.
constexpr std::array<std::uint64_t, 10> shifts{90'131'719, 1'000'001,   20'300'002, 3'050'003,   40'706'004,
                                               500'705'005, 6'040'406, 70'302'007, 800'111'008, 123'456'780};

/// Calls `visit` with each number that stands in a text behind a name: where its digits begin and end.
template <class Visit>
void for_each_number(const std::string& text, const std::string& name, Visit visit) {
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const char* const begin = text.data() + at + name.size();
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), number);
    if (error == std::errc()) visit(begin, end, number);
  }
}

class NumbersIn final : public sim::Mentions {
 public:
  NumbersIn(const std::string& name, std::set<std::uint64_t>& blocks) : name_(name), blocks_(blocks) {}
  void text(const std::string& text) override {
    for_each_number(text, name_, [&](const char*, const char*, std::uint64_t number) {
      if (number >= model::numbers_of_a_draw) blocks_.insert(number / model::numbers_of_a_draw);
    });
  }
  void number(sim::WordNumber) override {}

 private:
  const std::string& name_;
  std::set<std::uint64_t>& blocks_;
};

/// The words of one call get other numbers.
void shift(std::string& text, const std::string& name, std::uint64_t block, std::uint64_t by) {
  std::string shifted;
  const char* kept = text.data();
  for_each_number(text, name, [&](const char* begin, const char* end, std::uint64_t number) {
    if (number / model::numbers_of_a_draw != block) return;
    shifted.append(kept, begin);
    shifted += fmt::format("{}", number + by);
    kept = end;
  });
  if (kept == text.data()) return;
  shifted.append(kept, std::as_const(text).data() + text.size());
  text = std::move(shifted);
}

}  // namespace

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
  constexpr std::size_t with_all = 1'000, later = 2;
  const std::size_t tried = met_.size() <= with_all ? shifts.size() : later;
  const Answered answered = serve_again(asked, setup_, engine_);
  for (const Word& word : words)
    for (std::size_t i = 0; i < tried && !culprit_; ++i)
      if (!is_treated_alike(asked, word, answered, (met_.size() * tried + i) % shifts.size()))
        culprit_ = sender_of(request, setup_);
}

std::vector<WordsWatch::Word> WordsWatch::words_in(const model::World& world, const Asked& asked) const {
  std::vector<Word> words, others;
  for (std::size_t t = 0; t < setup_.threads.size(); ++t) {
    if (!setup_.threads[t].draws_numbers) continue;
    const auto thread = sim::make_id<model::ThreadId>(t);
    const std::uint16_t incarnation = world.processes[setup_.process_of(thread).index()]->incarnation;
    for (std::uint16_t c = 0; c < world.groups.size(); ++c) {
      std::string name = model::holder_name(setup_, thread, incarnation, c) + ":";
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
  }
  // A server may keep very many.
  constexpr std::size_t others_max = 4;
  for (std::size_t i = 0; i < std::min(others.size(), others_max); ++i)
    words.push_back(others[(met_.size() + i) % others.size()]);
  return words;
}

bool WordsWatch::is_treated_alike(const Asked& asked, const Word& word, const Answered& answered,
                                  std::size_t by) const {
  sim::Names names;
  names.text = [&](std::string& text, sim::Named&) { shift(text, word.name, word.block, shifts[by]); };
  Asked other = asked;
  sim::rename(other.server, sim::Renaming(names));
  sim::rename(other.words, sim::Renaming(names));
  return serve_again(std::move(other), setup_, engine_) == renamed(answered, names);
}

}  // namespace lockstep::properties
