#include "tools/kept/kept_file.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/text/text.h"
#include "sim/base/digest.h"
#include "tools/cli/output.h"

namespace lockstep::tools {

namespace {

using KeptJson = nlohmann::ordered_json;
using Mark = sim::Learned::Mark;

constexpr std::size_t piece_bytes = std::size_t{1} << 20;
constexpr std::size_t head_bytes_max = std::size_t{1} << 20;
constexpr std::size_t sum_bytes = 16;

/// The digest of bytes that come piece by piece: of each piece together with the digest before it.
class RunningSum {
 public:
  void add(std::string_view piece) {
    std::string both = text();
    both += piece;
    sum_ = sim::digest_bytes(both);
  }
  std::string text() const { return sim::hex(sum_); }
  const sim::Digest& digest() const { return sum_; }

 private:
  sim::Digest sum_;
};

std::uint64_t edge_bytes(const Mark& mark) { return 2 * mark.level + 5 * mark.edges; }
std::uint64_t body_bytes(const Mark& mark, std::size_t endings) {
  return mark.states * (16 + 6) + endings * ((mark.states + 7) / 8) + edge_bytes(mark);
}

KeptJson head_of(const KeptQuestion& question, const properties::KeptSearch& kept) {
  const Mark& mark = kept.learned.mark;
  KeptJson head{{"lockstep", "search"},
                {"v", kept_format},
                {"program", question.program},
                {"scenario", question.scenario},
                {"digest", question.digest},
                {"question", question.question},
                {"states", mark.states},
                {"level", mark.level},
                {"edges", mark.edges},
                {"transitions", mark.transitions},
                {"depth", mark.depth},
                {"at_rest", mark.at_rest},
                {"witnesses", mark.witnesses},
                {"endings", kept.learned.ended.size()},
                {"sent", kept.met.sent},
                {"met_horizon", kept.met.horizon},
                {"names_steps", kept.met.steps},
                {"names_images", kept.met.images},
                {"with_now", kept.with_now},
                {"symmetry", kept.watch_names},
                {"alike_max", kept.alike_max}};
  head["symmetry_off"] = kept.symmetry_off ? KeptJson(*kept.symmetry_off) : KeptJson(nullptr);
  head["broken"] = KeptJson::array();
  for (std::size_t i = 0; i < mark.broken; ++i)
    head["broken"].push_back({kept.learned.broken[i].first, kept.learned.broken[i].second});
  return head;
}

/// The bytes of a file, one after the other.
class KeptBytes {
 public:
  KeptBytes(const KeptQuestion& question, const properties::KeptSearch& kept)
      : learned_(kept.learned),
        piece_(head_of(question, kept).dump(-1, ' ', false, KeptJson::error_handler_t::replace) + "\n") {}

  /// The next piece; empty behind the last one.
  std::string next() {
    while (piece_.size() < piece_bytes && add_one()) {
    }
    sum_.add(piece_);
    if (piece_.empty() && !summed_) {
      summed_ = true;
      number(before_.digest().low, 8);
      number(before_.digest().high, 8);
    }
    before_ = sum_;
    return std::exchange(piece_, "");
  }

 private:
  void number(std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) piece_ += static_cast<char>(value >> (8 * i) & 0xff);
  }

  /// The next thing that is told; false if nothing is left.
  bool add_one() {
    const Mark& mark = learned_.mark;
    while (part_ < 3 + learned_.ended.size() && at_ == things(mark)) {
      ++part_;
      at_ = 0;
    }
    const std::size_t endings = learned_.ended.size();
    if (part_ == 3 + endings) return false;
    const std::uint64_t i = at_++;
    const auto state = static_cast<std::uint32_t>(i);
    if (part_ == 0) {
      const sim::Digest& digest = learned_.seen.keys()[state];
      number(digest.low, 8);
      number(digest.high, 8);
    } else if (part_ == 1) {
      number(learned_.parents.from(state), 4);
      number(learned_.parents.chosen(state), 2);
    } else if (part_ < 2 + endings) {
      std::uint64_t bits = 0;
      for (std::uint64_t bit = 0; bit < 8 && 8 * i + bit < mark.states; ++bit)
        if (learned_.ended[part_ - 2][8 * i + bit]) bits |= std::uint64_t{1} << bit;
      number(bits, 1);
    } else {
      edges_of(state);
    }
    return true;
  }

