// ranked.h: one search by several processes, which share nothing but messages (ranks.h).
//
// Breadth first, level by level, with the numbers, counts, verdicts and trails of a search by one process:
//
// 1. Each rank takes every move of its part of the level. States have no reader, so what a rank makes stays
//    with it; sent are digests.
// 2. A digest has an owner (owner.h), who knows whether its state was met before, and under which number.
//    Each rank asks once a level for all that it made. Of several who made a new state, the one who came
//    first in the order of one process keeps it.
// 3. That order is by the number of the state that was expanded, and then by the move. Each rank tells all
//    which of its states led to how many new ones; so every new state gets the number that one process would
//    have given it, and owners are told.
// 4. The first rank hears of every step. It keeps what is asked of the whole graph (whole_graph.h), and it
//    alone says when the search ends and what it found.
//
// As long as a level is too small to be shared out, every rank does all of it, alike and without a word.
// Limits of time and memory are looked at only afterwards.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/verify.h"
#include "sim/search/dead_end.h"
#include "sim/search/meanwhile.h"
#include "sim/search/message.h"
#include "sim/search/outcome.h"
#include "sim/search/owner.h"
#include "sim/search/parents.h"
#include "sim/search/ranks.h"
#include "sim/search/seen_set.h"
#include "sim/search/seen_states.h"
#include "sim/search/taking.h"
#include "sim/search/timeless.h"
#include "sim/search/whole_graph.h"
#include "sim/system.h"

namespace lockstep::sim {

template <System S>
class RankedSearch {
 public:
  using State = typename S::State;
  using Move = typename S::Move;

  /// The ranks must outlive it; each makes one with a system and options that are alike.
  RankedSearch(S& system, SearchOptions<S> options, Ranks& ranks)
      : system_(system),
        options_(std::move(options)),
        all_(ranks),
        keys_(system, options_.symmetry),
        graph_(asked_) {
    VERIFY(options_.key == StateKey::digest && options_.order == SearchOrder::breadth_first);
    VERIFY(!options_.keep && options_.begin == nullptr && !options_.on_edge);
  }

  /// Of the first rank; of the others only whether a system had to stop.
  Outcome<S> run() {
    begin();
    while (!ended_ && states_in_level_ != 0) {
      share_out();
      if (const auto why = agree_to_end()) end(*why);
      else expand_level();
    }
    if (conducts()) look_at_graph();
    else if (!stopper_) answer();
    Outcome<S> outcome = std::move(graph_.found);
    outcome.states = states_;
    outcome.depth = depth_;
    outcome.ended = how_;
    outcome.stopper = stopper_;
    outcome.symmetry = keys_.uses_symmetry();
    outcome.bytes = bytes();
    return outcome;
  }

 private:
  static constexpr std::uint64_t shared_from = 16;  // states for each rank
  static constexpr std::size_t looked_every = 64;
  using Answer = Owner::Answer;

  struct Waiting {
    std::uint32_t number = 0;
    State state;
  };
  /// A state that this rank made at this level, and the first step that led to it here.
  struct Made {
    Digest key;
    std::uint32_t from = 0;
    std::uint16_t move = 0;
    Answer answer = Answer::known;
    std::uint32_t number = 0;
    State state;
  };
  struct Step {
    std::uint32_t made = 0;
    bool first = false, fault = false, timeless = false;
  };

  bool conducts() const { return ranks_->mine() == 0; }

  void begin() {
    State initial = system_.initial();
    freeze_written(system_, initial);
    const Digest key = keys_.digest(initial);
    owner_.add(key, 0);
    graph_.admit(0, 0, 0, system_.violated(initial), endings_of(system_, initial));
    level_.push_back({0, std::move(initial)});
    states_ = states_in_level_ = 1;
    if (is_enough()) end(SearchEnd::decided);
  }

  /// From here on each has a part of its own.
  void share_out() {
    if (ranks_ == &all_ || states_in_level_ < shared_from * all_.count()) return;
    ranks_ = &all_;
    std::vector<Waiting> mine;
    for (std::size_t i = ranks_->mine(); i < level_.size(); i += ranks_->count())
      mine.push_back(std::move(level_[i]));
    level_ = std::move(mine);
    owner_.keep_own(ranks_->mine(), ranks_->count());
    if (!conducts()) graph_.forget();
  }

