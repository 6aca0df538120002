// The model of ZooKeeper beside a real server of Debian's, which the test starts on this machine: the numbers
// of children, watches, and the end of a session, by one script of what clients ask.
#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "model/zookeeper/ensemble.h"
#include "model/zookeeper/kind.h"

extern char** environ;

namespace lockstep::zookeeper {
namespace {

using namespace std::chrono_literals;

constexpr auto session_time = 1'000ms;
constexpr std::uint16_t port = 21'815;

/// Bytes in the order of the wire.
struct Packet {
  std::string bytes;
  std::size_t at = 0;

  void number(std::int64_t value, int size) {
    for (int i = size - 1; i >= 0; --i) bytes += static_cast<char>((value >> (8 * i)) & 0xff);
  }
  void text(const std::string& value) {
    number(static_cast<std::int64_t>(value.size()), 4);
    bytes += value;
  }
  std::int64_t number(int size) {
    std::uint64_t value = 0;
    for (int i = 0; i < size; ++i) value = value << 8 | static_cast<unsigned char>(bytes.at(at++));
    if (size == 4) return static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
    return static_cast<std::int64_t>(value);
  }
  std::string text() {
    const auto length = static_cast<std::size_t>(number(4));
    at += length;
    return bytes.substr(at - length, length);
  }
};

/// The number that ends the path of a child in sequence, counted from one as the model does.
std::int64_t number_of(const std::string& path) { return std::stoll(path.substr(path.size() - 10)) + 1; }
std::string path_of(std::int64_t number) {
  const std::string digits = std::to_string(number - 1);
  return "/orders/child-" + std::string(10 - digits.size(), '0') + digits;
}

/// A client of the real server, as far as the script needs one.
class Connection {
 public:
  bool connect(std::int64_t session = 0, const std::string& password = std::string(16, '\0')) {
    socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket_, reinterpret_cast<sockaddr*>(&to), sizeof to) != 0) return close(), false;
    Packet hello;
    hello.number(0, 4);
    hello.number(0, 8);
    hello.number(session_time.count(), 4);
    hello.number(session, 8);
    hello.text(password);
    hello.number(0, 1);
    send(hello);
    Packet answer = receive();
    if (answer.bytes.empty()) return close(), false;
    answer.number(4);
    granted_ = answer.number(4);
    session_ = answer.number(8);
    password_ = answer.text();
    return true;
  }
  void close() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }
  bool is_over() const { return granted_ == 0; }
  std::int64_t session() const { return session_; }
  const std::string& password() const { return password_; }

  /// The answer behind its header; what is pushed meanwhile is kept.
  Packet ask(int type, const Packet& words) {
    Packet asked;
    asked.number(type == 11 ? -2 : ++xid_, 4);
    asked.number(type, 4);
    asked.bytes += words.bytes;
    send(asked);
    for (;;) {
      Packet answer = receive();
      if (answer.bytes.empty() || !is_event(answer)) return answer;
    }
  }
  /// The children that it was told to be gone, waiting so long for the first.
  std::string told(std::chrono::milliseconds wait) {
    pollfd ready{socket_, POLLIN, 0};
    if (events_.empty() && ::poll(&ready, 1, static_cast<int>(wait.count())) > 0) {
      Packet event = receive();
      is_event(event);
    }
    return std::exchange(events_, {});
  }
  std::int64_t error = 0;

 private:
  void send(const Packet& packet) {
    Packet framed;
    framed.text(packet.bytes);
    EXPECT_EQ(::write(socket_, framed.bytes.data(), framed.bytes.size()), std::ssize(framed.bytes));
  }
  std::string read(std::size_t count) {
    std::string bytes;
    while (bytes.size() < count) {
      char buffer[512];
      const ssize_t got = ::read(socket_, buffer, std::min(sizeof buffer, count - bytes.size()));
      if (got <= 0) return {};
      bytes.append(buffer, static_cast<std::size_t>(got));
    }
    return bytes;
  }
  Packet receive() {
    Packet length{read(4)};
    if (length.bytes.empty()) return {};
    return {read(static_cast<std::size_t>(length.number(4)))};
  }
  /// Behind the header: an answer, unless it is what a watch tells.
  bool is_event(Packet& packet) {
    const std::int64_t xid = packet.number(4);
    packet.number(8);
    error = packet.number(4);
    if (xid != -1) return false;
    const std::int64_t type = packet.number(4);
    packet.number(4);
    EXPECT_EQ(type, 2) << "a node was deleted";
    events_ += "gone " + std::to_string(number_of(packet.text())) + " ";
    return true;
  }

  int socket_ = -1;
  std::int32_t xid_ = 0;
  std::int64_t session_ = 0, granted_ = 0;
  std::string password_, events_;
};

