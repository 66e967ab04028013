// The C interface of the Soko plug-in. Made by cbindgen out of its Rust sources; changes here are lost.

#ifndef SOKOPLUGIN_H
#define SOKOPLUGIN_H

#include <stdint.h>

// How the functions are called: stdcall on 32-bit Windows, as everything else elsewhere.
#if defined(_WIN32) && !defined(_WIN64)
#define SOKO_CALL __stdcall
#else
#define SOKO_CALL
#endif

// Records without gaps between their fields. Where the compiler has no such word, four bytes follow the last field, which
// are not used.
#if defined(__GNUC__)
#define SOKO_PACKED __attribute__((packed))
#else
#define SOKO_PACKED
#endif

// What a host hands in: takes nothing, and returns nonzero to stop the call. It may be null.
typedef int32_t (SOKO_CALL *HostCallback)(void);


// The result of a call, as the interface numbers it.
enum ResultCode
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Solved, or improved. Also the answer of `Terminate`.
  RESULT_CODE_OK = 0,
  // The board is smaller than 3 x 3 or larger than `GetConstraints` says.
  RESULT_CODE_CONSTRAINTS_VIOLATION = 1,
  // The board cannot be played: an unknown letter, an open border, two players, a wrong length.
  RESULT_CODE_INVALID_LEVEL = 2,
  // It is proved that the level has no solution.
  RESULT_CODE_UNSOLVABLE = 3,
  // The search has ended without a solution, or without a better one.
  RESULT_CODE_UNSOLVED = 4,
  // The result does not fit into the buffer.
  RESULT_CODE_GAME_TOO_LONG = 5,
  // The settings file is wrong; the status text says where.
  RESULT_CODE_INVALID_SETTINGS = 6,
  // The game cannot be replayed on the board, or something went wrong inside.
  RESULT_CODE_FAILED = 7,
  // The time of the settings was used up before a result.
  RESULT_CODE_TIMEOUT = 8,
  // The callback or `Terminate` stopped the call before a result.
  RESULT_CODE_TERMINATED = 9,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum ResultCode ResultCode;
#else
typedef int32_t ResultCode;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The record as hosts declare it: packed, 292 bytes. C compilers that align the numbers make it 296 bytes long, with the
// same places.
typedef struct SOKO_PACKED {
  // Size of the record in bytes, set by the host.
  uint32_t size;
  // What is optimized, and what is known of the result; set by both.
  uint32_t flags;
  // Moves that a search has generated; 0 here, since the searches generate pushes.
  int64_t moves_generated;
  // Pushes that a search has generated.
  int64_t pushes_generated;
  // Positions that a search has visited.
  int64_t states_generated;
  // A line in 7-bit letters, ended by a NUL. The last byte is never written: hosts give it a meaning of its own.
  uint8_t text[256];
  // Time of the call in milliseconds.
  uint32_t time_ms;
} PluginStatus;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Opens the settings file in an editor, and returns at once. If there is none, it is made first, with all defaults. What
// goes wrong is shown in front of `parent`.
//
// # Safety
// `parent` is null, or on Windows a window.
SOKO_CALL
void Configure(void *parent);

// Shows name, version and where the settings are, until the user closes it.
//
// # Safety
// `parent` is null, or on Windows a window.
SOKO_CALL void ShowAbout(void *parent);

// Returns the largest board: sides in squares, and boxes.
//
// # Safety
// Each pointer is null or can be written.
SOKO_CALL void GetConstraints(uint32_t *max_width, uint32_t *max_height, uint32_t *max_boxes);

// Returns the name and version, such as `Soko 0.1.0 (64-bit)`, cut to `size` bytes with its NUL.
//
// # Safety
// `name` is null or has `size` bytes that can be written.
SOKO_CALL void GetPluginName(uint8_t *name, uint32_t size);

// [`GetPluginName`] as old hosts call it.
//
// # Safety
// As [`GetPluginName`].
SOKO_CALL void GetSolverName(uint8_t *name, uint32_t size);

// Returns 1 if `Optimize` supports these flags, one primary metric and one secondary metric or none; otherwise 0.
SOKO_CALL
int32_t IsSupportedOptimization(uint32_t flags);

// Returns all flags that `Optimize` supports, and from bit 16 on the metrics that may stand alone. Hosts of today call
// [`IsSupportedOptimization`].
SOKO_CALL
uint32_t GetSupportedOptimizations(void);

// Improves a game, and returns a [`ResultCode`].
//
// `board` has `width * height` letters and a NUL. `moves` has `moves_size` bytes: games, each with a NUL, and another NUL
// after the last. If a better game is found, it replaces them. The flags of `status` say what is wanted, and then what is
// done. `callback` is asked five times a second whether to stop; what is found by then is handed over.
//
// # Safety
// `board` is null or ends with a NUL; `moves` is null or has its size; `status` is null or as large as it says; all of
// them stay until the call returns, and no other thread writes to them. `callback` is null or can be called.
SOKO_CALL
int32_t Optimize(uint32_t width,
                 uint32_t height,
                 const uint8_t *board,
                 uint8_t *moves,
                 uint32_t moves_size,
                 PluginStatus *status,
                 HostCallback callback);

// Solves a level given in rows, without reporting and stopping: as [`SolveEx`] with neither status nor callback.
//
// # Safety
// `rows` is null or has `height` pointers, each null or to a row of `width` letters or fewer and a NUL. `solution` is null
// or has its size. All of them stay until the call returns, and no other thread writes to them.
SOKO_CALL
int32_t Solve(uint32_t width,
              uint32_t height,
              const uint8_t *const *rows,
              uint8_t *solution,
              uint32_t solution_size);

// Solves a level, and returns a [`ResultCode`].
//
// `board` has `width * height` letters and a NUL. The solution is written to `solution` with a NUL, cut to
// `solution_size` bytes; without a buffer only the result counts. `callback` is asked five times a second whether to stop.
//
// # Safety
// As [`Optimize`].
SOKO_CALL
int32_t SolveEx(uint32_t width,
                uint32_t height,
                const uint8_t *board,
                uint8_t *solution,
                uint32_t solution_size,
                PluginStatus *status,
                HostCallback callback);

// Asks all running calls to end, and returns at once, with [`ResultCode::Ok`]. Each call then returns what it has found. A
// call that begins later is not concerned.
SOKO_CALL
int32_t Terminate(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SOKOPLUGIN_H */