  std::uint64_t things(const Mark& mark) const {
    if (part_ < 2) return mark.states;
    return part_ < 2 + learned_.ended.size() ? (mark.states + 7) / 8 : mark.level;
  }

  void edges_of(std::uint32_t state) {
    std::uint64_t count = 0;
    for (sim::Edges::OfState its = learned_.edges.of(state); !its.is_at_end(); its.take()) ++count;
    number(count, 2);
    for (sim::Edges::OfState its = learned_.edges.of(state); !its.is_at_end();) {
      const sim::Edges::Edge edge = its.take();
      number(edge.to, 4);
      number(edge.timeless ? 1 : 0, 1);
    }
  }

  const sim::Learned& learned_;
  std::string piece_;
  RunningSum sum_, before_;
  std::size_t part_ = 0;  // digests, ways, endings, edges
  std::uint64_t at_ = 0;
  bool summed_ = false;
};

/// A file that is read from its beginning, with the digest of what was read, in the pieces in which it was
/// written.
class KeptReader {
 public:
  explicit KeptReader(const std::string& path) : in_(path, std::ios::binary) {}

  bool is_open() { return in_.is_open() && in_.peek() != std::ifstream::traits_type::eof(); }

  std::optional<std::string> line() {
    std::string line;
    for (char c = 0; line.size() < head_bytes_max && in_.get(c);) {
      if (c == '\n') return piece_ = line + '\n', line;
      line += c;
    }
    return std::nullopt;
  }

  /// How much there is behind the first line.
  std::uint64_t left() {
    const auto here = in_.tellg();
    in_.seekg(0, std::ios::end);
    const auto end = in_.tellg();
    in_.seekg(here);
    return static_cast<std::uint64_t>(end - here);
  }

  /// A piece ends with the thing by which it is full.
  void end_thing() {
    if (piece_.size() < piece_bytes) return;
    sum_.add(piece_);
    piece_.clear();
  }

  std::uint64_t number(int bytes) {
    std::uint64_t value = 0;
    for (int i = 0; i < bytes; ++i) {
      char c = 0;
      in_.get(c);
      piece_ += c;
      value |= std::uint64_t{static_cast<unsigned char>(c)} << (8 * i);
    }
    return value;
  }

  bool sum_is_right() {
    if (!piece_.empty()) sum_.add(piece_);
    const std::uint64_t low = number(8), high = number(8);
    return in_.good() && sum_.digest() == sim::Digest{high, low};
  }

