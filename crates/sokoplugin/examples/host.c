/* A host of the Soko plug-in: loads it, and calls every function in the order in which Sokoban programs do.
 *
 *   cc -std=c11 -I ../include host.c -o host -ldl -lpthread
 *   ./host ./libsokoplugin.so [CALLS]
 *
 *   x86_64-w64-mingw32-gcc -std=c11 -I ../include host.c -o host.exe -static -lpthread
 *   host.exe sokoplugin.dll [CALLS]
 *
 * CALLS is how many calls are ended by Terminate at random moments, 20 unless told otherwise. The program ends with 0 if
 * all went as it should.
 */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif

#include "sokoplugin.h"

/* The flags of a host: one primary metric, and a secondary one. */
enum { SOLUTION = 1, MOVES_THEN_PUSHES = 2 | 256, PUSHES_THEN_MOVES = 4 | 128 };

/* The functions, as they are found by name. The header declares them with the same types. */
static struct {
    void (SOKO_CALL *Configure)(void *);
    void (SOKO_CALL *ShowAbout)(void *);
    void (SOKO_CALL *GetConstraints)(uint32_t *, uint32_t *, uint32_t *);
    void (SOKO_CALL *GetPluginName)(uint8_t *, uint32_t);
    int32_t (SOKO_CALL *IsSupportedOptimization)(uint32_t);
    int32_t (SOKO_CALL *Optimize)(uint32_t, uint32_t, const uint8_t *, uint8_t *, uint32_t, PluginStatus *, HostCallback);
    int32_t (SOKO_CALL *Solve)(uint32_t, uint32_t, const uint8_t *const *, uint8_t *, uint32_t);
    int32_t (SOKO_CALL *SolveEx)(uint32_t, uint32_t, const uint8_t *, uint8_t *, uint32_t, PluginStatus *, HostCallback);
    int32_t (SOKO_CALL *Terminate)(void);
} plugin;

static const char *const SMALL_ROWS[] = {"######", "##   #", "#@$ $#", "#.  .#", "######"};
static const char SMALL[] = "######" "##   #" "#@$ $#" "#.  .#" "######";
/* A level that no search exhausts. */
static const char LARGE[] =
    "####################"
    "#@                 #"
    "#  $ $ $ $ $ $ $   #"
    "#                  #"
    "#  $ $ $ $ $ $ $   #"
    "#                  #"
    "#                  #"
    "#   . . . . . . .  #"
    "#                  #"
    "#   . . . . . . .  #"
    "#                  #"
    "####################";

static const uint8_t *bytes(const char *text) { return (const uint8_t *)text; }

static void check(bool is_right, const char *what) {
    if (!is_right) {
        fprintf(stderr, "host: %s\n", what);
        exit(1);
    }
}

#ifdef _WIN32
static void *open_library(const char *path) { return LoadLibraryA(path); }
static void *symbol(void *library, const char *name) { return (void *)(uintptr_t)GetProcAddress(library, name); }
static bool close_library(void *library) { return FreeLibrary(library) != 0; }
#else
static void *open_library(const char *path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); }
static void *symbol(void *library, const char *name) { return dlsym(library, name); }
static bool close_library(void *library) { return dlclose(library) == 0; }
#endif

static void *find(void *library, const char *name) {
    void *function = symbol(library, name);
    check(function != NULL, name);
    return function;
}

static void load(void *library) {
    /* C has no conversion from void * to a function; the systems have, by these assignments. */
    *(void **)&plugin.Configure = find(library, "Configure");
    *(void **)&plugin.ShowAbout = find(library, "ShowAbout");
    *(void **)&plugin.GetConstraints = find(library, "GetConstraints");
    *(void **)&plugin.GetPluginName = find(library, "GetPluginName");
    *(void **)&plugin.IsSupportedOptimization = find(library, "IsSupportedOptimization");
    *(void **)&plugin.Optimize = find(library, "Optimize");
    *(void **)&plugin.Solve = find(library, "Solve");
    *(void **)&plugin.SolveEx = find(library, "SolveEx");
    *(void **)&plugin.Terminate = find(library, "Terminate");
}

