#include "ndnf/system/confinement.h"

#include <array>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ndnf/base/error.h"

namespace ndnf {
namespace {

constexpr rlim_t kMostDescriptors = 256;

bool set_limit(int resource, rlim_t value) {
  rlimit limit{};
  if (::getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) return false;
  if (limit.rlim_max == RLIM_INFINITY || value < limit.rlim_max) limit.rlim_max = value;
  limit.rlim_cur = limit.rlim_max;
  return ::setrlimit(static_cast<__rlimit_resource>(resource), &limit) == 0;
}

/// Marks every descriptor except the three standard streams as close-on-exec.
void close_on_start() {
  constexpr unsigned kCloseOnExec = 4;  // CLOSE_RANGE_CLOEXEC, Linux 5.11
  if (::syscall(SYS_close_range, STDERR_FILENO + 1, UINT_MAX, kCloseOnExec) == 0) return;
  const long most = ::sysconf(_SC_OPEN_MAX);
  for (int number = STDERR_FILENO + 1; number < most; ++number) ::fcntl(number, F_SETFD, FD_CLOEXEC);
}

/// System calls that a pure computation never needs. Calls that a platform lacks are left out there.
constexpr auto kForbiddenCalls = std::to_array<unsigned>({
#ifdef SYS_fork
    SYS_fork,
    SYS_vfork,
    SYS_creat,
    SYS_mkdir,
    SYS_rmdir,
    SYS_unlink,
    SYS_rename,
    SYS_link,
    SYS_symlink,
    SYS_mknod,
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
#endif
    SYS_socket,
    SYS_socketpair,
    SYS_mkdirat,
    SYS_unlinkat,
    SYS_renameat2,
    SYS_linkat,
    SYS_symlinkat,
    SYS_mknodat,
    SYS_fchmod,
    SYS_fchmodat,
    SYS_fchown,
    SYS_fchownat,
    SYS_truncate,
    SYS_ftruncate,
    SYS_fallocate,
    SYS_utimensat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_unshare,
    SYS_setns,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kill,
    SYS_tkill,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
    SYS_pidfd_send_signal,
    SYS_pidfd_getfd,
    SYS_io_uring_setup,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_shmget,
    SYS_msgget,
    SYS_semget,
    SYS_mq_open,
    SYS_memfd_create,
    SYS_userfaultfd,
#ifdef SYS_renameat
    SYS_renameat,
#endif
});

/// A seccomp filter cannot inspect the arguments of these, which are in memory. With ENOSYS the C library
/// falls back to older calls.
constexpr auto kOpaqueCalls = std::to_array<unsigned>({SYS_clone3, SYS_openat2});

#if defined(__x86_64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr unsigned kArchitecture = 0;  // no filter
#endif

/// A seccomp filter as a classic BPF program: instructions run from the top, and each test skips some of
/// those below it.
class CallFilter {
 public:
  constexpr CallFilter() {
    load(offsetof(seccomp_data, arch));
    add(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0);
    give(SECCOMP_RET_KILL_PROCESS);
    load(offsetof(seccomp_data, nr));
    add(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);  // the x32 ABI
    give(SECCOMP_RET_KILL_PROCESS);
    for (const unsigned call : kForbiddenCalls) {
      add(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1);
      give(SECCOMP_RET_ERRNO | EPERM);
    }
    for (const unsigned call : kOpaqueCalls) {
      add(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1);
      give(SECCOMP_RET_ERRNO | ENOSYS);
    }
    // Calls that are refused if a flag is set, or if one is missing.
    constexpr unsigned kWriting = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
    with_flags(SYS_openat, 2, kWriting, SECCOMP_RET_ERRNO | EROFS, SECCOMP_RET_ALLOW);
#ifdef SYS_open
    with_flags(SYS_open, 1, kWriting, SECCOMP_RET_ERRNO | EROFS, SECCOMP_RET_ALLOW);
#endif
    with_flags(SYS_clone, 0, CLONE_THREAD, SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO | EPERM);
    give(SECCOMP_RET_ALLOW);
  }

