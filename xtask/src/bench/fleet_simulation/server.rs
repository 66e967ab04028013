//! A server that answers one request at a time.

/// Times of a request, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RequestTimes {
    /// Of the server.
    pub(super) server: f64,
    /// On the way there and back.
    pub(super) network: f64,
}

/// The server: requests are answered in the order in which they arrive.
#[derive(Clone, Debug)]
pub(super) struct Server {
    times: RequestTimes,
    /// When it has answered all requests so far.
    free_at: f64,
    /// Seconds that it was busy in each minute.
    busy: Vec<f64>,
    n_requests: u64,
    /// Sum of the times between a request and its answer.
    waited: f64,
}

impl Server {
    pub(super) const fn new(times: RequestTimes) -> Self {
        Self { times, free_at: 0.0, busy: Vec::new(), n_requests: 0, waited: 0.0 }
    }

    /// Returns when a request arrives that is sent now.
    pub(super) fn arrival(&self, now: f64) -> f64 {
        now + self.times.network / 2.0
    }

    /// Answers the request that arrives now, after those that have arrived before. Returns when the answer is back.
    pub(super) fn answer(&mut self, now: f64) -> f64 {
        let begun = self.free_at.max(now);
        self.free_at = begun + self.times.server;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "minutes of a simulation")]
        let minute = (begun / 60.0) as usize;
        if self.busy.len() <= minute {
            self.busy.resize(minute + 1, 0.0);
        }
        self.busy[minute] += self.times.server;
        self.n_requests += 1;
        self.waited += self.free_at - now + self.times.network;
        self.free_at + self.times.network / 2.0
    }

    /// Returns the part of so many seconds that it was busy.
    pub(super) fn load(&self, seconds: f64) -> f64 {
        self.busy.iter().sum::<f64>() / seconds
    }

    /// Returns the same for the busiest minute.
    pub(super) fn busiest_minute(&self) -> f64 {
        self.busy.iter().copied().fold(0.0, f64::max) / 60.0
    }

    /// Returns the mean time between a request and its answer.
    pub(super) fn mean_answer(&self) -> f64 {
        self.waited / (self.n_requests.max(1) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_wait_for_those_before_them() {
        let mut server = Server::new(RequestTimes { server: 1.0, network: 0.5 });
        let arrival = server.arrival(10.0);
        assert_eq!((arrival, server.answer(arrival)), (10.25, 11.5));
        assert_eq!(server.answer(10.25), 12.5, "it waits for the first");
        assert_eq!(server.answer(70.0), 71.25);
        assert!((server.load(100.0) - 0.03).abs() < 1e-9 && (server.busiest_minute() - 2.0 / 60.0).abs() < 1e-9);
        assert!((server.mean_answer() - (1.5 + 2.5 + 1.5) / 3.0).abs() < 1e-9);
    }
}
