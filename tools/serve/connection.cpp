#include "tools/serve/connection.h"

#include <asio/buffer.hpp>

#include <new>
#include <utility>

namespace lockstep::tools::serve {

namespace {

/// Redis's default of client-query-buffer-limit.
constexpr std::size_t held_bytes_max = std::size_t{1} << 30;

/// The buffer of replies, and the words of a request, give memory back that they needed once.
constexpr std::size_t idle_bytes_max = 64 * 1024;

}  // namespace

void Connection::wait_for_bytes() {
  socket_.async_wait(Socket::wait_read, [self = shared_from_this()](const asio::error_code& error) {
    if (!error) self->read();
  });
}

void Connection::read() {
  if (!socket_.is_open()) return;
  Connection::ReadBuffer& buffer = host_.read_buffer();
  asio::error_code error;
  const std::size_t size = socket_.read_some(asio::buffer(buffer), error);
  if (error && error != asio::error::would_block && error != asio::error::interrupted)
    return close("the client closed the connection");
  active_ms_ = host_.now_ms();
  feed({buffer.data(), size});
  if (parser_.held() > held_bytes_max) drop("it sent more than 1 GiB of one request");
  host_.flush_soon();
  if (socket_.is_open() && !closing_) wait_for_bytes();
}

/// A request or a reply for which there is no memory ends its connection.
void Connection::feed(std::string_view bytes) {
  try {
    parser_.feed(bytes);
    run_requests();
  } catch (const std::bad_alloc&) { drop("there is no memory for what it sends or asks"); }
}

void Connection::run_requests() {
  while (!closing_ && !dropped_ && !blocked_) {
    switch (parser_.next(command_)) {
      case redis::RequestParser::Found::nothing:
        return;
      case redis::RequestParser::Found::error:
        send(lua::Error{parser_.error()});
        close_when_written();
        return;
      case redis::RequestParser::Found::command:
        host_.serve(*this, command_);
        for (std::string& word : command_)
          if (word.capacity() > idle_bytes_max) redis::give_back(word);
        if (dropped_) ask_to_flush();
    }
  }
}

void Connection::resume(const model::Reply& reply) {
  send(reply);
  end_command();
  unblock();
}

void Connection::end_command() {
  if (replies_ == Replies::skipped) replies_ = Replies::on;
  if (std::exchange(skips_next_, false)) replies_ = Replies::skipped;
}

void Connection::unblock() {
  blocked_ = false;
  feed({});
}

void Connection::write(const model::Reply& reply) {
  if (dropped_) return;
  redis::encode(reply, out_);
  ask_to_flush();
  if (unwritten() >= host_.least_output_limit()) check_limits(std::chrono::steady_clock::now());
}

void Connection::check_limits(std::chrono::steady_clock::time_point now) {
  constexpr std::chrono::steady_clock::time_point never{};
  const bool may_reach_one = unwritten() >= host_.least_output_limit();
  const OutputLimit limit = may_reach_one ? host_.output_limit(*this) : OutputLimit{};
  const bool above_soft = limit.soft > 0 && unwritten() >= limit.soft;
  const bool above_hard = limit.hard > 0 && unwritten() >= limit.hard;
  if (!above_soft) above_soft_limit_ = never;
  else if (above_soft_limit_ == never) above_soft_limit_ = now;
  if (above_hard || (above_soft && now - above_soft_limit_ > limit.wait_max))
    drop("it does not read what it is sent");
}

void Connection::ask_to_flush() {
  if (!flush_asked_) host_.flush_later(*this);
  flush_asked_ = true;
}

void Connection::drop(const char* reason) {
  dropped_ = true;
  reason_ = reason;
  ask_to_flush();
}

void Connection::flush() {
  flush_asked_ = false;
  if (!socket_.is_open()) return;
  if (dropped_) return close(reason_);
  if (unwritten() > 0) active_ms_ = host_.now_ms();
  while (unwritten() > 0 && !waits_to_write_) {
    asio::error_code error;
    written_ += socket_.write_some(asio::buffer(out_.data() + written_, unwritten()), error);
    if (error == asio::error::would_block) {
      waits_to_write_ = true;
      socket_.async_wait(Socket::wait_write, [self = shared_from_this()](const asio::error_code& failed) {
        self->waits_to_write_ = false;
        if (!failed) self->flush();
      });
    } else if (error && error != asio::error::interrupted) {
      return close("the client closed the connection");
    }
  }
  if (unwritten() > 0) {
    if (written_ < unwritten()) return;
    out_.erase(0, written_);
    written_ = 0;
    return;
  }
  written_ = 0;
  if (out_.capacity() > idle_bytes_max) redis::give_back(out_);
  else out_.clear();
  if (closing_) close("done");
}

void Connection::close(const std::string& reason) {
  if (!socket_.is_open()) return;
  if (host_.is_held(*this)) {
    dropped_ = true;
    reason_ = reason;
    return;
  }
  asio::error_code ignored;
  socket_.close(ignored);
  host_.closed(*this, reason);
}

}  // namespace lockstep::tools::serve
