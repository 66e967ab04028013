//! A wire between a worker and the server, which can be cut: bytes are held back, and connections stay open, as where a
//! cable is pulled.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, sleep};
use std::time::Duration;

use sokofleet::FleetAddress;
use sokofleet::testing::NatsServer;

/// The wire.
pub(crate) struct Wire {
    port: u16,
    is_cut: Arc<AtomicBool>,
}

impl Wire {
    pub(crate) fn to(server: &NatsServer) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let is_cut = Arc::new(AtomicBool::new(false));
        let (target, cut) = (server.url().replace("nats://", ""), is_cut.clone());
        thread::spawn(move || {
            for near in listener.incoming() {
                let (Ok(near), Ok(far)) = (near, TcpStream::connect(&target)) else { continue };
                let both = [(near.try_clone(), far.try_clone()), (Ok(far), Ok(near))];
                for (from, to) in both {
                    let (from, to, cut) = (from.unwrap(), to.unwrap(), cut.clone());
                    thread::spawn(move || pass_on(from, to, &cut));
                }
            }
        });
        Self { port, is_cut }
    }

    pub(crate) fn address(&self) -> FleetAddress {
        FleetAddress::new(format!("nats://127.0.0.1:{}", self.port))
    }

    pub(crate) fn set_cut(&self, is_cut: bool) {
        self.is_cut.store(is_cut, Ordering::SeqCst);
    }
}

fn pass_on(mut from: TcpStream, mut to: TcpStream, is_cut: &AtomicBool) {
    let mut buffer = [0; 1 << 14];
    while let Ok(n_bytes) = from.read(&mut buffer) {
        while is_cut.load(Ordering::SeqCst) {
            sleep(Duration::from_millis(5));
        }
        if n_bytes == 0 || to.write_all(&buffer[..n_bytes]).is_err() {
            break;
        }
    }
}
