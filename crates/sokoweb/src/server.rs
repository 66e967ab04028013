//! The server: a socket on loopback, the routes behind the guard, and what they share.

use std::future::IntoFuture;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use parking_lot::RwLock;
use sokolibrary::LibraryError;
use sokosearch::{Cancel, Clock};
use thiserror::Error;
use tokio::io::AsyncWriteExt as _;

use crate::access::{Access, Token, add_headers};
use crate::api;
use crate::api::check::Checks;
use crate::assets;
use crate::runs::{KEEP_PAUSE, PAUSE, Runs};
use crate::store::{Store, blocking};

/// How often the server looks whether it is to stop.
const TICK: Duration = Duration::from_millis(50);
/// How often it looks whether its threads have begun.
const LOOK: Duration = Duration::from_millis(1);
/// How long requests in progress are waited for at the end, and threads at the beginning.
const PATIENCE: Duration = Duration::from_secs(2);
/// Threads that read and change the library, beside the one that answers. They begin with the server and end with it: a
/// request never finds that the system has no thread for it.
const N_HELPERS: usize = 4;
/// What is said without them.
const NO_THREADS: &str = "the system gives no threads; end other programs, or raise the limit of threads";

/// What a server is to serve, and what its runs may use.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ServerOptions {
    /// The library, made if it is not there.
    pub library: PathBuf,
    /// The port; 0 for a free one.
    pub port: u16,
    /// Threads of all runs together. 1 and up.
    pub n_threads: usize,
    /// Bytes of all searches together.
    pub memory: u64,
    /// Tells how many bytes this process has in memory, if the program knows.
    pub resident_memory: Option<fn() -> u64>,
}

/// Why a server cannot begin.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BindServerError {
    /// The library cannot be opened or made.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// The port is taken, or may not be used.
    #[error("cannot listen on 127.0.0.1:{port}; choose another port, or 0 for a free one")]
    Bind {
        /// The port that was asked for.
        port: u16,
        /// Why.
        source: io::Error,
    },
    /// The system gives no random numbers for the token.
    #[error("the system has no random numbers: {0}")]
    NoRandom(String),
}

/// A server that is bound to its address.
///
/// ```no_run
/// use sokosearch::Cancel;
/// use sokoweb::{Server, ServerOptions};
///
/// let server = Server::bind(&ServerOptions::of_library("library.sqlite"))?;
/// println!("{}", server.link());
/// // Until another thread raises the flag.
/// server.run(&Cancel::default())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    pub(crate) shared: Arc<Shared>,
}

/// What the routes share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) access: Access,
    pub(crate) store: Store,
    pub(crate) runs: Runs,
    pub(crate) checks: Checks,
}

impl ServerOptions {
    /// Serves a library on a free port, with one thread and 1 GiB for searches.
    #[must_use]
    pub fn of_library(library: impl Into<PathBuf>) -> Self {
        Self { library: library.into(), port: 0, n_threads: 1, memory: 1 << 30, resident_memory: None }
    }

    /// Listens on a port; 0 for a free one.
    #[must_use]
    pub fn with_port(self, port: u16) -> Self {
        Self { port, ..self }
    }

    /// Sets the threads of all runs together; at least 1.
    #[must_use]
    pub fn with_threads(self, n_threads: usize) -> Self {
        Self { n_threads: n_threads.max(1), ..self }
    }

    /// Sets the bytes of all searches together.
    #[must_use]
    pub fn with_memory(self, memory: u64) -> Self {
        Self { memory, ..self }
    }

    /// Says how the memory of this process is measured, for the page of runs.
    #[must_use]
    pub fn with_resident_memory(self, resident_memory: fn() -> u64) -> Self {
        Self { resident_memory: Some(resident_memory), ..self }
    }
}

impl Server {
    /// Opens the library and binds the socket. From then on browsers may connect; they are answered once it runs.
    ///
    /// # Errors
    /// The library cannot be opened, the port is taken, or the system has no random numbers.
    pub fn bind(options: &ServerOptions) -> Result<Self, BindServerError> {
        let store = Store::open(&options.library)?;
        let port = options.port;
        let bind = || {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
            listener.set_nonblocking(true)?;
            let port = listener.local_addr()?.port();
            Ok((listener, port))
        };
        let (listener, port) = bind().map_err(|source| BindServerError::Bind { port, source })?;
        let random = || Token::random().map_err(|error| BindServerError::NoRandom(error.to_string()));
        let shared = Shared {
            access: Access::new(port, [random()?, random()?, random()?]),
            runs: Runs::open(options)?,
            checks: Checks::new(options.memory),
            store,
        };
        Ok(Self { listener, shared: Arc::new(shared) })
    }