static PluginStatus new_status(uint32_t flags) {
    PluginStatus status;
    memset(&status, 0, sizeof status);
    status.size = (uint32_t)sizeof status;
    status.flags = flags;
    return status;
}

static int n_asked;

static int32_t SOKO_CALL keep_on(void) {
    n_asked++;
    return 0;
}

static int32_t SOKO_CALL stop(void) { return 1; }

/* What the host asks before the user does anything. */
static void introduce(void) {
    uint8_t name[64];
    uint32_t width = 0, height = 0, boxes = 0;
    plugin.GetPluginName(name, sizeof name);
    plugin.GetConstraints(&width, &height, &boxes);
    printf("%s, up to %u x %u\n", (const char *)name, (unsigned)width, (unsigned)height);
    check(width >= 50 && height >= 50 && boxes >= 1200, "it takes boards of Sokoban YASC");
    check(plugin.IsSupportedOptimization(MOVES_THEN_PUSHES) != 0, "it optimizes moves");
    check(plugin.IsSupportedOptimization(PUSHES_THEN_MOVES) != 0, "it optimizes pushes");
    check(plugin.IsSupportedOptimization(0) == 0, "nothing is not to be optimized");
}

static void solve_and_optimize(void) {
    uint8_t game[1000] = {0};
    PluginStatus status = new_status(0);
    check(plugin.SolveEx(6, 5, bytes(SMALL), game, sizeof game, &status, keep_on) == RESULT_CODE_OK, "it is solved");
    printf("%s: %s\n", (const char *)status.text, (const char *)game);
    check(status.flags == SOLUTION && n_asked >= 2, "it is a solution, and the host was asked");

    const uint8_t *rows[5];
    for (int row = 0; row < 5; row++) rows[row] = bytes(SMALL_ROWS[row]);
    check(plugin.Solve(6, 5, rows, game, sizeof game) == RESULT_CODE_OK, "it is solved by rows");

    memset(game, 0, sizeof game);
    strcpy((char *)game, "drruurDullDrdL");
    status = new_status(MOVES_THEN_PUSHES | SOLUTION);
    check(plugin.Optimize(6, 5, bytes(SMALL), game, sizeof game, &status, keep_on) == RESULT_CODE_OK, "it is improved");
    printf("%s: %s\n", (const char *)status.text, (const char *)game);
    check(strlen((const char *)game) == 12 && game[13] == 0, "it has 12 moves, and the list is ended");
    check(status.flags == (MOVES_THEN_PUSHES | SOLUTION), "the flags say what was done");
    check(plugin.Optimize(6, 5, bytes(SMALL), game, sizeof game, NULL, NULL) == RESULT_CODE_UNSOLVED, "it is the best");
}

/* What a host might get wrong. */
static void mistakes(void) {
    uint8_t game[8] = {0};
    PluginStatus status = new_status(0);
    const uint8_t *small = bytes(SMALL);
    check(plugin.SolveEx(6, 5, small, NULL, 0, NULL, NULL) == RESULT_CODE_OK, "no buffer, no status, no callback");
    check(plugin.SolveEx(6, 5, small, game, sizeof game, &status, NULL) == RESULT_CODE_GAME_TOO_LONG, "a short buffer");
    check(strlen((const char *)game) == sizeof game - 1, "the buffer is full");
    check(plugin.SolveEx(6, 4, small, game, sizeof game, &status, NULL) == RESULT_CODE_INVALID_LEVEL, "a wrong size");
    check(plugin.SolveEx(2, 9, small, game, sizeof game, &status, NULL) == RESULT_CODE_CONSTRAINTS_VIOLATION, "a tiny size");
    check(plugin.SolveEx(6, 5, NULL, game, sizeof game, &status, NULL) == RESULT_CODE_INVALID_LEVEL, "no board");
    check(plugin.SolveEx(3, 3, bytes("garbage!!"), game, sizeof game, &status, NULL) == RESULT_CODE_INVALID_LEVEL, "garbage");
    check(plugin.Optimize(6, 5, small, NULL, 0, &status, NULL) == RESULT_CODE_FAILED, "no game");
    int32_t code = plugin.SolveEx(20, 12, bytes(LARGE), NULL, 0, &status, stop);
    check(code == RESULT_CODE_TERMINATED || code == RESULT_CODE_OK, "a callback that stops");
    status.size = 40;
    memset(status.text, 'x', sizeof status.text);
    check(plugin.SolveEx(6, 5, small, NULL, 0, &status, NULL) == RESULT_CODE_OK, "a short record");
    check(status.text[7] == 0 && status.text[8] == 'x', "the record is filled up to its size");
}

