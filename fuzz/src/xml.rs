//! XML from a tree of elements, those of level files among them, with entities, comments and what no such file has.

use libfuzzer_sys::arbitrary::{self, Arbitrary};

use crate::check_file;

/// A piece of XML.
#[derive(Debug, Arbitrary)]
pub enum Node {
    /// An element with attributes and what is in it.
    Element(u8, Vec<(u8, String)>, Vec<Node>),
    /// Rows of a board, as `L` elements.
    Rows(Vec<Vec<u8>>),
    Text(String),
    Entity(u8),
    Raw(u8),
    /// The same element so many times within itself.
    Deep(u8, u8),
}

const NAMES: [&str; 16] = [
    "SokobanLevels",
    "LevelCollection",
    "Level",
    "L",
    "Title",
    "Description",
    "Email",
    "Url",
    "Solution",
    "SolutionList",
    "Author",
    "x",
    "Comment",
    "RunLength",
    "Id",
    "Copyright",
];
const ATTRIBUTES: [&str; 10] =
    ["Id", "Width", "Height", "Copyright", "MaxWidth", "MaxHeight", "xmlns", "Difficulty", "x", "Moves"];
const ENTITIES: [&str; 8] = ["&amp;", "&lt;", "&#65;", "&#x1F600;", "&a;", "&#0;", "&", "&#xFFFFFFFFF;"];
const RAW: [&str; 8] = [
    "<!-- a comment -->",
    "<![CDATA[ ]]>",
    "<?xml version='1.0' encoding='utf-16'?>",
    "</Level>",
    "<Level",
    "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>",
    "]]>",
    "\u{0}",
];

fn write(nodes: &[Node], depth: usize, out: &mut String) {
    for node in nodes.iter().take(40) {
        match node {
            Node::Element(name, attributes, inside) => {
                let name = NAMES[usize::from(*name) % NAMES.len()];
                out.push_str(&format!("<{name}"));
                for (key, value) in attributes.iter().take(80) {
                    let key = ATTRIBUTES[usize::from(*key) % ATTRIBUTES.len()];
                    out.push_str(&format!(" {key}=\"{}\"", value.replace('"', "&quot;")));
                }
                out.push('>');
                if depth < 80 {
                    write(inside, depth + 1, out);
                }
                out.push_str(&format!("</{name}>"));
            }
            Node::Rows(rows) => {
                for row in rows.iter().take(20) {
                    let letters = row.iter().take(30).map(|&cell| char::from(b"# .$*@+"[usize::from(cell) % 7]));
                    out.push_str(&format!("<L>{}</L>\n", letters.collect::<String>()));
                }
            }
            Node::Text(text) => out.push_str(text),
            Node::Entity(which) => out.push_str(ENTITIES[usize::from(*which) % ENTITIES.len()]),
            Node::Raw(which) => out.push_str(RAW[usize::from(*which) % RAW.len()]),
            Node::Deep(name, times) => {
                let name = NAMES[usize::from(*name) % NAMES.len()];
                (0..*times).for_each(|_| out.push_str(&format!("<{name}>")));
                (0..*times).for_each(|_| out.push_str(&format!("</{name}>")));
            }
        }
    }
}

/// Reads such a file, bare or within the elements of a collection.
pub fn check(nodes: &[Node], is_bare: bool) {
    let mut inside = String::new();
    write(nodes, 0, &mut inside);
    let text = if is_bare {
        format!("<?xml version=\"1.0\"?>\n{inside}")
    } else {
        format!("<?xml version=\"1.0\"?>\n<SokobanLevels><LevelCollection>{inside}</LevelCollection></SokobanLevels>")
    };
    check_file(text.as_bytes());
}