    /// Returns the address of the page, with the token that lets it change something. It is for the user of this
    /// process alone.
    #[must_use]
    pub fn link(&self) -> String {
        self.shared.access.link()
    }

    /// Returns the same address with a key in the place of the token, which works once: for the command line that starts
    /// a browser, which other users of the machine may be able to read. `None` if it was used.
    #[must_use]
    pub fn opening_link(&self) -> Option<String> {
        self.shared.access.opening_link()
    }

    /// Answers requests until the flag is raised; then stops the runs and keeps all that they have found.
    ///
    /// # Errors
    /// The system has no threads, the socket fails, or what was found cannot be written.
    pub fn run(self, stop: &Cancel) -> io::Result<()> {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        runtime.max_blocking_threads(N_HELPERS).thread_keep_alive(Duration::MAX);
        let runtime = runtime.enable_all().build()?;
        start_helpers(&runtime)?;
        let shared = Arc::clone(&self.shared);
        let served = runtime.block_on(self.serve(stop.clone()));
        shared.checks.stop();
        let kept = shared.runs.stop_all().map_err(io::Error::other);
        runtime.shutdown_timeout(PATIENCE);
        served.and(kept)
    }

    async fn serve(self, stop: Cancel) -> io::Result<()> {
        let publisher = tokio::spawn(Arc::clone(&self.shared).publish());
        let keeper = tokio::spawn(Arc::clone(&self.shared).keep());
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let stopped = async move {
            while !stop.is_cancelled() {
                tokio::time::sleep(TICK).await;
            }
        };
        let service = router(self.shared);
        tokio::select! {
            served = axum::serve(listener, service).into_future() => served,
            () = stopped => {
                publisher.abort();
                keeper.abort();
                Ok(())
            }
        }
    }
}

/// Starts the helpers, which stay. With fewer of them requests wait longer.
fn start_helpers(runtime: &tokio::runtime::Runtime) -> io::Result<()> {
    // Starts one of them: where the system refuses it this is an error, and `spawn_blocking` would panic.
    let started = runtime.block_on(tokio::io::stderr().write(&[]));
    started.map_err(|error| io::Error::new(error.kind(), format!("{NO_THREADS}: {error}")))?;
    let (gate, n_started) = (Arc::new(RwLock::new(())), Arc::new(AtomicUsize::new(0)));
    // All at a time.
    let closed = gate.write();
    for _ in 0..N_HELPERS {
        let (gate, n_started) = (Arc::clone(&gate), Arc::clone(&n_started));
        runtime.spawn_blocking(move || {
            n_started.fetch_add(1, Ordering::Relaxed);
            drop(gate.read());
        });
    }
    let clock = Clock::start();
    while n_started.load(Ordering::Relaxed) < N_HELPERS && clock.elapsed() < PATIENCE {
        thread::sleep(LOOK);
    }
    drop(closed);
    Ok(())
}

impl Shared {
    /// Tells the pages what runs are at, as long as the server runs.
    async fn publish(self: Arc<Self>) {
        loop {
            self.runs.publish();
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Notes what runs have come to, as long as the server runs.
    async fn keep(self: Arc<Self>) {
        loop {
            tokio::time::sleep(KEEP_PAUSE).await;
            let shared = Arc::clone(&self);
            // The runs say what is wrong, and it is tried again.
            let _ = blocking(move || Ok(shared.runs.keep()?)).await;
        }
    }
}

/// Makes the service: routes behind the guard.
fn router(shared: Arc<Shared>) -> Router {
    let routes = assets::add_routes(Router::new().nest("/api", api::routes()));
    let guard = from_fn_with_state(Arc::clone(&shared), guard);
    routes.fallback(not_found).layer(guard).with_state(shared)
}

/// Admits a request or refuses it, and adds the headers to the answer.
async fn guard(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let mut response = match shared.access.admits(&request) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    add_headers(&mut response);
    response
}

async fn not_found() -> Response {
    (StatusCode::NOT_FOUND, "There is no such page. The pages begin at /.\n").into_response()
}