static void wait_for(uint64_t nanoseconds) {
    struct timespec time = {(time_t)(nanoseconds / 1000000000), (long)(nanoseconds % 1000000000)};
    nanosleep(&time, NULL);
}

static atomic_bool has_ended;

/* Ends the call of the main thread after up to 20 milliseconds, and until it has ended. */
static void *terminate(void *seed) {
    wait_for((uint64_t)(*(unsigned *)seed * 2654435761u) % 20000000);
    while (!has_ended) {
        check(plugin.Terminate() == RESULT_CODE_OK, "Terminate");
        wait_for(1000000);
    }
    return NULL;
}

static void terminations(unsigned n_calls) {
    uint8_t *first = calloc(1, 20000), *game = calloc(1, 20000);
    check(first != NULL && game != NULL, "there is memory");
    check(plugin.SolveEx(20, 12, bytes(LARGE), first, 20000, NULL, NULL) == RESULT_CODE_OK, "the large level is solved");
    unsigned n_improved = 0;
    for (unsigned call = 0; call < n_calls; call++) {
        pthread_t other;
        PluginStatus status = new_status(MOVES_THEN_PUSHES | SOLUTION);
        memcpy(game, first, 20000);
        has_ended = false;
        check(pthread_create(&other, NULL, terminate, &call) == 0, "there is a thread");
        int32_t code = plugin.Optimize(20, 12, bytes(LARGE), game, 20000, &status, keep_on);
        has_ended = true;
        pthread_join(other, NULL);
        check(code == RESULT_CODE_OK || code == RESULT_CODE_TERMINATED, (const char *)status.text);
        check((code == RESULT_CODE_OK) == (strcmp((char *)game, (char *)first) != 0), "a gain is handed over");
        n_improved += code == RESULT_CODE_OK;
    }
    printf("%u calls ended early, %s of them with a gain\n", n_calls, n_improved > 0 ? "some" : "none");
    free(first);
    free(game);
}

/* No thread is left, so that the code can be taken away. Linux alone shows them as files. */
static void no_thread_is_left(void) {
    DIR *threads = opendir("/proc/self/task");
    if (threads == NULL) return;
    int n_threads = 0;
    for (struct dirent *entry = readdir(threads); entry != NULL; entry = readdir(threads))
        n_threads += entry->d_name[0] != '.';
    closedir(threads);
    check(n_threads == 1, "a thread is left");
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: host PLUGIN [CALLS]\n");
        return 2;
    }
    for (int round = 0; round < 2; round++) {
        void *library = open_library(argv[1]);
        if (library == NULL) {
            fprintf(stderr, "host: %s cannot be loaded\n", argv[1]);
            return 1;
        }
        load(library);
        introduce();
#ifndef _WIN32
        /* On Windows they open windows, which wait for somebody to close them. */
        if (round == 0) {
            plugin.ShowAbout(NULL);
            plugin.Configure(NULL);
        }
#endif
        solve_and_optimize();
        mistakes();
        terminations(argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 20);
        no_thread_is_left();
        check(close_library(library), "it can be unloaded");
    }
    printf("all went as it should\n");
    return 0;
}