  /// While each goes through all levels by itself nobody may end alone: they tell each other who must.
  std::optional<SearchEnd> agree_to_end() {
    if (ranks_ == &all_ || depth_ % looked_every != looked_every - 1) return std::nullopt;
    std::string word;
    put_into(word, look_around(level_.size()).value_or(SearchEnd::complete));
    std::optional<SearchEnd> why;
    for (const std::string& its : all_.tell_all(word)) {
      const auto how = MessageReader(its).take<SearchEnd>();
      if (how != SearchEnd::complete && !why) why = how;
    }
    return why;
  }

  void expand_level() {
    if (depth_ == options_.limits.depth_max) return stop_at_depth();
    std::optional<SearchEnd> cut = take_steps();
    const std::vector<std::string> answers = ask_owners();
    hear_answers(answers);
    cut = number_made(cut);
    if (stopper_) return end(SearchEnd::stopped);
    tell_owners();
    tell_conductor();
    level_.clear();
    for (Made& made : made_)
      if (made.answer == Answer::kept) level_.push_back({made.number, std::move(made.state)});
    made_.clear();
    if (cut) end(*cut);
    if (states_in_level_ != 0) ++depth_;
    decide();
  }

  /// 1. Why it was not all of them, if so.
  std::optional<SearchEnd> take_steps() {
    steps_.clear();
    begins_.clear();
    DigestSet met;
    shown_ = 0;
    at_rest_ = 0;
    must_stop_ = false;
    std::optional<SearchEnd> cut;
    const auto stop = [&] { return (cut = look_around(level_.size())).has_value(); };
    if (ranks_ == &all_) ask_meanwhile(system_, stop);
    for (std::size_t i = 0; i < level_.size() && !cut; ++i) {
      take_steps_of(level_[i], met);
      if constexpr (requires { system_.must_stop(); }) must_stop_ = system_.must_stop();
      stopped_at_ = level_[i].number;
      if (must_stop_) break;
      if (ranks_ == &all_ && i % looked_every == 0 && !cut) cut = look_around(level_.size() - i);
    }
    ask_meanwhile(system_, {});
    return cut;
  }

  void take_steps_of(Waiting& one, DigestSet& met) {
    system_.enabled(one.state, moves_);
    if (was_cut(system_)) return;
    begins_.push_back(steps_.size());
    VERIFY(moves_.size() <= Parents::moves_max);
    if (moves_.empty()) ++at_rest_;
    for (std::size_t i = 0; i < moves_.size(); ++i) {
      State child = i + 1 == moves_.size() ? std::move(one.state) : one.state;
      shown_ |= take_listed(system_, child, moves_, i);
      const Digest key = keys_.digest(child);
      const Seen here = met.insert(key);
      steps_.push_back({here.id, here.fresh, moves_[i].is_fault(), is_timeless(moves_[i])});
      if (here.fresh)
        made_.push_back({key, one.number, static_cast<std::uint16_t>(i), Answer::known, 0, std::move(child)});
    }
  }

  /// 2. What was made here, asked of owners; and what others ask here, answered.
  std::vector<std::string> ask_owners() {
    std::vector<std::string> questions(ranks_->count());
    asked_of_.assign(ranks_->count(), {});
    for (std::uint32_t i = 0; i < made_.size(); ++i) {
      const Made& made = made_[i];
      const std::size_t owner = Owner::of(made.key, ranks_->count());
      put_into(questions[owner], made.key);
      put_into(questions[owner], made.from);
      put_into(questions[owner], made.move);
      asked_of_[owner].push_back(i);
    }
    return ranks_->exchange(owner_.answers(ranks_->exchange(questions)));
  }

  void hear_answers(const std::vector<std::string>& answers) {
    for (std::size_t owner = 0; owner < answers.size(); ++owner) {
      MessageReader in(answers[owner]);
      for (const std::uint32_t i : asked_of_[owner]) {
        made_[i].answer = in.take<Answer>();
        if (made_[i].answer == Answer::known) made_[i].number = in.take<std::uint32_t>();
      }
    }
  }

