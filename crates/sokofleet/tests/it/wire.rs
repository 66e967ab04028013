//! A wire between a worker and the server, which can be cut: bytes are held back, and connections stay open, as where a
//! cable is pulled.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::thread::{self, sleep};
use std::time::Duration;

use sokofleet::FleetAddress;
use sokofleet::testing::NatsServer;

/// The wire.
pub(crate) struct Wire {
    port: u16,
    /// Bytes that it lets through until it is cut.
    n_left: Arc<AtomicI64>,
}

impl Wire {
    pub(crate) fn to(server: &NatsServer) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let n_left = Arc::new(AtomicI64::new(i64::MAX));
        let (target, left) = (server.url().replace("nats://", ""), n_left.clone());
        thread::spawn(move || {
            for near in listener.incoming() {
                let (Ok(near), Ok(far)) = (near, TcpStream::connect(&target)) else { continue };
                let both = [(near.try_clone(), far.try_clone()), (Ok(far), Ok(near))];
                for (from, to) in both {
                    let (from, to, left) = (from.unwrap(), to.unwrap(), left.clone());
                    thread::spawn(move || pass_on(from, to, &left));
                }
            }
        });
        Self { port, n_left }
    }

    pub(crate) fn address(&self) -> FleetAddress {
        FleetAddress::new(format!("nats://127.0.0.1:{}", self.port))
    }

    pub(crate) fn set_cut(&self, is_cut: bool) {
        self.n_left.store(if is_cut { 0 } else { i64::MAX }, Ordering::SeqCst);
    }

    /// Cuts the wire when so many bytes more have passed.
    pub(crate) fn cut_after(&self, n_bytes: i64) {
        self.n_left.store(n_bytes, Ordering::SeqCst);
    }
}

fn pass_on(mut from: TcpStream, mut to: TcpStream, n_left: &AtomicI64) {
    let mut buffer = [0; 1 << 10];
    while let Ok(n_bytes) = from.read(&mut buffer) {
        while n_left.load(Ordering::SeqCst) <= 0 {
            sleep(Duration::from_millis(5));
        }
        n_left.fetch_sub(i64::try_from(n_bytes).unwrap(), Ordering::SeqCst);
        if n_bytes == 0 || to.write_all(&buffer[..n_bytes]).is_err() {
            break;
        }
    }
}
