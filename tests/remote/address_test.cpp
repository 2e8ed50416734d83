#include "remote/address.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace jointrig::remote {
namespace {

TEST(Address, LoopbackIsWhatNoOtherMachineReaches) {
  for (const char* address : {"127.0.0.1:4600", "127.8.8.8:0", "localhost:1", "[::1]:4600"}) {
    EXPECT_TRUE(is_loopback(address)) << address;
  }
  for (const char* address : {"0.0.0.0:4600", "[::]:4600", "10.0.0.1:1", "robot:1",
                              "127.evil.example:1", "128.0.0.1:1"}) {
    EXPECT_FALSE(is_loopback(address)) << address;
  }
}

TEST(Address, ElsewhereNothingLessThanTlsAndATokenWillDo) {
  ServerOptions options;
  options.listen = "0.0.0.0:4600";
  EXPECT_THROW(check_listen(options), std::invalid_argument);
  options.tls_cert = "cert";
  EXPECT_THROW(check_listen(options), std::invalid_argument);
  options.tls_key = "key";
  EXPECT_THROW(check_listen(options), std::invalid_argument) << "no token";
  options.token_file = "token";
  EXPECT_NO_THROW(check_listen(options));
}

TEST(Address, APortIsANumberOfPorts) {
  for (const char* address :
       {"127.0.0.1", ":4600", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:http", "127.0.0.1:-1"}) {
    ServerOptions options;
    options.listen = address;
    EXPECT_THROW(check_listen(options), std::invalid_argument) << address;
  }
}

TEST(Address, ARefusalNamesTheOptionThatGaveTheAddress) {
  for (const char* address : {"nowhere", "0.0.0.0:4600"}) {
    ServerOptions options;
    options.listen = address;
    options.option = "--serve";
    try {
      check_listen(options);
      FAIL() << address;
    } catch (const std::invalid_argument& refusal) {
      EXPECT_EQ(std::string(refusal.what()).substr(0, 9), "--serve: ") << refusal.what();
    }
  }
}

TEST(Address, AShortTokenIsRefused) {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "jointrig_token_test";
  std::ofstream(path) << "short\n";
  EXPECT_THROW(static_cast<void>(token_of_file(path)), std::invalid_argument);
  std::ofstream(path) << "  0123456789abcdef \nmore\n";
  EXPECT_EQ(token_of_file(path), "0123456789abcdef");
  std::filesystem::remove(path);
  EXPECT_THROW(static_cast<void>(token_of_file(path)), std::invalid_argument);
}

TEST(Address, SecretsAreEqualInEveryCharacter) {
  EXPECT_TRUE(same_secret("abc", "abc"));
  for (const char* other : {"", "ab", "abd", "abcd", "Abc"}) {
    EXPECT_FALSE(same_secret(other, "abc")) << other;
  }
}

}  // namespace
}  // namespace jointrig::remote
