// toml_reading.h: typed access to a TOML document that remembers the earliest mistake in it.
//
// A reader goes on after a mistake with a default, so that reading needs no error paths; in the end the
// mistake that stands first in the file is the one reported. Checks that only make sense on a faultless
// document ask failed() first.
//
// A text that begins with `{`, or a file called .json, is JSON (json_text.h): its mistakes are told by the
// path of their key. A second file may be included (include.h); what comes from it has its places there.
#pragma once

#include <toml++/toml.h>

#include <array>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/setup/setup.h"
#include "scenarios/format/json_text.h"
#include "scenarios/format/place.h"
#include "sim/base/result.h"

namespace lockstep::scenarios {

class TomlReading {
 public:
  TomlReading(std::string_view text, std::string_view file) : parts_{Part{{text, file}, {}}, Part{}} {}
  TomlReading(const TomlReading&) = delete;
  TomlReading& operator=(const TomlReading&) = delete;

  /// The document, or nothing after a mistake in the bytes or the syntax. `noun`: "a scenario".
  std::optional<toml::table> parse(std::string_view noun);
  /// The same of one more file; both texts must outlive this.
  std::optional<toml::table> parse_included(std::string_view noun, std::string_view text,
                                            std::string_view file);

  void fail(const Place& place, std::string what, std::string hint = {});
  /// A mistake found in another text because of what stands at `place`: a complete error is reported as it
  /// is.
  void fail(const Place& place, const sim::Problem& problem);
  bool failed() const { return problem_.has_value(); }
  /// The earliest mistake. To be called only if failed().
  const sim::Problem& problem() const { return *problem_; }
  const Source& source() const { return parts_[0].source; }
  bool is_json() const { return parts_[0].json.has_value(); }

  Place place_of(const toml::key& key) const;
  Place place_of(const toml::node& node) const;
  /// The place of a byte range inside a string value; the whole value if escapes or line breaks hide where
  /// that is.
  Place place_in(const toml::value<std::string>& value, std::size_t offset, std::size_t length) const;

  /// Reports the first key of the table that is not known. `where`: "[time]".
  void only(const toml::table& table, std::string_view where, std::initializer_list<std::string_view> known);
  void only(const toml::table& table, std::string_view where, std::span<const std::string> known);

  // Each returns nothing if the key is absent or its value is wrong; the latter is reported.
  const toml::value<std::string>* text(const toml::table& table, std::string_view key);
  std::optional<std::string> string(const toml::table& table, std::string_view key);
  std::optional<std::int64_t> integer(const toml::table& table, std::string_view key, std::int64_t lo,
                                      std::int64_t hi);
  std::optional<bool> boolean(const toml::table& table, std::string_view key);
  std::optional<sim::Duration> duration(const toml::table& table, std::string_view key);
  std::optional<model::Interval> interval(const toml::table& table, std::string_view key);
  std::optional<sim::Duration> offset(const toml::table& table, std::string_view key);
  std::optional<std::int32_t> drift(const toml::table& table, std::string_view key);
  const toml::table* table(const toml::table& table, std::string_view key);
  const toml::array* array(const toml::table& table, std::string_view key, std::string_view of_what);
  /// A list of strings; `key` may also be one string.
  std::vector<const toml::value<std::string>*> texts(const toml::table& table, std::string_view key);
  /// One of the words; its index.
  std::optional<std::size_t> word(const toml::table& table, std::string_view key,
                                  std::span<const std::string> words);

  void wants(const toml::node& node, std::string_view key, std::string_view what);
  /// "a string", "a whole number", …
  static std::string_view type_of(const toml::node& node);

 private:
  struct Part {
    Source source;
    std::optional<JsonText> json;  // then this is what is read, and where in `source` it stands
    /// What was parsed.
    Source read() const { return json ? Source{json->toml, source.file} : source; }
  };
  std::optional<toml::table> parse_part(std::uint32_t file, std::string_view noun);
  Place at(const toml::source_region& region, std::uint32_t length) const;
  sim::Problem told(const Place& place, std::string_view what, std::string_view hint) const;

  std::array<Part, 2> parts_;
  std::optional<sim::Problem> problem_;
  Place problem_place_;
};

}  // namespace lockstep::scenarios
