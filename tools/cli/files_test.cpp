// Reading and writing users' files: every way to fail is a sentence, and no way to fail leaves half a file.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "tools/cli/input.h"
#include "tools/cli/output.h"
#include "tools/cli/selected.h"

namespace lockstep::tools {
namespace {

namespace fs = std::filesystem;

class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "lockstep-files-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    dir_ = name;
  }
  void TearDown() override { fs::remove_all(dir_); }

  std::string at(const std::string& name) const { return (dir_ / name).string(); }
  std::size_t entries() const {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(dir_)) count += entry.exists() ? 1 : 0;
    return count;
  }

  fs::path dir_;
};

TEST_F(Files, WhatIsWrittenIsReadBackByteForByte) {
  const std::string content("a\0b\r\n\xff", 6);
  ASSERT_EQ(write_file(at("x"), content), std::nullopt);
  EXPECT_EQ(read_input(at("x")).value(), content);
  EXPECT_EQ(entries(), 1u) << "the temporary file is gone";
}

TEST_F(Files, AWrittenFileReplacesTheOldOneAndHasOrdinaryPermissions) {
  const mode_t mask = ::umask(022);
  ASSERT_EQ(write_file(at("x"), "old and longer"), std::nullopt);
  ASSERT_EQ(write_file(at("x"), "new"), std::nullopt);
  ::umask(mask);
  EXPECT_EQ(read_input(at("x")).value(), "new");
  struct stat about {};
  ASSERT_EQ(::stat(at("x").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0644u);
}

TEST_F(Files, AFileIsWrittenThroughALinkToIt) {
  ASSERT_EQ(write_file(at("x"), "old"), std::nullopt);
  fs::create_symlink("x", at("link"));
  ASSERT_EQ(write_file(at("link"), "new"), std::nullopt);
  EXPECT_EQ(read_input(at("x")).value(), "new");
  EXPECT_TRUE(fs::is_symlink(at("link")));
}

TEST_F(Files, AFileIsWrittenThroughLinksToOneThatDoesNotExistYet) {
  ASSERT_EQ(make_directory(at("below")), std::nullopt);
  fs::create_symlink("below/second", at("first"));
  fs::create_symlink("../x", at("below/second"));
  ASSERT_EQ(cannot_write(at("first")), std::nullopt);
  ASSERT_EQ(write_file(at("first"), "new"), std::nullopt);
  EXPECT_EQ(read_input(at("x")).value(), "new");
  EXPECT_TRUE(fs::is_symlink(at("first")));
  EXPECT_TRUE(fs::is_symlink(at("below/second")));
}

TEST_F(Files, ALinkIntoAFolderThatDoesNotExistIsASentence) {
  fs::create_symlink("none/x", at("link"));
  const std::string sentence =
      at("link") + ": is a link to " + at("none/x") + ", whose folder does not exist";
  EXPECT_EQ(cannot_write(at("link")).value().text, sentence);
  EXPECT_EQ(write_file(at("link"), "new").value().text, sentence);
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_FALSE(fs::exists(at("none")));
}

TEST_F(Files, ALinkToItselfIsASentence) {
  fs::create_symlink("link", at("link"));
  const std::string sentence = at("link") + ": cannot be written: Too many levels of symbolic links";
  EXPECT_EQ(cannot_write(at("link")).value().text, sentence);
  EXPECT_EQ(write_file(at("link"), "new").value().text, sentence);
}

TEST_F(Files, MissingFoldersAreMadeForAFile) {
  ASSERT_EQ(write_file(at("none/there/x"), "content"), std::nullopt);
  EXPECT_EQ(read_input(at("none/there/x")).value(), "content");
}

TEST_F(Files, WritingBelowAFileIsASentence) {
  ASSERT_EQ(write_file(at("x"), "content"), std::nullopt);
  const auto problem = write_file(at("x/y"), "content");
  ASSERT_TRUE(problem.has_value());
  EXPECT_EQ(problem->text, at("x/y") + ": cannot be written: Not a directory");
}

TEST_F(Files, WritingToADirectoryIsASentence) {
  const auto problem = write_file(dir_.string(), "content");
  ASSERT_TRUE(problem.has_value());
  EXPECT_EQ(problem->text, dir_.string() + ": is a directory, so no file can be written there");
}

TEST_F(Files, AFullDeviceIsASentence) {
  const auto problem = write_file("/dev/full", "content");
  ASSERT_TRUE(problem.has_value());
  EXPECT_EQ(problem->text, "/dev/full: cannot be written: No space left on device");
}

TEST_F(Files, ADirectoryIsMadeWithThoseAboveItButNotInPlaceOfAFile) {
  ASSERT_EQ(make_directory(at("a/b/c")), std::nullopt);
  EXPECT_TRUE(fs::is_directory(at("a/b/c")));
  ASSERT_EQ(write_file(at("file"), ""), std::nullopt);
  EXPECT_TRUE(make_directory(at("file/below")).has_value());
}

TEST_F(Files, DeliverPrintsUnlessAFileIsNamed) {
  std::ostringstream out;
  ASSERT_EQ(deliver("-", "one ", out), std::nullopt);
  ASSERT_EQ(deliver("", "two", out), std::nullopt);
  EXPECT_EQ(out.str(), "one two");
  ASSERT_EQ(deliver(at("x"), "three", out), std::nullopt);
  EXPECT_EQ(out.str(), "one two");
  EXPECT_EQ(read_input(at("x")).value(), "three");
}

TEST_F(Files, AMissingFileIsASentence) {
  EXPECT_EQ(read_input(at("none")).problem().text, at("none") + ": there is no such file");
}

TEST_F(Files, ADirectoryCannotBeRead) {
  EXPECT_EQ(read_input(dir_.string()).problem().text, dir_.string() + ": is a directory, not a file");
}

TEST_F(Files, AFileAtTheLimitIsReadAndOneByteMoreIsRefused) {
  ASSERT_EQ(write_file(at("x"), "12345"), std::nullopt);
  EXPECT_EQ(read_input(at("x"), 5).value(), "12345");
  EXPECT_EQ(read_input(at("x"), 4).problem().text,
            at("x") + ": is larger than 4 bytes, the most that is read");
}

TEST_F(Files, AnEndlessFileIsRefusedAtTheLimit) { EXPECT_FALSE(read_input("/dev/zero", 1 << 20).ok()); }

TEST_F(Files, AnUnreadableFileIsASentence) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  ASSERT_EQ(write_file(at("x"), "secret"), std::nullopt);
  fs::permissions(at("x"), fs::perms::none);
  EXPECT_EQ(read_input(at("x")).problem().text, at("x") + ": cannot be read: Permission denied");
}

