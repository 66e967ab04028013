//! XML as elements with their text, read in one pass and within limits.
//!
//! ```text
//!   <Level Id="1"> <L>####</L> ... </Level>
//!   start [level]  start [level, l]  end [level, l] "####"  ...  end [level]
//! ```
//!
//! Names are given in lower case and without a namespace. Only the five predefined entities and character references
//! are expanded; others stay as they are written, and a file that declares some is refused. So no text is longer than
//! the file. Elements may be nested [`MAX_DEPTH`] deep.

use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};
use thiserror::Error;

/// The most elements open at the same place.
const MAX_DEPTH: usize = 64;

/// The most attributes of an element.
const MAX_ATTRIBUTES: usize = 64;

/// Why an XML file could not be read, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {problem}")]
#[non_exhaustive]
pub struct ParseXmlError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong there.
    pub problem: XmlProblem,
}

/// What may be wrong with an XML file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum XmlProblem {
    /// The file is not well-formed XML.
    #[error("{0}; correct the file or save it again with the program that made it")]
    Malformed(String),
    /// The file ends in an element.
    #[error("the file ends within <{0}>; it may have been cut off")]
    Unclosed(String),
    /// Elements in elements in elements.
    #[error("elements are nested more than {MAX_DEPTH} deep; no file of levels is like that")]
    TooDeep,
    /// An element with very many attributes.
    #[error("an element has more than {MAX_ATTRIBUTES} attributes; no file of levels is like that")]
    TooManyAttributes,
    /// The file declares entities, which can make a small file huge.
    #[error("the file declares entities of its own, which are not expanded; write their text in full")]
    Entities,
    /// The levels written as text are larger than the largest file.
    #[error("the levels are too large when written as text; split the file")]
    TooLarge,
}

/// What reads a kind of XML file.
pub(crate) trait Visitor {
    /// An element starts. The last name of the path is its own.
    fn start(&mut self, path: &[String], attributes: &Attributes) -> Result<(), XmlProblem>;

    /// An element ends. The text is what stands in it, without that of elements within it.
    fn end(&mut self, path: &[String], text: &str) -> Result<(), XmlProblem>;
}

/// The attributes of an element, their names in lower case.
#[derive(Debug)]
pub(crate) struct Attributes(Vec<(String, String)>);

impl Attributes {
    /// The value of the first attribute of that name, if it is not blank.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let value = self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
        value.filter(|value| !value.trim().is_empty())
    }

    fn read(element: &BytesStart<'_>) -> Result<Self, XmlProblem> {
        let mut attributes = Vec::new();
        for attribute in element.attributes().with_checks(false) {
            let attribute = attribute.map_err(|error| XmlProblem::Malformed(error.to_string()))?;
            if attributes.len() == MAX_ATTRIBUTES {
                return Err(XmlProblem::TooManyAttributes);
            }
            let name = attribute.key.local_name().as_ref().to_ascii_lowercase();
            attributes.push((name, unescape(&attribute.value)));
        }
        Ok(Self(attributes))
    }
}

/// Reads a file from beginning to end.
pub(crate) fn read_xml(text: &str, visitor: &mut impl Visitor) -> Result<(), ParseXmlError> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.expand_empty_elements = true;
    config.allow_dangling_amp = true;
    let mut open = Open::default();
    loop {
        let event = reader.read_event();
        let at = reader.error_position();
        let event = event.map_err(|error| located(text, at, XmlProblem::Malformed(error.to_string())))?;
        if matches!(event, Event::Eof) {
            break;
        }
        let here = reader.buffer_position();
        open.take(event, visitor).map_err(|problem| located(text, here, problem))?;
    }
    match open.path.pop() {
        Some(name) => Err(located(text, reader.buffer_position(), XmlProblem::Unclosed(name))),
        None => Ok(()),
    }
}

/// The elements that are open, and the text of each so far.
#[derive(Default)]
struct Open {
    path: Vec<String>,
    texts: Vec<String>,
}

impl Open {
    fn take(&mut self, event: Event<'_>, visitor: &mut impl Visitor) -> Result<(), XmlProblem> {
        match event {
            Event::Start(element) => {
                if self.path.len() == MAX_DEPTH {
                    return Err(XmlProblem::TooDeep);
                }
                self.path.push(element.local_name().as_ref().to_ascii_lowercase());
                self.texts.push(String::new());
                visitor.start(&self.path, &Attributes::read(&element)?)?;
            }
            Event::End(_) => {
                if let Some(text) = self.texts.pop() {
                    visitor.end(&self.path, &text)?;
                }
                self.path.pop();
            }
            Event::Text(text) => self.write(&text.xml10_content()),
            Event::CData(text) => self.write(&text.xml10_content()),
            Event::GeneralRef(name) => match resolve(&name) {
                Some(letter) => self.write(letter.encode_utf8(&mut [0; 4])),
                None => self.write(&format!("&{};", &*name)),
            },
            Event::DocType(text) if text.contains("<!ENTITY") => return Err(XmlProblem::Entities),
            _ => {}
        }
        Ok(())
    }

