#include "tools/serve/connection.h"

#include <asio/buffer.hpp>

namespace lockstep::tools::serve {

namespace {

// Redis's defaults: client-query-buffer-limit, and client-output-buffer-limit pubsub 32mb 8mb 60. A client
// that is no subscriber may let any number of replies wait.
constexpr std::size_t held_bytes_max = std::size_t{1} << 30;
constexpr std::size_t unwritten_hard_max = std::size_t{32} << 20;
constexpr std::size_t unwritten_soft_max = std::size_t{8} << 20;
constexpr std::chrono::seconds soft_limit_time{60};

/// The buffer of replies gives memory back that it needed once.
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
  parser_.feed({buffer.data(), size});
  run_requests();
  if (parser_.held() > held_bytes_max) drop("it sent more than 1 GiB of one request");
  host_.flush_all();
  if (socket_.is_open() && !closing_) wait_for_bytes();
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
      case redis::RequestParser::Found::command: {
        if (replies_ == Replies::skip_next) replies_ = Replies::skip_this;
        host_.serve(*this, command_);
        if (!blocked_) end_request();
      }
    }
  }
}

void Connection::resume(const model::Reply& reply) {
  send(reply);
  unblock();
}

void Connection::unblock() {
  blocked_ = false;
  end_request();
  run_requests();
}

void Connection::end_request() {
  if (replies_ == Replies::skip_this) replies_ = Replies::on;
}

void Connection::push(const model::Reply& message) { write(message); }

void Connection::send(const model::Reply& reply) {
  if (replies_ == Replies::on) write(reply);
}

void Connection::write(const model::Reply& reply) {
  if (dropped_) return;
  redis::encode(reply, out_);
  if (!flush_asked_) host_.flush_later(*this);
  flush_asked_ = true;
  if (unwritten() >= unwritten_soft_max) check_limits(std::chrono::steady_clock::now());
}

void Connection::check_limits(std::chrono::steady_clock::time_point now) {
  if (unwritten() < unwritten_soft_max || !host_.is_subscriber(*this)) {
    above_soft_limit_ = {};
    return;
  }
  if (above_soft_limit_ == std::chrono::steady_clock::time_point{}) above_soft_limit_ = now;
  if (unwritten() >= unwritten_hard_max || now - above_soft_limit_ > soft_limit_time)
    drop("it does not read what it subscribed to");
}

void Connection::drop(const char* reason) {
  dropped_ = true;
  reason_ = reason;
  if (!flush_asked_) host_.flush_later(*this);
  flush_asked_ = true;
}

void Connection::flush() {
  flush_asked_ = false;
  if (!socket_.is_open()) return;
  if (dropped_) return close(reason_);
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
  if (out_.capacity() > idle_bytes_max) out_ = std::string();
  else out_.clear();
  if (closing_) close("done");
}

void Connection::close(const std::string& reason) {
  if (!socket_.is_open()) return;
  asio::error_code ignored;
  socket_.close(ignored);
  host_.closed(*this, reason);
}

}  // namespace lockstep::tools::serve
