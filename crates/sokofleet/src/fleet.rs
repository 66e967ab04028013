//! A connection to a fleet.

use std::time::Duration;

use crate::driver::Driver;
use crate::server::{FleetServer, NewFleet};
use crate::{FleetAddress, FleetError, FleetName};

/// Time without a sign of life after which a slice is given to another worker.
const PATIENCE: Duration = Duration::from_secs(30);

/// A connection to a fleet: to the server where its levels, its queue and its finds are. For several threads.
#[derive(Debug)]
pub struct Fleet {
    server: FleetServer,
    driver: Driver,
}

impl Fleet {
    /// Opens a fleet that is there.
    ///
    /// # Errors
    /// The server cannot be reached, or has no such fleet.
    pub fn open(address: &FleetAddress, name: &FleetName) -> Result<Self, FleetError> {
        let driver = Driver::start()?;
        let server = driver.block_on(FleetServer::open(address, name))?;
        Ok(Self { server, driver })
    }

    /// Opens a fleet, and makes it if it is not there: on three servers of a cluster that has as many, on one otherwise.
    ///
    /// # Errors
    /// The server cannot be reached, or refuses.
    pub fn create_or_open(address: &FleetAddress, name: &FleetName) -> Result<Self, FleetError> {
        Self::create_with(address, name, PATIENCE, None)
    }

    /// Opens a fleet, and makes it if it is not there: on so many servers, and so that a slice is given to another worker
    /// when there was no sign of life of its own for so long.
    ///
    /// # Errors
    /// The server cannot be reached, or refuses.
    pub fn create_with(
        address: &FleetAddress,
        name: &FleetName,
        patience: Duration,
        n_replicas: Option<usize>,
    ) -> Result<Self, FleetError> {
        let driver = Driver::start()?;
        let new = NewFleet { patience, n_replicas };
        let server = driver.block_on(FleetServer::create_or_open(address, name, &new))?;
        Ok(Self { server, driver })
    }

    /// Returns its name.
    #[must_use]
    pub const fn name(&self) -> &FleetName {
        &self.server.name
    }

    /// Ends all slices, at their checkpoints, and the workers; none begins before the next submission, or before
    /// [`Fleet::resume`].
    ///
    /// # Errors
    /// The server cannot be reached.
    pub fn drain(&self) -> Result<(), FleetError> {
        self.ask(self.server.set_drained(true))
    }

    /// Lets workers work again.
    ///
    /// # Errors
    /// The server cannot be reached.
    pub fn resume(&self) -> Result<(), FleetError> {
        self.ask(self.server.set_drained(false))
    }

    /// Removes everything of the fleet from the server: levels, solutions, checkpoints.
    ///
    /// # Errors
    /// The server cannot be reached, or refuses.
    pub fn remove(self) -> Result<(), FleetError> {
        self.ask(self.server.remove())
    }

    pub(crate) const fn server(&self) -> &FleetServer {
        &self.server
    }

    /// Asks the server. An error of a request that it does not permit says so.
    pub(crate) fn ask<T>(&self, request: impl Future<Output = Result<T, FleetError>>) -> Result<T, FleetError> {
        self.block_on(self.server.refusals.or(request))
    }

    pub(crate) fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.driver.block_on(future)
    }
}