  /// 3. Numbers what is new. Says what ends the search: a limit that somebody met, or a system that had to
  /// stop.
  std::optional<SearchEnd> number_made(std::optional<SearchEnd> cut) {
    std::string word;
    put_into(word, must_stop_);
    put_into(word, stopped_at_);
    put_into(word, cut.has_value());
    put_into(word, cut.value_or(SearchEnd::complete));
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < made_.size(); ++i) {
      if (made_[i].answer == Answer::kept) ++count;
      const bool last = i + 1 == made_.size() || made_[i + 1].from != made_[i].from;
      if (!last || count == 0) continue;
      put_into(word, made_[i].from);
      put_into(word, std::exchange(count, 0));
    }
    const std::vector<std::string> words = ranks_->tell_all(word);
    std::vector<MessageReader> in(words.begin(), words.end());
    std::optional<SearchEnd> why;
    std::uint32_t first_stop = 0;
    for (std::size_t rank = 0; rank < in.size(); ++rank) {
      const bool must_stop = in[rank].template take<bool>();
      const auto stopped_at = in[rank].template take<std::uint32_t>();
      if (must_stop && (!stopper_ || stopped_at < first_stop)) {
        stopper_ = rank;
        first_stop = stopped_at;
      }
      const bool was_cut = in[rank].template take<bool>();
      const auto how = in[rank].template take<SearchEnd>();
      if (was_cut && !why) why = how;
    }
    give_numbers(in);
    return why;
  }

  /// Of the lists of all ranks, each ascending, the least comes next.
  void give_numbers(std::vector<MessageReader>& in) {
    struct Next {
      std::uint32_t from = 0, count = 0;
    };
    std::vector<std::optional<Next>> next(in.size());
    const auto read = [&](std::size_t rank) {
      next[rank].reset();
      if (in[rank].is_at_end()) return;
      const auto from = in[rank].template take<std::uint32_t>();
      next[rank] = Next{from, in[rank].template take<std::uint32_t>()};
    };
    for (std::size_t rank = 0; rank < in.size(); ++rank) read(rank);
    std::size_t mine = 0;
    const std::uint64_t before = states_;
    for (;;) {
      std::optional<std::size_t> least;
      for (std::size_t rank = 0; rank < next.size(); ++rank)
        if (next[rank] && (!least || next[rank]->from < next[*least]->from)) least = rank;
      if (!least) break;
      for (std::uint32_t i = 0; i < next[*least]->count; ++i, ++states_) {
        if (*least != ranks_->mine()) continue;
        while (made_[mine].answer != Answer::kept) ++mine;
        made_[mine++].number = static_cast<std::uint32_t>(states_);
      }
      read(*least);
    }
    states_in_level_ = states_ - before;
  }

  /// Owners hear the numbers of new states, and tell them to those who came too late.
  void tell_owners() {
    std::vector<std::string> numbers(ranks_->count());
    for (std::size_t owner = 0; owner < numbers.size(); ++owner)
      for (const std::uint32_t i : asked_of_[owner])
        if (made_[i].answer == Answer::kept) put_into(numbers[owner], made_[i].number);
    const std::vector<std::string> late = ranks_->exchange(owner_.learn(ranks_->exchange(numbers)));
    for (std::size_t owner = 0; owner < late.size(); ++owner) {
      MessageReader heard(late[owner]);
      for (const std::uint32_t i : asked_of_[owner])
        if (made_[i].answer == Answer::lost) made_[i].number = heard.take<std::uint32_t>();
    }
  }

  /// 4. Every step, for the first rank.
  void tell_conductor() {
    std::vector<std::string> out(ranks_->count());
    std::string& word = out.front();
    put_into(word, shown_);
    put_into(word, at_rest_);
    for (std::size_t i = 0; i < begins_.size(); ++i) {
      const std::size_t end = i + 1 == begins_.size() ? steps_.size() : begins_[i + 1];
      put_into(word, level_[i].number);
      put_into(word, static_cast<std::uint32_t>(end - begins_[i]));
      for (std::size_t s = begins_[i]; s < end; ++s) tell_step(word, steps_[s]);
    }
    const std::vector<std::string> heard = ranks_->exchange(out);
    if (conducts()) graph_.hear(heard, keeps_edges());
  }

  void tell_step(std::string& word, const Step& step) {
    const Made& made = made_[step.made];
    const bool fresh = step.first && made.answer == Answer::kept;
    put_into(word, made.number);
    put_into(word, flags_of(step.fault, step.timeless, fresh));
    if (!fresh) return;
    put_into(word, made.move);
    put_into(word, system_.violated(made.state));
    put_into(word, endings_of(system_, made.state));
  }

  /// The first rank says whether it goes on; a level that was not finished ended it for all.
  void decide() {
    if (conducts() && states_ > options_.limits.states_max) end(SearchEnd::states);
    if (conducts() && is_enough()) end(SearchEnd::decided);
    std::string word;
    put_into(word, ended_);
    const std::vector<std::string> words = ranks_->tell_all(word);
    if (MessageReader(words.front()).take<bool>()) end(SearchEnd::stopped);
  }

