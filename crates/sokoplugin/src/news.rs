//! What a running search has to report: the best game so far, and what is tried.

use parking_lot::Mutex;
use sokocore::Metrics;

/// The latest news of a search, written by its threads and read by the host's.
#[derive(Debug, Default)]
pub(crate) struct News(Mutex<Latest>);

#[derive(Debug, Default)]
struct Latest {
    best: Option<Metrics>,
    trying: String,
    /// Told once, before anything else.
    remark: Option<String>,
}

impl News {
    /// Starts with a game that is known.
    pub(crate) fn of_best(best: Metrics) -> Self {
        Self(Mutex::new(Latest { best: Some(best), ..Latest::default() }))
    }

    /// Tells something in the first line, and in no other.
    pub(crate) fn with_remark(self, remark: Option<&str>) -> Self {
        self.0.lock().remark = remark.map(str::to_owned);
        self
    }

    /// Reports a game, the best so far.
    pub(crate) fn set_best(&self, best: Metrics) {
        self.0.lock().best = Some(best);
    }

    /// Reports what is tried, in up to two words: a method and its phase.
    pub(crate) fn set_trying(&self, method: &str, phase: &str) {
        let trying = &mut self.0.lock().trying;
        trying.clear();
        trying.push_str(method);
        if !phase.is_empty() {
            trying.push_str(", ");
            trying.push_str(phase);
        }
    }

    /// Returns one line, such as `best 230/97; trying vicinity 20/10, searching`.
    pub(crate) fn line(&self) -> String {
        let mut latest = self.0.lock();
        let remark = latest.remark.take();
        let best = latest.best.map(|best| format!("best {}/{}", best.moves, best.pushes));
        let trying = Some(&*latest.trying).filter(|trying| !trying.is_empty()).map(|trying| format!("trying {trying}"));
        let parts: Vec<String> = remark.into_iter().chain(best).chain(trying).collect();
        if parts.is_empty() { "preparing".to_owned() } else { parts.join("; ") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remark_is_told_once() {
        let news = News::of_best(Metrics { moves: 9, pushes: 2, ..Metrics::default() }).with_remark(Some("a remark"));
        assert_eq!((news.line(), news.line()), ("a remark; best 9/2".to_owned(), "best 9/2".to_owned()));
    }

    #[test]
    fn the_line_grows_with_the_news() {
        let news = News::default();
        assert_eq!(news.line(), "preparing");
        news.set_trying("fess", "");
        assert_eq!(news.line(), "trying fess");
        news.set_best(Metrics { moves: 230, pushes: 97, ..Metrics::default() });
        news.set_trying("vicinity 20/10", "searching");
        assert_eq!(news.line(), "best 230/97; trying vicinity 20/10, searching");
    }
}
