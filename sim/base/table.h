// table.h: one row for each id of a kind. A position is a name here: rename.h permutes the rows.
#pragma once

#include <tuple>
#include <utility>
#include <vector>

#include "sim/base/id.h"
#include "sim/base/rename.h"

namespace lockstep::sim {

template <class SomeId, class T>
struct Table {
  std::vector<T> rows;

  T& operator[](SomeId id) { return rows[id.index()]; }
  const T& operator[](SomeId id) const { return rows[id.index()]; }
  std::size_t size() const { return rows.size(); }
  bool empty() const { return rows.empty(); }
  auto begin() { return rows.begin(); }
  auto begin() const { return rows.begin(); }
  auto end() { return rows.end(); }
  auto end() const { return rows.end(); }

  void rename(const Renaming& renaming) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto id = make_id<SomeId>(i);
      if constexpr (requires { renaming.inside(id); }) sim::rename(rows[i], renaming.inside(id));
      else sim::rename(rows[i], renaming);
    }
    if constexpr (HasNewName<SomeId>) {
      std::vector<T> renamed(rows.size());
      for (std::size_t i = 0; i < rows.size(); ++i)
        renamed[renaming.of(make_id<SomeId>(i)).index()] = std::move(rows[i]);
      rows = std::move(renamed);
    }
  }

  bool operator==(const Table&) const = default;
  static auto fields(auto& t) { return std::tie(t.rows); }
};

}  // namespace lockstep::sim