  void stop_at_depth() {
    std::uint64_t moving = 0, at_rest = 0;
    for (Waiting& one : level_) {
      system_.enabled(one.state, moves_);
      ++(moves_.empty() ? at_rest : moving);
    }
    std::string word;
    put_into(word, moving);
    put_into(word, at_rest);
    moving = 0;
    for (const std::string& its : ranks_->tell_all(word)) {
      MessageReader in(its);
      moving += in.take<std::uint64_t>();
      graph_.found.at_rest += in.take<std::uint64_t>();
    }
    states_in_level_ = 0;
    if (moving != 0) end(SearchEnd::depth);
  }

  std::optional<SearchEnd> look_around(std::uint64_t waiting) {
    const std::uint64_t held = options_.limits.memory_held ? options_.limits.memory_held()
                                                           : bytes() + level_.size() * options_.state_bytes;
    if (all_.mine() == 0 && options_.on_progress)
      options_.on_progress({states_, graph_.found.transitions, depth_, waiting, graph_.found.violated});
    if (held > options_.limits.memory_bytes_max) return SearchEnd::memory;
    if (options_.limits.stop && options_.limits.stop()) return SearchEnd::stopped;
    return std::nullopt;
  }

  /// Under which number a state was met, which only its owner knows.
  struct Asking {
    RankedSearch& search;
    std::optional<std::uint32_t> find(const State& state) { return search.ask(search.keys_.digest(state)); }
  };

  std::optional<std::uint32_t> ask(const std::optional<Digest>& key) {
    std::string word;
    if (key) put_into(word, *key);
    const std::string asked = ranks_->tell_all(word).front();
    if (asked.empty()) return std::nullopt;
    std::string mine;
    if (const auto met = owner_.find(MessageReader(asked).take<Digest>())) put_into(mine, *met);
    for (const std::string& its : ranks_->tell_all(mine))
      if (!its.empty()) return MessageReader(its).take<std::uint32_t>();
    return no_such_state;
  }

  /// While the first rank looks at the graph; it ends with a question without a digest.
  void answer() {
    while (ask(std::nullopt)) {
    }
  }

  void look_at_graph() {
    if (stopper_) return;
    Asking asking{*this};
    graph_.look(system_, asking, options_.zeno, wants_endings() && !ended_);
    ask(std::nullopt);
  }

  std::uint64_t bytes() const {
    std::uint64_t all = owner_.bytes() + graph_.bytes();
    if constexpr (requires { system_.bytes(); }) all += system_.bytes();
    return all;
  }

  bool wants_endings() const { return asked_ != 0 && options_.endings; }
  bool keeps_edges() const { return options_.zeno || wants_endings(); }
  bool is_enough() const {
    return options_.enough && options_.enough(graph_.found.violated, graph_.found.witnesses);
  }
  void end(SearchEnd why) {
    if (!ended_) how_ = why;
    ended_ = true;
  }

  static constexpr std::uint32_t no_such_state = ~std::uint32_t{0};

  S& system_;
  SearchOptions<S> options_;
  Ranks& all_;
  AloneRank alone_;
  Ranks* ranks_ = &alone_;  // all, once there is enough to share out
  StateKeys<S> keys_;
  EndingMask asked_ = lockstep::sim::endings_asked(system_);
  Owner owner_;
  // Its part of the level, and what it makes there.
  std::vector<Waiting> level_;
  std::vector<Move> moves_;
  std::vector<Made> made_;
  std::vector<Step> steps_;
  std::vector<std::size_t> begins_;                   // of the steps of each state
  std::vector<std::vector<std::uint32_t>> asked_of_;  // by owner: what was made
  WitnessMask shown_ = 0;
  std::uint64_t at_rest_ = 0;
  bool must_stop_ = false;
  std::uint32_t stopped_at_ = 0;
  WholeGraph<S> graph_;  // at the first rank
  std::uint64_t states_ = 0, states_in_level_ = 0;
  std::uint64_t depth_ = 0;
  std::optional<std::size_t> stopper_;
  SearchEnd how_ = SearchEnd::complete;
  bool ended_ = false;
};

/// The search of all ranks, each of which calls this.
template <System S>
Outcome<S> explore_by(Ranks& ranks, S& system, SearchOptions<S> options) {
  return RankedSearch<S>{system, std::move(options), ranks}.run();
}

}  // namespace lockstep::sim