  /// False if the kernel does not support filters.
  bool install() const {
    const sock_fprog program{static_cast<unsigned short>(size_), const_cast<sock_filter*>(code_.data())};
    return kArchitecture != 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
  }

 private:
  constexpr void add(unsigned code, unsigned value, unsigned char yes, unsigned char no) {
    code_[size_++] = {static_cast<unsigned short>(code), yes, no, value};
  }
  constexpr void load(std::size_t at) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(at), 0, 0); }
  constexpr void give(unsigned verdict) { add(BPF_RET | BPF_K, verdict, 0, 0); }
  /// Returns `any` if the argument of the call has any of the flags, otherwise `none`. The filtered
  /// architectures are little-endian, so the low half of an argument comes first.
  constexpr void with_flags(unsigned call, std::size_t argument, unsigned flags, unsigned any,
                            unsigned none) {
    add(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4);
    load(offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t));
    add(BPF_JMP | BPF_JSET | BPF_K, flags, 0, 1);
    give(any);
    give(none);
  }

  std::array<sock_filter, 2 * kForbiddenCalls.size() + 32> code_{};
  std::size_t size_ = 0;
};

void write_file(const char* path, std::string_view text) {
  const int file = ::open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  [[maybe_unused]] const ssize_t written = ::write(file, text.data(), text.size());
  ::close(file);
}

/// Makes every file system read-only in our mount namespace and detaches it from later mounts elsewhere.
void forbid_writing() {
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID;
  attributes.propagation = MS_PRIVATE;
  ::mount_setattr(AT_FDCWD, "/", AT_RECURSIVE, &attributes, sizeof attributes);
}

}  // namespace

FreshDirectory::FreshDirectory() {
  std::string name = (std::filesystem::temp_directory_path() / "ndnf-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw Error(name, std::string("cannot be created (") + std::strerror(errno) + ")");
  }
  path_ = name;
}

FreshDirectory::~FreshDirectory() {
  std::error_code ignored;  // what cannot be removed is left
  std::filesystem::remove_all(path_, ignored);
}

Confiner::Confiner(const Confinement& confinement)
    : confinement_(confinement),
      user_map_(fmt::format("{0} {0} 1", ::geteuid())),
      group_map_(fmt::format("{0} {0} 1", ::getegid())) {
  confinement_.environment.push_back("TMPDIR=" + directory().string());
  for (std::string& variable : confinement_.environment) environment_.push_back(variable.data());
  environment_.push_back(nullptr);
}

bool Confiner::enter() const {
  isolate();
  close_on_start();
  if (::chdir(directory().c_str()) != 0 || !limit()) return false;
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  if (confinement_.computes_only) forbid_all_but_computing();
  return true;
}

/// Enters namespaces without a network, where only the program's directory, a tmpfs, is writable.
void Confiner::isolate() const {
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWIPC) != 0) return;
  write_file("/proc/self/uid_map", user_map_);
  write_file("/proc/self/setgroups", "deny");  // required before gid_map can be written
  write_file("/proc/self/gid_map", group_map_);
  forbid_writing();
  ::mount("tmpfs", directory().c_str(), "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "size=1g,mode=0700");
}

bool Confiner::limit() const {
  const auto seconds = static_cast<rlim_t>(confinement_.processor_time.count());
  return set_limit(RLIMIT_AS, confinement_.memory) && set_limit(RLIMIT_CPU, seconds) &&
         set_limit(RLIMIT_CORE, 0) && set_limit(RLIMIT_NOFILE, kMostDescriptors) &&
         set_limit(RLIMIT_FSIZE, confinement_.computes_only ? 0 : confinement_.memory);
}

void Confiner::forbid_all_but_computing() const {
  static constexpr CallFilter kFilter;
  kFilter.install();
}

}  // namespace ndnf