/// The real server and its clients A, B, C.
class Real {
 public:
  Real()
      : folder_(std::filesystem::temp_directory_path() / ("lockstep-zookeeper-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "zoo.cfg") << "tickTime=200\nminSessionTimeout=400\nadmin.enableServer=false\n"
                                       << "clientPortAddress=127.0.0.1\nclientPort=" << port
                                       << "\ndataDir=" << (folder_ / "data").string() << "\n";
    std::ofstream(folder_ / "log4j.properties") << "log4j.rootLogger=OFF\n";
    const std::string config = (folder_ / "zoo.cfg").string(),
                      log = "-Dlog4j.configuration=file:" + (folder_ / "log4j.properties").string();
    const std::array<const char*, 8> words{"java",
                                           "-Xmx64m",
                                           "-XX:TieredStopAtLevel=1",
                                           log.c_str(),
                                           "-cp",
                                           "/usr/share/java/zookeeper.jar:/usr/share/java/*",
                                           "org.apache.zookeeper.server.ZooKeeperServerMain",
                                           config.c_str()};
    std::vector<char*> arguments;
    for (const char* word : words) arguments.push_back(const_cast<char*>(word));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    for (const int output : {1, 2})
      posix_spawn_file_actions_addopen(&quiet, output, "/dev/null", O_WRONLY, 0);
    if (posix_spawnp(&server_, "java", &quiet, nullptr, arguments.data(), environ) != 0) server_ = 0;
    posix_spawn_file_actions_destroy(&quiet);
  }
  ~Real() {
    for (Connection& one : clients_) one.close();
    if (server_ > 0) ::kill(server_, SIGKILL), ::waitpid(server_, nullptr, 0);
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Real(const Real&) = delete;
  Real& operator=(const Real&) = delete;

  bool starts() {
    for (int tries = 0; tries < 300; ++tries, std::this_thread::sleep_for(100ms))
      if (server_ > 0 && clients_[0].connect()) {
        for (std::size_t i = 1; i < clients_.size(); ++i) clients_[i].connect();
        create_node("/orders", 0);
        return true;
      }
    return false;
  }

  std::string create(std::size_t who) { return std::to_string(create_node("/orders/child-", 3, who)); }
  std::string children(std::size_t who) {
    Packet words;
    words.text("/orders");
    words.number(0, 1);
    Packet answer = clients_[who].ask(8, words);
    std::set<std::int64_t> numbers;
    for (std::int64_t left = answer.number(4); left > 0; --left) numbers.insert(number_of(answer.text()));
    std::string all;
    for (const std::int64_t one : numbers) all += std::to_string(one) + " ";
    return all;
  }
  std::string watch(std::size_t who, std::int64_t number) {
    Packet words;
    words.text(path_of(number));
    words.number(1, 1);
    clients_[who].ask(3, words);
    return clients_[who].error == 0 ? "1" : "0";
  }
  std::string remove(std::size_t who, std::int64_t number) {
    Packet words;
    words.text(path_of(number));
    words.number(-1, 4);
    clients_[who].ask(2, words);
    return clients_[who].error == 0 ? "1" : "0";
  }
  std::string told(std::size_t who) { return clients_[who].told(500ms); }
  /// It says nothing for longer than its session lasts, and then comes back; the others ping.
  std::string silent(std::size_t who) {
    const std::int64_t session = clients_[who].session();
    const std::string password = clients_[who].password();
    clients_[who].close();
    for (int step = 0; step < 8; ++step) {
      std::this_thread::sleep_for(200ms);
      for (std::size_t other = 0; other < clients_.size(); ++other)
        if (other != who) clients_[other].ask(11, {});
    }
    clients_[who].connect(session, password);
    return clients_[who].is_over() ? "EXPIRED" : "PONG";
  }

 private:
  std::int64_t create_node(const std::string& path, int flags, std::size_t who = 0) {
    Packet words;
    words.text(path);
    words.text("");
    words.number(1, 4);
    words.number(31, 4);
    words.text("world");
    words.text("anyone");
    words.number(flags, 4);
    Packet answer = clients_[who].ask(1, words);
    return flags == 0 ? 0 : number_of(answer.text());
  }

  std::filesystem::path folder_;
  pid_t server_ = 0;
  std::array<Connection, 3> clients_;
};

/// The same of the model.
class Modelled {
 public:
  Modelled() { ensemble_.time_out = sim::Duration{session_time.count()}; }

  std::string create(std::size_t who) {
    return std::to_string(*ask(who, {"CREATE", "1", "orders", "x"}).integer());
  }
  std::string children(std::size_t who) {
    const model::Reply reply = ask(who, {"CHILDREN", "1", "orders", "nobody"});
    std::string all;
    for (std::size_t i = 1; i < reply.array()->size(); ++i)
      all += std::to_string(*(*reply.array())[i].integer()) + " ";
    return all;
  }
  std::string watch(std::size_t who, std::int64_t number) {
    return std::to_string(*ask(who, {"EXISTS", "1", "orders", std::to_string(number)}).integer());
  }
  std::string remove(std::size_t who, std::int64_t number) {
    return std::to_string(*ask(who, {"DELETE", "1", "orders", std::to_string(number)}).integer());
  }
  std::string told(std::size_t who) { return std::exchange(told_[who], {}); }
  std::string silent(std::size_t who) {
    for (int step = 0; step < 8; ++step) {
      note(pass(ensemble_, sim::Duration{200}).pushes);
      for (std::size_t other = 0; other < told_.size(); ++other)
        if (other != who) ask(other, {"PING", "1"});
    }
    return ask(who, {"PING", "1"}).status()->text;
  }

 private:
  model::Reply ask(std::size_t who, const model::Command& words) {
    model::Served served = serve(ensemble_, sim::make_id<ProcessId>(who), words);
    note(served.pushes);
    return std::move(served.reply);
  }
  void note(const std::vector<model::Push>& pushes) {
    for (const model::Push& push : pushes)
      told_[model::process_of(push.to).index()] +=
          "gone " + std::to_string(*(*push.message.array())[3].integer()) + " ";
  }

  Ensemble ensemble_;
  std::array<std::string, 3> told_;
};

/// The recipe of three clients: A has the lock, B and C wait, B's turn comes, B falls silent.
template <class Side>
std::vector<std::string> lived_through(Side& side) {
  constexpr std::size_t a = 0, b = 1, c = 2;
  std::vector<std::string> said;
  const auto note = [&](std::string one) { said.push_back(std::move(one)); };
  note(side.create(a));
  note(side.create(b));
  note(side.create(c));
  note(side.children(a));
  note(side.watch(b, 1));
  note(side.watch(c, 2));
  note(side.remove(a, 1));
  note(side.told(b));
  note(side.told(c));
  note(side.children(b));
  note(side.remove(a, 1));
  note(side.watch(a, 1));
  note(side.create(a));  // numbers are not given twice
  note(side.silent(b));
  note(side.told(c));
  note(side.children(c));
  note(side.create(c));
  return said;
}

TEST(ZookeeperReal, ChildrenWatchesAndTheEndOfASessionAreThoseOfARealServer) {
  if (!std::filesystem::exists("/usr/share/java/zookeeper.jar"))
    GTEST_SKIP() << "there is no ZooKeeper on this machine";
  Real real;
  ASSERT_TRUE(real.starts());
  Modelled modelled;
  const std::vector<std::string> said = lived_through(modelled);
  EXPECT_EQ(lived_through(real), said);
  EXPECT_EQ(said[7], "gone 1 ");
  EXPECT_EQ(said[8], "");
  EXPECT_EQ(said[13], "EXPIRED");
  EXPECT_EQ(said[14], "gone 2 ");
}

}  // namespace
}  // namespace lockstep::zookeeper
