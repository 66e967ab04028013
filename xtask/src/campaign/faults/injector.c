/* Makes calls of the system fail in a program that it is preloaded into.
 *
 *   cc -O1 -shared -fPIC -o injector.so injector.c
 *   SOKO_FAULT="write 3 9 28" SOKO_FAULT_SEEN=counts LD_PRELOAD=./injector.so PROGRAM
 *
 * lets the third to the ninth write to a plain file fail with error 28, ENOSPC. The file SOKO_FAULT_SEEN gets a line of
 * 64-bit numbers, in the order of `enum kind`: how many calls of each kind were made.
 *
 * Rust programs make some calls without the C library, so a function that takes the place of one does not see them all.
 * Instead the system itself stops each call of these kinds with a signal (seccomp, SECCOMP_RET_TRAP), whose handler makes
 * the call or lets it fail. Only the handler's own calls, known by their address, pass. Threads and the clock are the two
 * exceptions: a new thread cannot begin in a handler, and the time is read without the system. They are functions here.
 *
 * Linux on x86-64 alone.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum kind { OPEN, READ, WRITE, SYNC, RENAME, UNLINK, LOCK, MAP, THREAD, PRINT, CLOCK, SLEEP, WIRE, N_KINDS, OTHER };

static const char *const NAMES[N_KINDS] = {"open", "read",   "write",  "sync",  "rename", "unlink",
                                           "lock", "map",    "thread", "print", "clock",  "sleep", "wire"};

static enum kind wanted = OTHER;
static uint64_t first, last, code;
static uint64_t own_counts[N_KINDS];
static uint64_t *counts = own_counts;

long soko_syscall(long nr, long a, long b, long c, long d, long e, long f);
extern const char soko_syscall_end[];
__asm__(".text\n"
        ".globl soko_syscall\n"
        "soko_syscall:\n"
        "  mov %rdi, %rax\n  mov %rsi, %rdi\n  mov %rdx, %rsi\n  mov %rcx, %rdx\n"
        "  mov %r8, %r10\n  mov %r9, %r8\n  mov 8(%rsp), %r9\n"
        "  syscall\n"
        ".globl soko_syscall_end\n"
        "soko_syscall_end:\n"
        "  ret\n");

/* Counts a call, and says whether it is to fail. */
static int fails(enum kind kind) {
    if (kind >= N_KINDS) return 0;
    uint64_t n = __atomic_add_fetch(&counts[kind], 1, __ATOMIC_RELAXED);
    return kind == wanted && n >= first && n <= last;
}

/* The kind of a call that a plain file is read or written by, or a socket. */
static enum kind kind_of_file(long fd, enum kind of_plain) {
    struct stat about;
    if (soko_syscall(SYS_fstat, fd, (long)&about, 0, 0, 0, 0) != 0) return OTHER;
    return S_ISREG(about.st_mode) ? of_plain : S_ISSOCK(about.st_mode) ? WIRE : OTHER;
}

/* Whether a path is in a file system of the system itself, which has no bad days. */
static int is_of_system(const char *path) {
    return path && (strncmp(path, "/proc/", 6) == 0 || strncmp(path, "/sys/", 5) == 0 || strncmp(path, "/dev/", 5) == 0);
}

static const int STOPPED[] = {SYS_open,      SYS_openat,   SYS_creat,    SYS_read,      SYS_pread64,   SYS_readv,
                              SYS_write,     SYS_pwrite64, SYS_writev,   SYS_pwritev,   SYS_ftruncate, SYS_fallocate,
                              SYS_fsync,     SYS_fdatasync, SYS_rename,  SYS_renameat,  SYS_renameat2, SYS_link,
                              SYS_linkat,    SYS_unlink,   SYS_unlinkat, SYS_flock,     SYS_fcntl,     SYS_mmap,
                              SYS_mremap,    SYS_copy_file_range, SYS_connect, SYS_sendto, SYS_sendmsg, SYS_recvfrom, SYS_recvmsg};