    fn write(&mut self, text: &str) {
        if let Some(last) = self.texts.last_mut() {
            last.push_str(text);
        }
    }
}

/// The character that a reference means, given what stands between `&` and `;`.
fn resolve(name: &str) -> Option<char> {
    let Some(number) = name.strip_prefix('#') else {
        return resolve_predefined_entity(name).and_then(|text| text.chars().next());
    };
    let code = match number.strip_prefix('x') {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => number.parse(),
    };
    code.ok().and_then(char::from_u32).filter(|letter| *letter != '\0')
}

/// Replaces the references that mean a character; everything else stays.
fn unescape(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut parts = raw.split('&');
    text.push_str(parts.next().expect("invariant: a split has a first part"));
    for part in parts {
        match part.split_once(';').and_then(|(name, rest)| Some((resolve(name)?, rest))) {
            Some((letter, rest)) => {
                text.push(letter);
                text.push_str(rest);
            }
            None => {
                text.push('&');
                text.push_str(part);
            }
        }
    }
    text
}

/// Says where in the text a problem is.
fn located(text: &str, at: u64, problem: XmlProblem) -> ParseXmlError {
    let at = usize::try_from(at).expect("invariant: the reader is within a text in memory").min(text.len());
    let before = &text.as_bytes()[..at];
    let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
    let is_letter_start = |byte: &&u8| **byte & 0xC0 != 0x80;
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    ParseXmlError { line, column: before[line_start..].iter().filter(is_letter_start).count() + 1, problem }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Log(Vec<String>);

    impl Visitor for Log {
        fn start(&mut self, path: &[String], attributes: &Attributes) -> Result<(), XmlProblem> {
            self.0.extend(attributes.get("id").map(|id| format!("{} id {id}", path.join("/"))));
            Ok(())
        }

        fn end(&mut self, path: &[String], text: &str) -> Result<(), XmlProblem> {
            self.0.push(format!("{} '{text}'", path.join("/")));
            Ok(())
        }
    }

    fn check(text: &str, expect: &[&str]) {
        let mut log = Log::default();
        read_xml(text, &mut log).unwrap();
        assert_eq!(log.0, expect, "{text}");
    }

    fn check_error(text: &str, expect: &str) {
        let error = read_xml(text, &mut Log::default()).unwrap_err().to_string();
        assert!(error.starts_with(expect), "{error} should start with {expect}");
    }

    #[test]
    fn elements_with_their_text() {
        check(
            "<?xml version='1.0'?><A><x:L Id='1'>  #&lt;&#35;&#x23;</x:L><L/></A>",
            &["a/l id 1", "a/l '  #<##'", "a/l ''", "a ''"],
        );
        check("<a><!-- <b> -->x<![CDATA[<&>]]>y</a>", &["a 'x<&>y'"]);
        check("<a id='Tom &amp; &#74;erry &eacute; & more'/>", &["a id Tom & Jerry &eacute; & more", "a ''"]);
        check("<a>Tom & Jerry &eacute; &#0;</a>", &["a 'Tom & Jerry &eacute; &#0;'"]);
    }

    #[test]
    fn columns_count_letters() {
        let column = |text: &str| located(text, text.len() as u64, XmlProblem::TooLarge).column;
        assert_eq!(["", "ab", "\u{e9}b", "a\n\u{e9}\u{1f4e6}@b"].map(column), [1, 3, 3, 5]);
    }

    #[test]
    fn errors_say_where() {
        check_error("<a>\n  <b>\n  </c></a>", "line 3, column 3: ill-formed document");
        check_error("<a>\n  <b", "line 2, column 3: syntax error");
        check_error("<a>\n<b>\u{e9}\u{e9}</b>\n", "line 3, column 1: the file ends within <a>");
        check_error("<a id=1/>", "line 1, column 10: ");
        check_error("<!DOCTYPE a [<!ENTITY b 'bbb'>]>\n<a>&b;</a>", "line 1, column 33: the file declares entities");
        check_error(&"<a>".repeat(65), "line 1, column 196: elements are nested more than 64 deep");
        check_error(&format!("<a{}/>", " b='1'".repeat(65)), "line 1, column 395: an element has more than 64");
    }
}
