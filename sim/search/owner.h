// owner.h: the states that one rank of several knows by their digests, and under which numbers.
//
// Once a level others ask about states that they made (ranked.h). Which of those were met before is answered
// at once. A new one is kept by who made it first, in the order of a search by one process; the number that
// it gets is heard from there, and told to those who came too late.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/digest.h"
#include "sim/search/message.h"
#include "sim/search/pieces.h"
#include "sim/search/seen_set.h"

namespace lockstep::sim {

class Owner {
 public:
  enum class Answer : std::uint8_t { known, kept, lost };

  static std::size_t of(const Digest& key, std::size_t ranks) { return key.high % ranks; }

  void add(const Digest& key, std::uint32_t number) {
    seen_.insert(key);
    numbers_.push_back(number);
  }

  std::optional<std::uint32_t> find(const Digest& key) const {
    const auto met = seen_.find(key);
    return met ? std::optional(numbers_[*met]) : std::nullopt;
  }

  /// Forgets what others own.
  void keep_own(std::size_t mine, std::size_t ranks) {
    Owner own;
    for (std::uint32_t i = 0; i < seen_.size(); ++i)
      if (of(seen_.keys()[i], ranks) == mine) own.add(seen_.keys()[i], numbers_[i]);
    *this = std::move(own);
  }

  /// By rank: for each question (a digest, the state that led there and the move) the answer, and a number if
  /// it is known.
  std::vector<std::string> answers(const std::vector<std::string>& questions) {
    claims_.clear();
    claimed_ = {};
    claims_of_.assign(questions.size(), {});
    std::vector<std::vector<std::optional<std::uint32_t>>> found(questions.size());
    for (std::size_t rank = 0; rank < questions.size(); ++rank)
      for (MessageReader in(questions[rank]); !in.is_at_end();) found[rank].push_back(look_up(rank, in));
    std::vector<std::string> answers(questions.size());
    for (std::size_t rank = 0; rank < found.size(); ++rank) {
      auto claim = claims_of_[rank].begin();
      for (const auto& number : found[rank]) {
        const Answer answer = number                             ? Answer::known
                              : claims_[*claim++].rank == rank ? Answer::kept
                                                               : Answer::lost;
        put_into(answers[rank], answer);
        if (number) put_into(answers[rank], *number);
      }
    }
    return answers;
  }

  /// `numbers`: from each rank those of the states that it keeps. Returned are, for each, those of states
  /// that it lost.
  std::vector<std::string> learn(const std::vector<std::string>& numbers) {
    std::vector<MessageReader> in(numbers.begin(), numbers.end());
    for (std::size_t rank = 0; rank < in.size(); ++rank)
      for (const std::uint32_t claim : claims_of_[rank])
        if (claims_[claim].rank == rank) claims_[claim].number = in[rank].take<std::uint32_t>();
    for (std::uint32_t i = 0; i < claims_.size(); ++i) add(claimed_.keys()[i], claims_[i].number);
    std::vector<std::string> late(numbers.size());
    for (std::size_t rank = 0; rank < late.size(); ++rank)
      for (const std::uint32_t claim : claims_of_[rank])
        if (claims_[claim].rank != rank) put_into(late[rank], claims_[claim].number);
    return late;
  }

  std::uint64_t bytes() const { return seen_.bytes() + numbers_.bytes(); }

 private:
  /// Of a state that nobody had met at an earlier level: the first who made it.
  struct Claim {
    std::uint32_t from = 0, number = 0;
    std::uint16_t move = 0;
    std::size_t rank = 0;
  };

  std::optional<std::uint32_t> look_up(std::size_t rank, MessageReader& in) {
    const auto key = in.take<Digest>();
    const auto from = in.take<std::uint32_t>();
    const auto move = in.take<std::uint16_t>();
    if (const auto met = find(key)) return met;
    const Seen claim = claimed_.insert(key);
    if (claim.fresh) claims_.push_back({from, 0, move, rank});
    Claim& first = claims_[claim.id];
    if (std::pair(from, move) < std::pair(first.from, first.move)) first = {from, 0, move, rank};
    claims_of_[rank].push_back(claim.id);
    return std::nullopt;
  }

  DigestSet seen_;
  Pieces<std::uint32_t> numbers_;
  // Of this level.
  DigestSet claimed_;
  std::vector<Claim> claims_;                          // in the same order
  std::vector<std::vector<std::uint32_t>> claims_of_;  // by rank, in the order of its questions
};

}  // namespace lockstep::sim
