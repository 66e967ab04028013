//! The functions of a loaded library, behind types of Rust.

use std::ffi::{CString, c_char};
use std::path::Path;

use libloading::{Library, Symbol};
use sokoplugin::{HostCallback, PluginStatus};

pub(crate) type Search =
    unsafe extern "system" fn(u32, u32, *const c_char, *mut u8, u32, *mut PluginStatus, HostCallback) -> i32;
type Solve = unsafe extern "system" fn(u32, u32, *const *const c_char, *mut u8, u32) -> i32;

/// Which of the two functions that search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    SolveEx,
    Optimize,
}

/// A loaded library.
pub(crate) struct Plugin(Library);

/// What a call that searches is given.
pub(crate) struct Request<'a> {
    pub(crate) rows: &'a [&'a str],
    /// The buffer, as the host has filled it.
    pub(crate) buffer: Vec<u8>,
    /// The status record, if there is one.
    pub(crate) status: Option<PluginStatus>,
    pub(crate) callback: HostCallback,
}

/// What it has left.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) code: i32,
    pub(crate) buffer: Vec<u8>,
    pub(crate) status: Option<PluginStatus>,
}

/// A record as a host makes it.
pub(crate) fn status(flags: u32) -> PluginStatus {
    let size = u32::try_from(size_of::<PluginStatus>()).unwrap();
    PluginStatus {
        size,
        flags,
        moves_generated: 0,
        pushes_generated: 0,
        states_generated: 0,
        text: [0; 256],
        time_ms: 0,
    }
}

impl<'a> Request<'a> {
    /// A board with a buffer that holds a game, and room.
    pub(crate) fn new(rows: &'a [&'a str], game: &str) -> Self {
        let mut buffer = game.as_bytes().to_vec();
        buffer.resize(game.len() + 1_000, 0);
        Self { rows, buffer, status: None, callback: None }
    }

    pub(crate) fn with_flags(self, flags: u32) -> Self {
        Self { status: Some(status(flags)), ..self }
    }
}

impl Reply {
    /// The game in the buffer.
    pub(crate) fn game(&self) -> String {
        let length = self.buffer.iter().position(|&byte| byte == 0).expect("the game is ended");
        String::from_utf8(self.buffer[..length].to_vec()).unwrap()
    }

    /// The status text.
    pub(crate) fn text(&self) -> String {
        let text = self.status.expect("there is a record").text;
        let length = text.iter().position(|&byte| byte == 0).expect("the text is ended");
        String::from_utf8(text[..length].to_vec()).unwrap()
    }
}

impl Plugin {
    pub(crate) fn load(path: &Path) -> Self {
        // SAFETY: it is our own library, which runs nothing when it is loaded.
        Self(unsafe { Library::new(path) }.expect("the library can be loaded"))
    }

    pub(crate) fn built() -> Self {
        Self::load(&super::library::path())
    }

    fn get<T>(&self, name: &str) -> Symbol<'_, T> {
        // SAFETY: every use names the type that the library exports.
        unsafe { self.0.get(name.as_bytes()) }.unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        // SAFETY: the symbol is not used.
        unsafe { self.0.get::<unsafe extern "system" fn()>(name.as_bytes()) }.is_ok()
    }

    pub(crate) fn name(&self, function: &str, size: u32) -> String {
        let mut buffer = vec![b'x'; 100];
        let get = self.get::<unsafe extern "system" fn(*mut u8, u32)>(function);
        // SAFETY: the size is at most that of the buffer.
        unsafe { get(buffer.as_mut_ptr(), size) };
        let length = buffer.iter().position(|&byte| byte == 0 || byte == b'x').unwrap();
        String::from_utf8(buffer[..length].to_vec()).unwrap()
    }

    pub(crate) fn constraints(&self) -> [u32; 3] {
        let mut limits = [0; 3];
        let get = self.get::<unsafe extern "system" fn(*mut u32, *mut u32, *mut u32)>("GetConstraints");
        let [width, height, boxes] = &mut limits;
        // SAFETY: the numbers can be written; null is allowed.
        unsafe {
            get(width, height, boxes);
            get(std::ptr::null_mut(), std::ptr::null_mut(), std::ptr::null_mut());
        }
        limits
    }

    pub(crate) fn supports(&self, flags: u32) -> bool {
        // SAFETY: it takes a number.
        unsafe { self.get::<unsafe extern "system" fn(u32) -> i32>("IsSupportedOptimization")(flags) != 0 }
    }

    pub(crate) fn supported(&self) -> u32 {
        // SAFETY: it takes nothing.
        unsafe { self.get::<unsafe extern "system" fn() -> u32>("GetSupportedOptimizations")() }
    }

    pub(crate) fn terminate(&self) -> i32 {
        // SAFETY: it takes nothing.
        unsafe { self.get::<unsafe extern "system" fn() -> i32>("Terminate")() }
    }

    /// The function itself, for arguments that no board has.
    pub(crate) fn search(&self, function: Function) -> Symbol<'_, Search> {
        self.get(match function {
            Function::SolveEx => "SolveEx",
            Function::Optimize => "Optimize",
        })
    }

    /// Calls a function as a host does.
    pub(crate) fn run(&self, function: Function, request: Request<'_>) -> Reply {
        let Request { rows, mut buffer, mut status, callback } = request;
        let board = CString::new(rows.concat()).unwrap();
        let side = |n: usize| u32::try_from(n).unwrap();
        let (width, height, size) = (side(rows[0].len()), side(rows.len()), side(buffer.len()));
        let record = status.as_mut().map_or(std::ptr::null_mut(), |status| status as *mut PluginStatus);
        let search = self.search(function);
        // SAFETY: the board ends with a NUL, the buffer has its size, and the record the size that it says.
        let code = unsafe { search(width, height, board.as_ptr(), buffer.as_mut_ptr(), size, record, callback) };
        Reply { code, buffer, status }
    }

    /// Calls the old function, which takes rows.
    pub(crate) fn solve(&self, width: u32, rows: &[&str]) -> (i32, String) {
        let rows: Vec<_> = rows.iter().map(|row| CString::new(*row).unwrap()).collect();
        let pointers: Vec<_> = rows.iter().map(|row| row.as_ptr()).collect();
        let mut buffer = vec![0; 1_000];
        let (height, size) = (u32::try_from(rows.len()).unwrap(), 1_000);
        // SAFETY: there are so many rows, each with a NUL, and the buffer has its size.
        let code = unsafe { self.get::<Solve>("Solve")(width, height, pointers.as_ptr(), buffer.as_mut_ptr(), size) };
        (code, Reply { code, buffer, status: None }.game())
    }
}
