//! Reads the public items of a crate off its sources, which rustfmt has laid out.
//!
//! An item starts at the left margin with `pub `, a method or a field one step to the right of it. Its signature ends at
//! the `{`, `;` or `,` at the end of a line. Every line of the result starts with the name of the item that it belongs
//! to, so that lines sort and compare by themselves. Items behind a feature are listed like the others.

use std::collections::BTreeSet;

/// Keywords that may stand between `pub` and what an item is.
const QUALIFIERS: [&str; 3] = ["async", "const", "unsafe"];
/// What a public item can be.
const KINDS: [&str; 7] = ["enum", "fn", "static", "struct", "trait", "type", "union"];

/// Returns the public surface of a crate, sorted, of the texts of its files.
pub(super) fn surface<'a>(files: impl Iterator<Item = &'a str>) -> Vec<String> {
    let files: Vec<Vec<&str>> = files.map(product).collect();
    let (mut names, mut private) = (BTreeSet::new(), BTreeSet::new());
    let mut found = BTreeSet::new();
    for file in &files {
        for at in 0..file.len() {
            private.extend(private_type(file[at]));
            if let Some((name, kind)) = item(file[at]) {
                names.insert(name);
                found.extend(of_item(file, at, name, kind));
            }
        }
    }
    for file in &files {
        for at in (0..file.len()).filter(|&at| file[at].starts_with("impl") && !is_for_tests(file, at)) {
            found.extend(of_impl(file, at, &names, &private));
        }
    }
    found.into_iter().collect()
}

/// The lines of a file before its tests, without comments.
fn product(text: &str) -> Vec<&str> {
    let lines = text.lines().take_while(|line| !line.starts_with("mod tests"));
    lines.filter(|line| !line.trim_start().starts_with("//")).collect()
}

/// The name and the kind of the public item that starts on a line.
fn item(line: &str) -> Option<(&str, &str)> {
    let mut words = line.strip_prefix("pub ")?.split(' ').skip_while(|word| QUALIFIERS.contains(word)).peekable();
    let first = *words.peek()?;
    let (kind, rest) = if KINDS.contains(&first) { (first, words.nth(1)?) } else { ("const", first) };
    let is_const = line.strip_prefix("pub const ").is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase()));
    (kind != "const" || is_const).then_some((name_of(rest), kind))
}

/// The type that a line defines and that is not public.
fn private_type(line: &str) -> Option<&str> {
    let is_top = !line.starts_with([' ', '#']) && !line.starts_with("pub ");
    let mut words = line.split(' ').skip_while(|word| word.starts_with("pub("));
    (is_top && ["enum", "struct", "union"].contains(&words.next()?)).then(|| words.next().map(name_of))?
}

/// The part of a text up to what cannot be in a name.
fn name_of(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

/// Whether an item is only for tests.
fn is_for_tests(lines: &[&str], at: usize) -> bool {
    lines[..at].iter().rev().take_while(|line| line.starts_with("#[")).any(|line| line.starts_with("#[cfg(test)]"))
}

/// The signature that starts on a line, on one line, and the number of the line after it.
fn signature(lines: &[&str], at: usize) -> (String, usize) {
    let mut end = at;
    let is_last = |line: &str| line.ends_with(['{', ';']) || line.ends_with("{}");
    while end + 1 < lines.len() && !is_last(lines[end]) {
        end += 1;
    }
    let joined = lines[at..=end].iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
    (tidied(joined.trim_end_matches(['{', '}', ';', ' '])), end + 1)
}

/// A text without the spaces and commas of its layout.
fn tidied(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = text
        .replace("( ", "(")
        .replace(", )", ")")
        .replace(",)", ")")
        .replace(", }", " }")
        .replace("< ", "<")
        .replace(", >", ">");
    text.trim_end_matches(',').to_owned()
}

/// The lines within the braces that open before `start`, and the number of the line that closes them.
fn block<'a>(lines: &[&'a str], start: usize) -> (Vec<&'a str>, usize) {
    let end = (start..lines.len()).find(|&at| lines[at].starts_with('}')).unwrap_or(lines.len());
    (lines[start..end].to_vec(), end)
}

