// LCS: the longest common subsequence of two strings (t_string.c, lcsCommand).
#include <limits>

#include "model/redis/arguments.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/errors.h"

namespace lockstep::redis::commands {

namespace {

struct LcsOptions {
  bool length = false, indexes = false, match_length = false;
  std::int64_t match_least = 0;
};

/// Reads the options. Returns an error reply, or Nil if all is well.
Reply parse_options(Words words, LcsOptions& options) {
  for (std::size_t i = 3; i < words.size(); ++i) {
    if (is_option(words[i], "idx")) {
      options.indexes = true;
    } else if (is_option(words[i], "len")) {
      options.length = true;
    } else if (is_option(words[i], "withmatchlen")) {
      options.match_length = true;
    } else if (is_option(words[i], "minmatchlen") && i + 1 < words.size()) {
      const auto given = parse_integer(words[++i]);
      if (!given) return errors::not_an_integer();
      options.match_least = *given;
    } else {
      return errors::syntax();
    }
  }
  if (options.indexes && options.length) {
    return Error{"ERR If you want both the length and indexes, please just use IDX."};
  }
  return Nil{};
}

/// lengths(i, j): how long the longest common subsequence of the first i bytes of `a` and the first j of `b`
/// is.
class Lengths {
 public:
  Lengths(std::string_view a, std::string_view b)
      : columns_(b.size() + 1), cells_((a.size() + 1) * columns_) {
    for (std::size_t i = 1; i <= a.size(); ++i) {
      for (std::size_t j = 1; j <= b.size(); ++j) {
        at(i, j) =
            a[i - 1] == b[j - 1] ? (*this)(i - 1, j - 1) + 1 : std::max((*this)(i - 1, j), (*this)(i, j - 1));
      }
    }
  }
  std::uint32_t operator()(std::size_t i, std::size_t j) const { return cells_[i * columns_ + j]; }

 private:
  std::uint32_t& at(std::size_t i, std::size_t j) { return cells_[i * columns_ + j]; }

  std::size_t columns_;
  std::vector<std::uint32_t> cells_;
};

/// A piece that both strings have, at `a` and `b`.
struct Match {
  std::size_t a, b, length;
};

struct Common {
  std::string bytes;
  std::vector<Match> matches;  // the last one first
};

/// Walks back from the ends of both strings. Where both ways are as good, `b` loses a byte.
Common trace(std::string_view a, std::string_view b, const Lengths& lengths) {
  Common common;
  std::size_t i = a.size(), j = b.size();
  bool grows = false;  // whether the last match may become longer
  while (i > 0 && j > 0) {
    if (a[i - 1] == b[j - 1]) {
      --i, --j;
      common.bytes.insert(common.bytes.begin(), a[i]);
      if (grows) common.matches.back() = {i, j, common.matches.back().length + 1};
      else common.matches.push_back({i, j, 1});
      grows = true;
    } else {
      (lengths(i - 1, j) > lengths(i, j - 1) ? i : j) -= 1;
      grows = false;
    }
  }
  return common;
}

Reply range(std::size_t first, std::size_t length) {
  return Reply::Array{count(first), count(first + length - 1)};
}

Reply show(const Common& common, std::uint32_t length, const LcsOptions& options) {
  Reply::Array shown;
  for (const Match& match : common.matches) {
    if (static_cast<std::int64_t>(match.length) < options.match_least) continue;
    Reply::Array row{range(match.a, match.length), range(match.b, match.length)};
    if (options.match_length) row.push_back(count(match.length));
    shown.emplace_back(std::move(row));
  }
  return Reply::Array{bulk("matches"), std::move(shown), bulk("len"), count(length)};
}

}  // namespace

Reply lcs(Call& call, Words words) {
  String *a = nullptr, *b = nullptr;
  const bool first = call.find(words[1], a), second = call.find(words[2], b);  // both, and dead ones go
  if (!first || !second) return Error{"ERR The specified keys must contain string values"};
  LcsOptions options;
  if (Reply problem = parse_options(words, options); !problem.is_nil()) return problem;
  const std::string none;
  const std::string &left = a ? a->bytes : none, &right = b ? b->bytes : none;
  const std::uint64_t cells = (std::uint64_t{left.size()} + 1) * (std::uint64_t{right.size()} + 1);
  if (cells > string_bytes_max / sizeof(std::uint32_t)) {
    return Error{"ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len"};
  }
  const Lengths lengths(left, right);
  const std::uint32_t length = lengths(left.size(), right.size());
  if (options.length) return count(length);
  Common common = trace(left, right, lengths);
  return options.indexes ? show(common, length, options) : Reply(std::move(common.bytes));
}

}  // namespace lockstep::redis::commands
