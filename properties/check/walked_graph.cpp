#include "properties/check/walked_graph.h"

#include <algorithm>
#include <array>
#include <bit>

#include "sim/base/verify.h"
#include "sim/run/pos.h"

namespace lockstep::properties {

bool WalkedGraph::fits(const Setup& setup) {
  constexpr std::size_t threads_max = 16;  // of more, hardly a state comes again, and each is dear
  return Remembered::fits(setup) && !setup.exact && setup.predicates.empty() &&
         setup.threads.size() <= threads_max;
}

WalkedGraph::WalkedGraph(Checked& system, Options options)
    : system_(system),
      options_(options),
      width_(system.setup().nodes.size() + system.setup().processes.size() + 3) {
  begin_anew();
}

/// The first node is where runs begin.
void WalkedGraph::begin_anew() {
  const Checked::State initial = system_.initial();
  begins_at_ = initial.world.now.since_start;
  remembered_ = std::make_unique<Remembered>(system_, initial);
  remembered_->note_ways(options_.ways);
  places_.assign(1024, none);
  nodes_.clear();
  count_ = 0;
  lists_.clear();
  forget_numbers_of_moves();
  numbers_of_shown_.clear();
  shown_.clear();
  (void)number_of(Shown{});
  first_ = {add(remembered_->initial())};
}

namespace {

template <class T>
constexpr std::size_t words_of = sizeof(T) / sizeof(std::uint32_t);

template <class T>
T read(const std::vector<std::uint32_t>& words, std::size_t at) {
  std::array<std::uint32_t, words_of<T>> its;
  std::copy_n(words.begin() + static_cast<std::ptrdiff_t>(at), its.size(), its.begin());
  return std::bit_cast<T>(its);
}

template <class T>
void write(std::vector<std::uint32_t>& words, std::size_t at, const T& value) {
  const auto its = std::bit_cast<std::array<std::uint32_t, words_of<T>>>(value);
  std::copy(its.begin(), its.end(), words.begin() + static_cast<std::ptrdiff_t>(at));
}

}  // namespace

WalkedGraph::Head WalkedGraph::head_of(std::uint32_t node) const { return read<Head>(nodes_, node); }

WalkedGraph::Edge WalkedGraph::edge_of(std::uint32_t node, std::uint32_t index) const {
  return read<Edge>(nodes_, node + words_of<Head> + index * words_of<Edge>);
}

void WalkedGraph::keep_edge(std::uint32_t node, std::uint32_t index, Edge edge) {
  write(nodes_, node + words_of<Head> + index * words_of<Edge>, edge);
}

bool WalkedGraph::is_full() const {
  return count_ >= options_.nodes_max || remembered_->contents() >= options_.contents_max;
}

/// Forgets all but one state.
void WalkedGraph::forget_but(State& state) {
  const sim::Row row = row_of(state);
  const auto before = std::move(remembered_);
  contents_forgotten_ += before->contents();
  begin_anew();
  state.node = node_of(remembered_->adopt(*before, row));
}

sim::Row WalkedGraph::row_of(const State& state) const {
  sim::Row row;
  std::copy_n(nodes_.begin() + state.node - static_cast<std::ptrdiff_t>(width_), width_, row.parts.begin());
  return row;
}

std::uint64_t WalkedGraph::hash_of(const sim::Row& row) const {
  constexpr std::uint64_t odd = 0x9e37'79b9'7f4a'7c15;
  std::uint64_t hash = 0;
  for (std::size_t slot = 0; slot < width_; ++slot) hash = (std::rotl(hash, 29) ^ row[slot]) * odd;
  return hash ^ hash >> 32;
}

/// Where the node of this row is entered, or belongs.
std::uint32_t& WalkedGraph::place_of(const sim::Row& row) {
  const std::size_t mask = places_.size() - 1;
  std::size_t place = hash_of(row) & mask;
  const auto is_it = [&](std::uint32_t node) {
    return std::equal(row.parts.begin(), row.parts.begin() + static_cast<std::ptrdiff_t>(width_),
                      nodes_.begin() + node - static_cast<std::ptrdiff_t>(width_));
  };
  while (places_[place] != none && !is_it(places_[place])) place = (place + 1) & mask;
  return places_[place];
}

std::uint32_t WalkedGraph::node_of(const sim::Row& row) {
  const std::uint32_t node = place_of(row);
  return node == none ? add(row) : node;
}

std::uint32_t WalkedGraph::add(const sim::Row& row) {
  if (2 * (count_ + 1) > places_.size()) grow();
  const auto node = static_cast<std::uint32_t>(nodes_.size() + width_);
  place_of(row) = node;
  nodes_.insert(nodes_.end(), row.parts.begin(), row.parts.begin() + static_cast<std::ptrdiff_t>(width_));
  ++count_;
  const std::uint32_t list = number_of(remembered_->listed(row));
  const std::vector<Move>& moves = lists_[list].moves;
  const sim::PropertyMask broken = remembered_->violated(row);
  const Checked::State& whole = remembered_->whole(row);
  const bool may_wait = std::any_of(moves.begin(), moves.end(), [&](const Move& move) {
    return !move.is_fault() && !move.passes_time() && system_.slack(whole, move);
  });
  nodes_.resize(node + words_of<Head> + moves.size() * words_of<Edge>);
  write(nodes_, node,
        Head{list, may_wait, static_cast<std::uint32_t>(broken), static_cast<std::uint32_t>(broken >> 32)});
  for (std::uint32_t index = 0; index < moves.size(); ++index) keep_edge(node, index, {});
  return node;
}

void WalkedGraph::grow() {
  std::vector<std::uint32_t> before(2 * places_.size(), none);
  before.swap(places_);
  for (const std::uint32_t node : before)
    if (node != none) place_of(row_of({node})) = node;
}

/// Where the list of moves with these numbers is entered, or belongs.
std::uint32_t& WalkedGraph::place_of_list(const std::vector<std::uint32_t>& numbers) {
  constexpr std::uint64_t odd = 0x9e37'79b9'7f4a'7c15;
  std::uint64_t hash = numbers.size();
  for (const std::uint32_t number : numbers) hash = (std::rotl(hash, 29) ^ number) * odd;
  const std::size_t mask = places_of_lists_.size() - 1;
  std::size_t place = (hash ^ hash >> 32) & mask;
  const auto is_it = [&](std::uint32_t list) { return lists_[list].numbers == numbers; };
  while (places_of_lists_[place] != none && !is_it(places_of_lists_[place])) place = (place + 1) & mask;
  return places_of_lists_[place];
}

void WalkedGraph::grow_lists() {
  places_of_lists_.assign(2 * places_of_lists_.size(), none);
  for (std::size_t list = first_list_; list < lists_.size(); ++list)
    place_of_list(lists_[list].numbers) = static_cast<std::uint32_t>(list);
}

void WalkedGraph::forget_numbers_of_moves() {
  times_forgotten_ = remembered_->times_forgotten();
  first_list_ = lists_.size();
  places_of_lists_.assign(64, none);
  races_.forget();
}

std::uint32_t WalkedGraph::number_of(const std::vector<KnownMove>& listed) {
  if (times_forgotten_ != remembered_->times_forgotten()) forget_numbers_of_moves();
  key_.clear();
  for (const KnownMove& move : listed) key_.push_back(move.number);
  if (const std::uint32_t known = place_of_list(key_); known != none) return known;
  const auto number = static_cast<std::uint32_t>(lists_.size());
  place_of_list(key_) = number;
  List& list = lists_.emplace_back();
  list.numbers = key_;
  for (std::size_t place = 0; place < listed.size(); ++place)
    list.moves.push_back(remembered_->move_listed(place));
  if (2 * (lists_.size() - first_list_) > places_of_lists_.size()) grow_lists();
  return number;
}

std::uint32_t WalkedGraph::number_of(const Shown& shown) {
  const auto [known, fresh] =
      numbers_of_shown_.try_emplace(shown, static_cast<std::uint32_t>(shown_.size()));
  if (fresh) shown_.push_back(shown);
  return known->second;
}

sim::WitnessMask WalkedGraph::apply_decision(State& state, const Decision& decision) {
  if (!decision.move.is_part()) {
    const Edge edge = edge_of(state.node, decision.index);
    if (edge.to != none) {
      state.node = edge.to;
      last_ = edge.shown;
      return shown_[last_].witnesses;
    }
  }
  return take_anew(state, decision);
}

sim::WitnessMask WalkedGraph::apply(State& state, const Move& move) {
  const std::vector<Move>& moves = listed(state);
  const auto found = std::find(moves.begin(), moves.end(), sim::as_listed(move));
  VERIFY(found != moves.end());
  return apply_decision(state, {move, static_cast<std::uint32_t>(found - moves.begin()), 0});
}

sim::WitnessMask WalkedGraph::take_anew(State& state, const Decision& decision) {
  if (is_full()) forget_but(state);
  ++taken_anew_;
  sim::Row row = row_of(state);
  Shown shown;
  if (options_.coverage != nullptr)
    shown.met.situation = options_.coverage->situation(remembered_->whole(row).world, decision.move);
  shown.witnesses = remembered_->apply(row, decision.move);
  if (shown.met.situation) shown.met.ways = remembered_->last_ways();
  const std::uint32_t from = state.node;
  state.node = node_of(row);
  last_ = number_of(shown);
  if (!decision.move.is_part()) keep_edge(from, decision.index, {state.node, last_});
  return shown.witnesses;
}

sim::Digest WalkedGraph::digest(const State& state) const {
  return system_.digest(system_.normal(remembered_->whole(row_of(state))));
}

void WalkedGraph::encode_state(const State& state, sim::Encoder& out) const {
  system_.encode_state(remembered_->whole(row_of(state)), out);
}

std::optional<sim::Duration> WalkedGraph::slack(const State& state, const Move& move) const {
  return system_.slack(remembered_->whole(row_of(state)), move);
}

bool WalkedGraph::races(const State& state, std::size_t one, std::size_t other) const {
  List& list = list_of(state);
  const std::size_t count = list.moves.size();
  if (list.races.empty()) list.races.resize(count * count);
  std::uint8_t& known = list.races[one * count + other];
  if (known == 0) known = may_race(head_of(state.node).list, one, other) ? 2 : 1;
  return known == 2;
}

/// Asked once for two moves, whichever lists they are in.
bool WalkedGraph::may_race(std::uint32_t list, std::size_t one, std::size_t other) const {
  const std::vector<Move>& moves = lists_[list].moves;
  if (list < first_list_) return system_.races(moves[one], moves[other]);
  const std::vector<std::uint32_t>& numbers = lists_[list].numbers;
  const std::uint64_t key = ByNumbers<bool>::key(0, numbers[one], numbers[other]);
  if (const bool* known = races_.find(key)) return *known;
  const bool race = system_.races(moves[one], moves[other]);
  races_.keep(key, race);
  return race;
}

const std::vector<std::uint32_t>& WalkedGraph::in_order(const State& state) const {
  List& list = list_of(state);
  if (list.order.empty()) list.order = sim::order_of<Move>(list.moves);
  return list.order;
}

Checked::State WalkedGraph::whole(const State& state, Duration passed) const {
  Checked::State whole = remembered_->whole(row_of(state));
  whole.world.now.since_start = begins_at_ + passed;
  return whole;
}

}  // namespace lockstep::properties
