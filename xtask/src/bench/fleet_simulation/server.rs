//! A server that answers one request at a time.

/// Times of a request, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RequestTimes {
    /// Of the server.
    pub(super) server: f64,
    /// On the way there and back.
    pub(super) network: f64,
}

/// The most that signs of life take: what is left is a thousandth.
const MOST_OF_BEATS: f64 = 0.999;

/// The server: requests are answered in the order in which they arrive. Signs of life take an even part of its time.
#[derive(Clone, Debug)]
pub(super) struct SimulatedServer {
    times: RequestTimes,
    /// The part of its time that signs of life take.
    of_beats: f64,
    /// When it has answered all requests so far.
    free_at: f64,
    /// Seconds that it was busy in each minute.
    busy: Vec<f64>,
    n_requests: u64,
    /// Sum of the times between a request and its answer.
    waited: f64,
}

impl SimulatedServer {
    /// Makes a server that also answers so many signs of life a second.
    pub(super) fn new(times: RequestTimes, beats: f64) -> Self {
        Self {
            times,
            of_beats: (beats * times.server).min(MOST_OF_BEATS),
            free_at: 0.0,
            busy: Vec::new(),
            n_requests: 0,
            waited: 0.0,
        }
    }

    /// Returns when a request arrives that is sent now.
    pub(super) fn arrival(&self, now: f64) -> f64 {
        now + self.times.network / 2.0
    }

    /// Answers the request that arrives now, after those that have arrived before. Returns when the answer is back.
    pub(super) fn answer(&mut self, now: f64) -> f64 {
        let begun = self.free_at.max(now);
        let seconds = self.times.server / (1.0 - self.of_beats);
        self.free_at = begun + seconds;
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
        self.of_beats + self.busy.iter().sum::<f64>() / seconds
    }

    /// Returns the same for the busiest minute.
    pub(super) fn busiest_minute(&self) -> f64 {
        self.of_beats + self.busy.iter().copied().fold(0.0, f64::max) / 60.0
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
        let mut server = SimulatedServer::new(RequestTimes { server: 1.0, network: 0.5 }, 0.0);
        let arrival = server.arrival(10.0);
        assert_eq!((arrival, server.answer(arrival)), (10.25, 11.5));
        assert_eq!(server.answer(10.25), 12.5, "it waits for the first");
        assert_eq!(server.answer(70.0), 71.25);
        assert!((server.load(100.0) - 0.03).abs() < 1e-9 && (server.busiest_minute() - 2.0 / 60.0).abs() < 1e-9);
        assert!((server.mean_answer() - (1.5 + 2.5 + 1.5) / 3.0).abs() < 1e-9);
    }

    #[test]
    fn signs_of_life_take_their_part() {
        let mut server = SimulatedServer::new(RequestTimes { server: 0.1, network: 0.0 }, 5.0);
        assert!((server.answer(0.0) - 0.2).abs() < 1e-9, "half of its time is left");
        assert!((server.load(10.0) - 0.51).abs() < 1e-9);
    }
}
