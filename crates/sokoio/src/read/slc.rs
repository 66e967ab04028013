//! `.slc`, the XML of Sokoban for Windows and of most collections on the web.
//!
//! ```text
//!   <SokobanLevels>
//!     <Title>…</Title> <Description>…</Description> <Email>…</Email> <Url>…</Url>
//!     <LevelCollection Copyright="…" MaxWidth="…" MaxHeight="…">
//!       <Level Id="…" Width="…" Height="…" Copyright="…">
//!         <L>  #####</L>                                   white space counts; rows may be shorter than Width
//! ```
//!
//! The format has no place for an author, so collections give theirs as `Copyright`; it is read as both.
//! Source: SokobanLev.xsd of sourcecode.se, as files use it.

use crate::read::sok_text::{LevelText, SokText};
use crate::read::xml::{Attributes, ParseXmlError, Visitor, XmlProblem, read_xml};

/// Writes the levels of an `.slc` file as `.sok` text.
pub(crate) fn slc_to_sok(text: &str) -> Result<String, ParseXmlError> {
    let mut slc = Slc::default();
    read_xml(text, &mut slc)?;
    Ok(slc.text.finish())
}

/// An `.slc` file that is being read.
#[derive(Default)]
struct Slc {
    text: SokText,
    level: LevelText,
}

impl Visitor for Slc {
    fn start(&mut self, path: &[String], attributes: &Attributes) -> Result<(), XmlProblem> {
        let copyright = attributes.get("copyright");
        match path.last().map(String::as_str) {
            Some("levelcollection") => {
                if let (Some(copyright), None) = (copyright, &self.text.author) {
                    self.text.author = Some(copyright.to_owned());
                    self.text.notes.add("Copyright", copyright);
                }
            }
            Some("level") => {
                self.level = LevelText::titled(attributes.get("id").map(str::to_owned));
                if let Some(copyright) = copyright.filter(|own| self.text.author.as_deref() != Some(*own)) {
                    self.level.author = Some(copyright.to_owned());
                    self.level.notes.add("Copyright", copyright);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, path: &[String], text: &str) -> Result<(), XmlProblem> {
        let [outer @ .., name] = path else { return Ok(()) };
        let is_in_level = outer.iter().any(|name| name == "level");
        match name.as_str() {
            "l" => self.level.add_rows(text)?,
            "level" => self.text.add_level(&std::mem::take(&mut self.level))?,
            "title" if !is_in_level => self.text.title = Some(text.to_owned()),
            "description" if is_in_level => self.level.notes.add_text(text),
            "description" => self.text.notes.add_text(text),
            "email" if !is_in_level => self.text.notes.add("Email", text),
            "url" if !is_in_level => self.text.notes.add("Url", text),
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names within a level are not those of the collection; a copyright is told once.
    #[test]
    fn everything_is_written_where_it_belongs() {
        let rows = "<L>#####</L><L>#@$.#</L><L>#####</L>";
        let text = format!(
            "<SokobanLevels><Title>All</Title><Description>One.\nTwo.</Description><Email>a@b</Email><Url>a.b</Url>\
             <L>##</L><LevelCollection Copyright='Me'>\
             <Level Id='A'>{rows}<Title>no</Title><Description>Own.</Description><Email>no</Email><Url>no</Url></Level>\
             <Level Id='B' Copyright='You'>{rows}</Level><Level Id='C' Copyright='Me'>{rows}</Level></LevelCollection>\
             <LevelCollection Copyright='Other'><Level>{rows}</Level></LevelCollection></SokobanLevels>"
        );
        let rows = "#####\n#@$.#\n#####\n";
        let expect = format!(
            "Collection: All\nAuthor: Me\nComment: One.\nComment: Two.\nEmail: a@b\nUrl: a.b\nCopyright: Me\n\n\
             A\n{rows}Comment: Own.\n\nB\n{rows}Author: You\nCopyright: You\n\nC\n{rows}\n{rows}"
        );
        assert_eq!(slc_to_sok(&text).unwrap(), expect);
    }
}