/// The lines of an item: its signature with what is derived, and its fields, variants or members.
fn of_item(lines: &[&str], at: usize, name: &str, kind: &str) -> Vec<String> {
    let attributes = lines[..at].iter().rev().take_while(|line| line.starts_with("#["));
    let told: Vec<_> = attributes
        .filter(|line| ["#[derive", "#[non_exhaustive", "#[must_use"].iter().any(|start| line.starts_with(start)))
        .map(|line| line.split(" = ").next().unwrap_or(line).trim_end_matches(']').to_owned() + "] ")
        .collect();
    let told: String = told.into_iter().rev().collect();
    let (header, next) = signature(lines, at);
    let header = header.strip_prefix("pub ").unwrap_or(&header);
    let has_block = lines.get(next - 1).is_some_and(|line| line.ends_with('{'));
    let inner = if has_block { block(lines, next).0 } else { Vec::new() };
    let mut found = Vec::new();
    let header = match kind {
        "static" | "const" => header.split(" = ").next().unwrap_or(header).to_owned(),
        "struct" => {
            let is_private = |line: &&&str| line.starts_with("    ") && !line[4..].starts_with(['#', '}', ' ']);
            let fields = members(&inner, "    pub ", &[","]);
            let n_private = inner.iter().filter(is_private).filter(|line| !line.starts_with("    pub ")).count();
            found.extend(fields.into_iter().map(|field| format!("{name}.{field}")));
            let more = if n_private > 0 { " with private fields" } else { "" };
            private_parts_hidden(header) + more
        }
        "enum" => {
            found.extend(variants(&inner).into_iter().map(|variant| format!("{name}::{variant}")));
            header.to_owned()
        }
        "trait" => {
            for start in ["    fn ", "    type ", "    const "] {
                let all = members(&inner, start, &["{", ";"]);
                let start = start.trim_start();
                found.extend(all.into_iter().map(|member| format!("{name}::{start}{member}")));
            }
            header.to_owned()
        }
        _ => header.to_owned(),
    };
    found.push(format!("{name}: {told}{header}"));
    found
}

/// The header of a tuple struct without its private parts.
fn private_parts_hidden(header: &str) -> String {
    match header.split_once('(') {
        Some((before, inside)) if !inside.starts_with("pub ") => format!("{before}(_)"),
        _ => header.to_owned(),
    }
}

/// The members of a block that start like this, each up to one of the endings. A trait's member that has a body is
/// provided.
fn members(lines: &[&str], start: &str, ends: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for at in (0..lines.len()).filter(|&at| lines[at].starts_with(start)) {
        let is_last = |line: &str| ends.iter().any(|end| line.ends_with(end)) || line.ends_with("{}");
        let end = (at..lines.len()).find(|&end| is_last(lines[end])).unwrap_or(at);
        let joined = lines[at..=end].iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
        let is_provided = joined.ends_with(['{', '}']);
        let text = tidied(joined.trim_end_matches(['{', '}', ';', ' ']));
        let text = text.strip_prefix(start.trim_start()).unwrap_or(&text).to_owned();
        found.push(if is_provided { text + " (provided)" } else { text });
    }
    found
}

/// The variants of an enum, with their fields.
fn variants(lines: &[&str]) -> Vec<String> {
    let mut is_within_attribute = false;
    let kept = lines.iter().map(|line| line.trim()).filter(|line| {
        let begins = line.starts_with("#[") && line.ends_with(['(', ']']) && !line.starts_with("#[non_exhaustive");
        let is_attribute = is_within_attribute || begins;
        is_within_attribute = is_attribute && !line.ends_with(']');
        !is_attribute
    });
    let joined = kept.collect::<Vec<_>>().join(" ");
    let mut depth = 0;
    let mut all = vec![String::new()];
    for c in joined.chars() {
        match c {
            '(' | '{' | '[' | '<' => depth += 1,
            ')' | '}' | ']' | '>' => depth -= 1,
            _ => {}
        }
        match all.last_mut() {
            Some(last) if c != ',' || depth > 0 => last.push(c),
            _ => all.push(String::new()),
        }
    }
    all.iter().map(|variant| tidied(&without_attributes(variant))).filter(|variant| !variant.is_empty()).collect()
}

/// A variant without the attributes of its fields.
fn without_attributes(variant: &str) -> String {
    let mut rest = variant.trim();
    let mut kept = String::new();
    while let Some((before, after)) = rest.split_once("#[from] ") {
        kept += before;
        rest = after;
    }
    kept + rest
}