/// Of root's rights nothing is left as long as it lives.
class Nobody {
 public:
  Nobody() : was_(::geteuid()) {
    EXPECT_EQ(::seteuid(was_ == 0 ? 65'534 : was_), 0);
  }
  Nobody(const Nobody&) = delete;
  Nobody& operator=(const Nobody&) = delete;
  ~Nobody() { EXPECT_EQ(::seteuid(was_), 0); }

 private:
  uid_t was_;
};

TEST_F(Files, AFolderThatMayNotBeReadIsASentenceWithItsName) {
  ASSERT_EQ(write_file(at("some/a.toml"), ""), std::nullopt);
  ASSERT_EQ(make_directory(at("some/below/closed")), std::nullopt);
  fs::permissions(dir_, fs::perms(0755));
  EXPECT_EQ(paths_below(at("some")).value(),
            (std::vector{at("some/a.toml"), at("some/below"), at("some/below/closed")}));
  const std::string closed = at("some/below/closed");
  fs::permissions(closed, fs::perms::none);
  const std::string sentence = closed + ": cannot be read: Permission denied";
  {
    const Nobody nobody;
    EXPECT_EQ(paths_below(closed).problem().text, sentence);
    EXPECT_EQ(selected_scenarios({at("some")}).problem().text, sentence);
  }
  fs::permissions(closed, fs::perms::owner_all);
}

}  // namespace
}  // namespace lockstep::tools
