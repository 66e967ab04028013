//! A headless Chromium, driven by WebDriver: JSON over HTTP to Debian's `chromium-driver`.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use super::patience::{PATIENCE, note, wait};

/// A browser; it ends with this value.
pub(crate) struct Browser {
    driver: Child,
    session: String,
}

/// The colors of the system, as pages are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colors {
    Light,
    Dark,
}

impl Browser {
    /// Starts one. Says so and returns `None` where there is none.
    pub(crate) fn start() -> Option<Self> {
        let driver = Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let Ok(mut driver) = driver else {
            note("there is no chromedriver; the pages were not tried in a browser (apt install chromium-driver)");
            return None;
        };
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = lines.find_map(|line| {
            let line = line.unwrap();
            let rest = line.split("started successfully on port ").nth(1)?;
            Some(rest.trim_end_matches('.').to_owned())
        });
        // The driver would wait for a reader of what it says.
        std::thread::spawn(move || lines.for_each(drop));
        let mut browser = Self { driver, session: format!("http://127.0.0.1:{}/session", port.expect("a port")) };
        let options = json!({
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"],
        });
        let capabilities = json!({
            "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": { "browser": "ALL" },
        });
        let answer = browser.command("", json!({ "capabilities": { "alwaysMatch": capabilities } }));
        browser.session = format!("{}/{}", browser.session, answer["sessionId"].as_str().unwrap());
        browser.resize(1200, 900);
        Some(browser)
    }

    fn command(&self, path: &str, body: Value) -> Value {
        let request = minreq::post(format!("{}{path}", self.session)).with_body(body.to_string());
        let response = request.with_timeout(PATIENCE).send().unwrap();
        let answer: Value = serde_json::from_str(response.as_str().unwrap()).unwrap();
        assert_eq!(response.status_code, 200, "{path} {body}: {}", answer["value"]["message"]);
        answer["value"].clone()
    }

    /// Runs a script in the page; returns what it returns. A promise is awaited.
    pub(crate) fn script(&self, script: &str) -> Value {
        self.command("/execute/sync", json!({ "script": script, "args": [] }))
    }

    /// Opens an address, and waits until the page has what it asked for.
    pub(crate) fn open(&self, address: &str) {
        self.command("/url", json!({ "url": address }));
        self.settle();
    }

    /// Waits until nothing on the page is waited for.
    pub(crate) fn settle(&self) {
        self.wait_until("document.readyState === 'complete' && document.querySelector('[aria-busy]') === null");
    }

    /// Clicks on the first element of a selector, as a person would.
    pub(crate) fn click(&self, selector: &str) {
        self.with_element(selector, "click", json!({}));
    }

    /// Types into an element.
    pub(crate) fn type_into(&self, selector: &str, text: &str) {
        self.with_element(selector, "value", json!({ "text": text }));
    }

    fn with_element(&self, selector: &str, what: &str, body: Value) {
        let found = wait(selector, || {
            let found = self.command("/elements", json!({ "using": "css selector", "value": selector }));
            let element = found.as_array()?.first()?.as_object()?;
            element.values().next()?.as_str().map(str::to_owned)
        });
        self.command(&format!("/element/{found}/{what}"), body);
    }

    /// Waits until the text of an element holds something.
    pub(crate) fn wait_for_text(&self, selector: &str, text: &str) {
        self.wait_until(&format!("(document.querySelector({selector:?})?.textContent ?? '').includes({text:?})"));
    }

    /// Waits until a script is true.
    pub(crate) fn wait_until(&self, script: &str) {
        wait(script, || self.script(&format!("return {script}")).as_bool().filter(|is_so| *is_so));
    }

    /// Sets the size of what is seen of a page.
    pub(crate) fn resize(&self, width: u32, height: u32) {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.protocol("Emulation.setDeviceMetricsOverride", metrics);
    }

    /// Sets the colors that the system asks for.
    pub(crate) fn set_colors(&self, colors: Colors) {
        let value = match colors {
            Colors::Light => "light",
            Colors::Dark => "dark",
        };
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": value }] });
        self.protocol("Emulation.setEmulatedMedia", features);
    }

    /// Shows pages as they are printed.
    pub(crate) fn set_paper(&self) {
        self.protocol("Emulation.setEmulatedMedia", json!({ "media": "print" }));
    }

    fn protocol(&self, command: &str, params: Value) -> Value {
        self.command("/goog/cdp/execute", json!({ "cmd": command, "params": params }))
    }

    /// Writes a picture of what is seen.
    pub(crate) fn picture(&self, path: &Path) {
        let answer = self.protocol("Page.captureScreenshot", json!({ "format": "png", "optimizeForSpeed": false }));
        fs::write(path, of_base64(answer["data"].as_str().unwrap())).unwrap();
    }

    /// Asserts that the console has no message, and no error of a script or a request.
    pub(crate) fn assert_silent(&self, place: &str) {
        let messages = self.command("/se/log", json!({ "type": "browser" }));
        assert!(messages.as_array().is_some_and(Vec::is_empty), "{place}: {messages:#}");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Ends the browser, too; a test that fails says so itself.
        let _ = minreq::delete(&*self.session).with_timeout(PATIENCE).send();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

fn of_base64(text: &str) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let letters: Vec<u8> = text.bytes().filter(|letter| *letter != b'=').map(value).collect();
    let group = |four: &[u8]| {
        let bits = four.iter().fold(0_u32, |bits, value| bits << 6 | u32::from(*value)) << (6 * (4 - four.len()));
        bits.to_be_bytes()[1..four.len()].to_vec()
    };
    letters.chunks(4).flat_map(group).collect()
}