/// The public methods of an inherent impl, or the line of a trait's impl.
fn of_impl(lines: &[&str], at: usize, names: &BTreeSet<&str>, private: &BTreeSet<&str>) -> Vec<String> {
    let (header, next) = signature(lines, at);
    let generics_end = if header.starts_with("impl<") { closing(&header[4..]) + 4 } else { 4 };
    let what = header[generics_end..].trim();
    if let Some((implemented, target)) = what.split_once(" for ") {
        let target_name = name_of(target.trim_start_matches('&'));
        let is_foreign = !private.contains(target_name);
        let is_ours = names.contains(target_name) || (is_foreign && names.contains(name_of(implemented)));
        let inner = if lines[next - 1].ends_with('{') { block(lines, next).0 } else { Vec::new() };
        let types = members(&inner, "    type ", &[";"]).into_iter();
        let owner = if names.contains(target_name) { target_name } else { name_of(implemented) };
        let line = |more: &str| format!("{owner}: {header}{more}");
        let all = std::iter::once(line("")).chain(types.map(|assigned| line(&format!(", type {assigned}"))));
        return if is_ours { all.collect() } else { Vec::new() };
    }
    let name = name_of(what);
    if !names.contains(name) || !lines[next - 1].ends_with('{') {
        return Vec::new();
    }
    let (inner, _) = block(lines, next);
    let methods = members(&inner, "    pub ", &["{", ";"]);
    let told = |method: String| {
        let method = method.trim_end_matches(" (provided)");
        let is_const = method.starts_with("const ") && !method.starts_with("const fn ");
        let method = if is_const { method.split(" = ").next().unwrap_or(method) } else { method };
        format!("{name}::{method}")
    };
    methods.into_iter().map(told).collect()
}

/// The place after the bracket that closes the first one.
fn closing(text: &str) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if !text[..at].ends_with('-') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &[&str]) {
        let found = surface(std::iter::once(text));
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn structs_show_their_public_fields_and_that_there_are_others() {
        let text = "/// Doc.\n#[derive(Clone, Debug)]\n#[non_exhaustive]\npub struct A {\n    /// Doc.\n    pub b: u8,\n    c: u8,\n}\n";
        check(text, &["A.b: u8", "A: #[derive(Clone, Debug)] #[non_exhaustive] struct A with private fields"]);
        check("pub struct B(Arc<u8>);\n", &["B: struct B(_)"]);
        check("pub struct C(pub u8);\n", &["C: struct C(pub u8)"]);
        check("pub(crate) struct D;\nstruct E;\n", &[]);
    }

    #[test]
    fn enums_show_their_variants() {
        let text = "pub enum A<'a> {\n    /// Doc.\n    #[default]\n    B,\n    #[error(\n        \"no\"\n    )]\n    C {\n        /// Doc.\n        d: &'a str,\n    },\n    E(\n        #[from] F<G, H>,\n    ),\n}\n";
        check(text, &["A: enum A<'a>", "A::B", "A::C { d: &'a str }", "A::E(F<G, H>)"]);
    }

    #[test]
    fn methods_belong_to_their_type() {
        let text = "pub struct A;\nimpl<T: Fn() -> u8> A {\n    pub const B: u8 = 1;\n    pub fn c(\n        self,\n        d: u8,\n    ) -> u8 {\n        1\n    }\n    fn e() {}\n    pub(crate) fn f() {}\n}\n#[cfg(test)]\nimpl A {\n    pub fn g() {}\n}\nmod tests {\nimpl A {\n    pub fn h() {}\n}\n";
        check(text, &["A: struct A", "A::const B: u8", "A::fn c(self, d: u8) -> u8"]);
    }

    #[test]
    fn impls_of_traits_are_told() {
        let text =
            "pub struct A;\nimpl FromStr for A {\n    type Err = B;\n\n    fn from_str() {}\n}\nimpl C for D {}\n";
        check(text, &["A: impl FromStr for A", "A: impl FromStr for A, type Err = B", "A: struct A"]);
    }

    #[test]
    fn traits_show_what_is_provided() {
        let text = "pub trait A: Send {\n    type B;\n    fn c(&self);\n    fn d(&self) -> u8 {\n        1\n    }\n}\nimpl A for () {\n    fn c(&self) {}\n}\nstruct P<T>(T);\nimpl<T> A for P<T> {}\n";
        let expect =
            ["A: impl A for ()", "A: trait A: Send", "A::fn c(&self)", "A::fn d(&self) -> u8 (provided)", "A::type B"];
        check(text, &expect);
    }

    #[test]
    fn functions_and_constants_are_items() {
        let text = "pub const A: &[u8] = &[\n    1,\n];\npub fn b<T>(t: T) -> T\nwhere\n    T: Copy,\n{\n    t\n}\npub type C = u8;\n";
        check(text, &["A: const A: &[u8]", "C: type C = u8", "b: fn b<T>(t: T) -> T where T: Copy"]);
    }
}