static enum kind kind_of(long nr, const greg_t *regs) {
    long a = regs[REG_RDI], b = regs[REG_RSI];
    switch (nr) {
    case SYS_open: case SYS_creat: return is_of_system((const char *)a) ? OTHER : OPEN;
    case SYS_openat: return is_of_system((const char *)b) ? OTHER : OPEN;
    case SYS_read: case SYS_pread64: case SYS_readv: return kind_of_file(a, READ);
    case SYS_write: case SYS_writev:
        if (a == 1 || a == 2) return PRINT;
        return kind_of_file(a, WRITE);
    case SYS_pwrite64: case SYS_pwritev: case SYS_ftruncate: case SYS_fallocate: case SYS_copy_file_range: return WRITE;
    case SYS_fsync: case SYS_fdatasync: return SYNC;
    case SYS_rename: case SYS_renameat: case SYS_renameat2: case SYS_link: case SYS_linkat: return RENAME;
    case SYS_unlink: case SYS_unlinkat: return UNLINK;
    case SYS_flock: return LOCK;
    case SYS_fcntl: return b == F_SETLK || b == F_SETLKW || b == F_OFD_SETLK || b == F_OFD_SETLKW ? LOCK : OTHER;
    case SYS_mmap: case SYS_mremap: return MAP;
    case SYS_connect: case SYS_sendto: case SYS_sendmsg: case SYS_recvfrom: case SYS_recvmsg: return WIRE;
    default: return OTHER;
    }
}

static void on_call(int signal, siginfo_t *info, void *context) {
    (void)signal;
    greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;
    long nr = info->si_syscall;
    if (fails(kind_of(nr, regs))) {
        regs[REG_RAX] = -(long)code;
        return;
    }
    regs[REG_RAX] = soko_syscall(nr, regs[REG_RDI], regs[REG_RSI], regs[REG_RDX], regs[REG_R10], regs[REG_R8], regs[REG_R9]);
}

static int stop_calls(void) {
    enum { HEAD = 7, N = sizeof STOPPED / sizeof *STOPPED };
    uint64_t pass = (uint64_t)soko_syscall_end;
    struct sock_filter code[HEAD + N + 2] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)pass, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer) + 4),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(pass >> 32), 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_STMT(BPF_ALU | BPF_OR | BPF_K, 0),
    };
    for (int at = 0; at < N; at++) {
        struct sock_filter test = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, STOPPED[at], (uint8_t)(N - at), 0);
        code[HEAD + at] = test;
    }
    struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_filter trap = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
    code[HEAD + N] = allow;
    code[HEAD + N + 1] = trap;
    struct sock_fprog program = {HEAD + N + 2, code};
    struct sigaction action = {.sa_sigaction = on_call, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK | SA_RESTART};
    return sigaction(SIGSYS, &action, NULL) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (!real) real = dlsym(RTLD_NEXT, "pthread_create");
    return fails(THREAD) ? (int)code : real(thread, attributes, start, argument);
}

/* `clock`: the time of day jumps by so many seconds; `sleep`: the machine sleeps so long, as all clocks see it. */
int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
    int done = real(clock, time);
    if ((clock == CLOCK_REALTIME && fails(CLOCK)) || ((clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC) && fails(SLEEP)))
        time->tv_sec += (int64_t)code;
    return done;
}

__attribute__((constructor)) static void begin(void) {
    const char *fault = getenv("SOKO_FAULT"), *seen = getenv("SOKO_FAULT_SEEN");
    char name[16];
    if (fault && sscanf(fault, "%15s %lu %lu %lu", name, &first, &last, &code) == 4)
        for (int kind = 0; kind < N_KINDS; kind++)
            if (strcmp(name, NAMES[kind]) == 0) wanted = kind;
    int file = seen ? open(seen, O_RDWR | O_CREAT, 0666) : -1;
    if (file >= 0 && ftruncate(file, sizeof own_counts) == 0) {
        void *shared = mmap(NULL, sizeof own_counts, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (shared != MAP_FAILED) counts = shared;
    }
    if (file >= 0) close(file);
    /* What the program starts is not tried. */
    unsetenv("LD_PRELOAD");
    if (stop_calls()) {
        perror("the calls cannot be stopped");
        _exit(99);
    }
}
