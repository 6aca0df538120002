#include "tools/ranks/ranks.h"

#include "sim/base/verify.h"

#ifdef LOCKSTEP_MPI
#include <mpi.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <thread>
#include <vector>
#endif

namespace lockstep::tools {

#ifdef LOCKSTEP_MPI

namespace {

/// Whatever goes wrong in a call ends all ranks, as Open MPI does by itself.
class MpiRanks : public JoinedRanks {
 public:
  MpiRanks() {
    MPI_Init(nullptr, nullptr);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
    MPI_Comm_rank(MPI_COMM_WORLD, &mine_);
  }
  ~MpiRanks() override { MPI_Finalize(); }
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;

  std::size_t count() const override { return static_cast<std::size_t>(count_); }
  std::size_t mine() const override { return static_cast<std::size_t>(mine_); }

  void give_up(int status, const std::string& complaint) override {
    if (mine() != 0) {
      std::this_thread::sleep_for(std::chrono::seconds(2));
      std::cerr << complaint << std::flush;
    }
    MPI_Abort(MPI_COMM_WORLD, status);
    std::abort();
  }

  /// Sizes first. A message is cut into pieces, because sizes have 31 bits there.
  std::vector<std::string> exchange(const std::vector<std::string>& out) override {
    std::vector<std::uint64_t> sizes(count());
    for (std::size_t rank = 0; rank < count(); ++rank) sizes[rank] = out[rank].size();
    std::vector<std::uint64_t> heard(count());
    MPI_Alltoall(sizes.data(), 1, MPI_UINT64_T, heard.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD);
    std::vector<std::string> in(count());
    for (std::size_t rank = 0; rank < count(); ++rank) in[rank].resize(heard[rank]);
    std::vector<MPI_Request> requests;
    const auto each_piece = [&](std::size_t size, const auto& visit) {
      constexpr std::size_t piece = std::size_t{1} << 30;
      for (std::size_t at = 0; at < size; at += piece)
        visit(at, static_cast<int>(std::min(piece, size - at)), &requests.emplace_back());
    };
    for (std::size_t rank = 0; rank < count(); ++rank) {
      if (rank == mine()) continue;
      each_piece(heard[rank], [&](std::size_t at, int bytes, MPI_Request* request) {
        MPI_Irecv(in[rank].data() + at, bytes, MPI_BYTE, static_cast<int>(rank), 0, MPI_COMM_WORLD, request);
      });
      each_piece(out[rank].size(), [&](std::size_t at, int bytes, MPI_Request* request) {
        MPI_Isend(out[rank].data() + at, bytes, MPI_BYTE, static_cast<int>(rank), 0, MPI_COMM_WORLD, request);
      });
    }
    in[mine()] = out[mine()];
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    return in;
  }

 private:
  int count_ = 1, mine_ = 0;
};

}  // namespace

bool can_join_ranks() { return true; }
std::unique_ptr<JoinedRanks> join_ranks() { return std::make_unique<MpiRanks>(); }

#else

bool can_join_ranks() { return false; }
std::unique_ptr<JoinedRanks> join_ranks() { UNREACHABLE("the program was built without Open MPI"); }

#endif

}  // namespace lockstep::tools
