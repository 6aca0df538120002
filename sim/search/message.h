// message.h: numbers one after the other, as ranks (ranks.h) send them to each other.
//
// All ranks run the same program on machines of one kind, so the bytes are those of the machine.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "sim/base/verify.h"

namespace lockstep::sim {

template <class T>
void put_into(std::string& message, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  message.append(bytes, sizeof(T));
}

class MessageReader {
 public:
  explicit MessageReader(std::string_view message) : left_(message) {}

  bool is_at_end() const { return left_.empty(); }
  template <class T>
  T take() {
    static_assert(std::is_trivially_copyable_v<T>);
    VERIFY(left_.size() >= sizeof(T));
    T value;
    std::memcpy(&value, left_.data(), sizeof(T));
    left_.remove_prefix(sizeof(T));
    return value;
  }

 private:
  std::string_view left_;
};

}  // namespace lockstep::sim
