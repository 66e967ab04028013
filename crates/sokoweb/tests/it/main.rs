//! The server as browsers and other programs meet it: real requests to a real socket, real pages in a real browser.

mod accessibility;
mod browser;
mod desk;
mod flood;
mod hostile;
mod levels;
mod looks;
mod pages;
mod patience;
mod requests;
mod safety;
