// Writes the notebook's page of a program, for the browser tests. Usage: write_watch_page PROGRAM ENV FILE
#include "ndnf/studio/watch_page.h"
#include "ndnf/system/file.h"

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  ndnf::WatchRequest request;
  request.policy = ndnf::Input(argv[1]);
  request.env = ndnf::Input(argv[2]);
  ndnf::write_file(argv[3], ndnf::watch_policy(request).html);
}
