// words_watch.h: whether servers treat all words that calls draw alike.
//
// Who goes round for ever draws again a number that nothing in the world mentions any more
// (model/client/new_words.h). That is right only if nobody looks into words: with f a request that is served
// and g an exchange of a word for one that was never sent, f(g x) = g f(x). A script that stores a part of a
// word, or goes by its digits, does not keep to it: then a word is stored that no text shows, or the seventh
// word does what the first six did not.
//
// So each request in a search or a run is served again with each word that it or the server mentions in
// place of others, of which each ends in another digit; the first for which it makes a difference is named.
// With so few others a script that waits for one certain number is not found.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lua/engine/engine.h"
#include "model/world/move.h"
#include "model/world/world.h"
#include "properties/check/served_again.h"
#include "sim/search/seen_set.h"

namespace lockstep::properties {

class WordsWatch {
 public:
  /// Both must outlive it. `with_now`: what a request does may depend on what time it is.
  WordsWatch(const model::Setup& setup, lua::Engine& engine, bool with_now)
      : setup_(setup), engine_(engine), with_now_(with_now) {}

  /// Looks at the request in a move that is about to be taken.
  void before(const model::World& world, const model::Move& move);

  /// What looks into words: "the script in the role `lock`"; nothing as long as nothing was seen to.
  const std::optional<std::string>& culprit() const { return culprit_; }

 private:
  struct Word;

  void look_at(const model::World& world, model::LinkId link, model::ConnectionId connection,
               const model::Request& request);
  std::vector<Word> words_in(const model::World& world, const Asked& asked) const;
  bool is_treated_alike(const Asked& asked, const Word& word, const Answered& answered, std::size_t by) const;

  const model::Setup& setup_;
  lua::Engine& engine_;
  bool with_now_;
  sim::DigestSet met_;
  std::optional<std::string> culprit_;
};

}  // namespace lockstep::properties