 private:
  std::ifstream in_;
  std::string piece_;
  RunningSum sum_;
};

std::shared_ptr<properties::KeptSearch> from_head(const KeptJson& head) {
  auto kept = std::make_shared<properties::KeptSearch>();
  Mark& mark = kept->learned.mark;
  mark = {.states = head.at("states"),
          .edges = head.at("edges"),
          .broken = head.at("broken").size(),
          .level = head.at("level"),
          .transitions = head.at("transitions"),
          .depth = head.at("depth"),
          .at_rest = head.at("at_rest"),
          .witnesses = head.at("witnesses")};
  kept->learned.ended.resize(std::min(head.at("endings").get<std::size_t>(), std::size_t{64}));
  for (const KeptJson& one : head.at("broken"))
    kept->learned.broken.emplace_back(one.at(0).get<unsigned>(), one.at(1).get<std::uint32_t>());
  kept->met = {.sent = head.at("sent"),
               .horizon = head.at("met_horizon"),
               .steps = head.at("names_steps"),
               .images = head.at("names_images")};
  kept->with_now = head.at("with_now");
  kept->watch_names = head.at("symmetry");
  kept->alike_max = head.at("alike_max");
  if (!head.at("symmetry_off").is_null()) kept->symmetry_off = head.at("symmetry_off");
  return kept;
}

/// Only sizes that the file has are believed.
bool read_body(KeptReader& in, sim::Learned& learned) {
  const Mark& mark = learned.mark;
  for (std::uint64_t i = 0; i < mark.states; ++i, in.end_thing()) {
    const std::uint64_t low = in.number(8), high = in.number(8);
    if (!learned.seen.insert({high, low}).fresh) return false;
  }
  for (std::uint64_t i = 0; i < mark.states; ++i, in.end_thing()) {
    const auto from = static_cast<std::uint32_t>(in.number(4));
    const std::uint64_t chosen = in.number(2);
    if (chosen >= sim::Parents::moves_max || from > i) return false;
    learned.parents.add(from, chosen);
  }
  for (std::vector<bool>& ended : learned.ended)
    for (std::uint64_t i = 0; i < (mark.states + 7) / 8; ++i, in.end_thing()) {
      const std::uint64_t bits = in.number(1);
      for (std::uint64_t bit = 0; bit < 8 && 8 * i + bit < mark.states; ++bit)
        ended.push_back((bits >> bit & 1) != 0);
    }
  for (std::uint64_t i = 0; i < mark.level; ++i, in.end_thing()) {
    const std::uint64_t count = in.number(2);
    if (learned.edges.size() + count > mark.edges) return false;
    for (std::uint64_t edge = 0; edge < count; ++edge) {
      const std::uint64_t to = in.number(4);
      const bool timeless = in.number(1) != 0;
      if (to >= mark.states) return false;
      learned.edges.add(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(to), timeless);
    }
  }
  return learned.edges.size() == mark.edges;
}

/// Why a search cannot go on there; empty if it can.
std::string misfit_of(const KeptJson& head, const KeptQuestion& question) {
  if (head.at("v") != kept_format)
    return fmt::format("is of format {}, and this program reads {}", head.at("v").dump(), kept_format);
  if (head.at("program") != question.program)
    return "was made by another build of the program, whose searches do not go on here";
  if (head.at("digest") != question.digest)
    return fmt::format("is of the scenario {} with other content or other scripts",
                       reports::printable(head.at("scenario").get<std::string>()));
  if (head.at("question") != question.question)
    return "is of another question: other properties, --no-symmetry, --reduce, or another beginning";
  return "";
}

}  // namespace

std::optional<sim::Problem> write_kept(const std::string& path, const KeptQuestion& question,
                                       const properties::KeptSearch& kept) {
  KeptBytes bytes(question, kept);
  return write_file(path, [&] { return bytes.next(); });
}

sim::Result<std::shared_ptr<properties::KeptSearch>> read_kept(const std::string& path,
                                                               const KeptQuestion& question) {
  const auto wrong = [&](std::string_view what) {
    return sim::Problem{fmt::format("{}: {}", reports::printable(path), what)};
  };
  constexpr std::string_view none = "is no search that `lockstep check --save` kept";
  KeptReader in(path);
  if (!in.is_open()) return wrong("cannot be read, or is empty");
  const auto line = in.line();
  if (!line) return wrong(none);
  try {
    const KeptJson head = KeptJson::parse(*line);
    if (head.at("lockstep") != "search") return wrong(none);
    if (const std::string misfit = misfit_of(head, question); !misfit.empty()) return wrong(misfit);
    auto kept = from_head(head);
    const Mark& mark = kept->learned.mark;
    const std::uint64_t size = in.left(), most = size + 1;
    bool plausible = mark.states < most && mark.edges < most && mark.level <= mark.states;
    for (const auto& [property, state] : kept->learned.broken)
      plausible = plausible && property < 64 && state < mark.states;
    if (!plausible || size != body_bytes(mark, kept->learned.ended.size()) + sum_bytes)
      return wrong("was cut off, or has more in it than was written");
    if (!read_body(in, kept->learned) || !in.sum_is_right())
      return wrong("was changed since it was written: its digest is another");
    return kept;
  } catch (const KeptJson::exception&) {
    return wrong(none);
  }
}

}  // namespace lockstep::tools
