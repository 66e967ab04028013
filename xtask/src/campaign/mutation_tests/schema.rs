//! A mutant schema of a source file: the file with all its mutants at once, each switched on by its number while the
//! program runs (Untch, Offutt and Harrold, 1993).
//!
//! ```text
//!   a + b      ──▶  (match (a, b) { (l, r) => if mutant(7) { l - r } else if mutant(8) { l * r } else { l + r } })
//!   a && b     ──▶  ({ let l: bool = a; if l != mutant(9) { b } else { l } })
//!   !a         ──▶  (match a { l => if mutant(10) { l } else { !l } })
//!   { body }   ──▶  { if mutant(11) { return 0; } body }
//!   pat => e   ──▶  pat if !mutant(12) => e
//! ```
//!
//! Operands are written once, so that the text grows linearly with the depth of an expression. The number is known at
//! run time only, so functions lose `const`.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use proc_macro2::Span;
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

use super::mutant::{LineColumn, Mutant};

/// The function that tells whether a mutant is switched on.
pub(super) const SWITCH: &str = "soko_mutant";

/// The number of a mutant.
pub(super) type MutantNumber = usize;

/// A mutant with what takes the place of the original.
type Replacement = (MutantNumber, String);

/// An expression that is written in another way.
#[derive(Debug)]
enum Site {
    Binary {
        left: Range<usize>,
        op: String,
        right: Range<usize>,
        mutants: Vec<Replacement>,
    },
    /// `+=` and the like.
    Assignment {
        left: Range<usize>,
        op: String,
        right: Range<usize>,
        mutants: Vec<Replacement>,
    },
    Unary {
        op: String,
        operand: Range<usize>,
        mutant: MutantNumber,
    },
    /// The body of a function, with values that are returned in its place.
    Body(Vec<Replacement>),
    /// The pattern of an arm that is left out.
    Arm(MutantNumber),
    /// The guard of an arm.
    Guard(Vec<Replacement>),
    /// The keyword of a function.
    Const,
}

impl Site {
    /// The numbers of its mutants.
    fn numbers(&self) -> Vec<MutantNumber> {
        match self {
            Self::Binary { mutants, .. }
            | Self::Assignment { mutants, .. }
            | Self::Body(mutants)
            | Self::Guard(mutants) => mutants.iter().map(|&(number, _)| number).collect(),
            Self::Unary { mutant, .. } | Self::Arm(mutant) => vec![*mutant],
            Self::Const => Vec::new(),
        }
    }
}

/// The order of sites: by first byte, the longer ones first, and bodies and guards before an expression that is all of
/// them.
type SiteKey = (usize, usize, bool);

/// The sites of a file.
#[derive(Debug, Default)]
pub(super) struct Schema {
    sites: BTreeMap<SiteKey, (Range<usize>, Site)>,
    /// Mutants that have a site.
    placed: BTreeSet<MutantNumber>,
}

impl Schema {
    /// Finds the sites of these mutants in a file. The functions of `kept_const` keep their keyword, and have no mutants.
    ///
    /// # Errors
    /// The file is not Rust.
    pub(super) fn of(
        text: &str,
        mutants: &[(MutantNumber, &Mutant)],
        kept_const: &BTreeSet<String>,
    ) -> syn::Result<Self> {
        let file = syn::parse_file(text)?;
        let mut by_place: BTreeMap<LineColumn, Vec<(MutantNumber, &Mutant)>> = BTreeMap::new();
        for &(number, mutant) in mutants {
            by_place.entry(mutant.start).or_default().push((number, mutant));
        }
        let mut finder = SiteFinder { mutants: by_place, kept_const, schema: Self::default() };
        finder.visit_file(&file);
        Ok(finder.schema)
    }

    /// Returns the mutants that have a site.
    pub(super) const fn placed(&self) -> &BTreeSet<MutantNumber> {
        &self.placed
    }

    /// Writes the file with all mutants.
    pub(super) fn render(&self, text: &str) -> String {
        self.part(text, 0..text.len(), None)
    }

    fn add(&mut self, span: Range<usize>, site: Site) {
        self.placed.extend(site.numbers());
        let is_within = !matches!(site, Site::Body(_) | Site::Guard(_));
        self.sites.insert((span.start, usize::MAX - span.end, is_within), (span, site));
    }

    /// Writes a part of the file, but for a site that is being written and those around it.
    fn part(&self, text: &str, range: Range<usize>, within: Option<SiteKey>) -> String {
        let (mut out, mut at) = (String::new(), range.start);
        for (&key, (span, site)) in self.sites.range((range.start, 0, false)..(range.end, 0, false)) {
            if span.start < at || span.end > range.end || within.is_some_and(|within| key <= within) {
                continue;
            }
            out += &text[at..span.start];
            out += &self.site(text, key, span, site);
            at = span.end;
        }
        out + &text[at..range.end]
    }

    fn site(&self, text: &str, key: SiteKey, span: &Range<usize>, site: &Site) -> String {
        let part = |range: &Range<usize>| self.part(text, range.clone(), Some(key));
        match site {
            Site::Binary { left, op, right, mutants } => {
                let (left, right) = (part(left), part(right));
                match &**op {
                    "&&" | "||" => {
                        let (is, number) = (if op == "&&" { "!=" } else { "==" }, mutants[0].0);
                        format!(
                            "({{ let l: bool = {left};\nif l {is} crate::{SWITCH}({number}) {{ {right} }} else {{ l }} }})"
                        )
                    }
                    "==" | "!=" | "<" | "<=" | ">" | ">=" => {
                        let chain = chain(mutants, |by| format!("*l {by} *r"));
                        format!("(match (&({left}), &({right})) {{ (l, r) => {chain}{{ *l {op} *r }} }})")
                    }
                    _ => {
                        let chain = chain(mutants, |by| format!("l {by} r"));
                        format!("(match ({left}, {right}) {{ (l, r) => {chain}{{ l {op} r }} }})")
                    }
                }
            }
            Site::Assignment { left, op, right, mutants } => {
                let (left, right) = (part(left), part(right));
                let chain = chain(mutants, |by| format!("{left} {by} {right};"));
                format!("{{ {chain}{{ {left} {op} {right}; }} }}")
            }
            Site::Unary { op, operand, mutant } => {
                format!("(match {} {{ l => if crate::{SWITCH}({mutant}) {{ l }} else {{ {op}l }} }})", part(operand))
            }
            Site::Body(mutants) => {
                let returns =
                    mutants.iter().map(|(number, by)| format!("if crate::{SWITCH}({number}) {{ return {by}; }}\n"));
                returns.collect::<String>() + &part(span)
            }
            Site::Arm(mutant) => format!("{} if !crate::{SWITCH}({mutant})", part(span)),
            Site::Guard(mutants) => format!("({}{{ {} }})", chain(mutants, str::to_owned), part(span)),
            Site::Const => String::new(),
        }
    }
}

/// Writes `if mutant(1) { .. } else if mutant(2) { .. } else `, a mutant on each line.
fn chain(mutants: &[Replacement], write: impl Fn(&str) -> String) -> String {
    mutants.iter().map(|(number, by)| format!("if crate::{SWITCH}({number}) {{ {} }}\nelse ", write(by))).collect()
}

/// Finds the sites.
struct SiteFinder<'a> {
    mutants: BTreeMap<LineColumn, Vec<(MutantNumber, &'a Mutant)>>,
    kept_const: &'a BTreeSet<String>,
    schema: Schema,
}

impl SiteFinder<'_> {
    /// The mutants of this genre that begin where the span does.
    fn at(&self, span: Span, genre: &str) -> Vec<Replacement> {
        let place = (span.start().line, span.start().column + 1);
        let all = self.mutants.get(&place).into_iter().flatten().filter(|(_, mutant)| mutant.genre == genre);
        all.map(|(number, mutant)| (*number, mutant.replacement.clone())).collect()
    }

    /// Visits a function; returns whether its body may have mutants.
    fn function(&mut self, signature: &syn::Signature, block: &syn::Block) -> bool {
        if let Some(keyword) = &signature.constness {
            if self.kept_const.contains(&signature.ident.to_string()) {
                return false;
            }
            self.schema.add(keyword.span().byte_range(), Site::Const);
        }
        if let [first, .., last] | [first @ last] = &*block.stmts {
            let mutants = self.at(first.span(), "FnValue");
            if !mutants.is_empty() {
                let span = first.span().byte_range().start..last.span().byte_range().end;
                self.schema.add(span, Site::Body(mutants));
            }
        }
        true
    }
}

/// Whether the operands of an operator have a `let`, around which there can be no block.
fn has_let(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for SiteFinder<'_> {
    // What is computed when the program is built has no mutants.
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if self.function(&item.sig, &item.block) {
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if self.function(&item.sig, &item.block) {
            visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if item.default.as_ref().is_none_or(|block| self.function(&item.sig, block)) {
            visit::visit_trait_item_fn(self, item);
        }
    }

    fn visit_expr_binary(&mut self, expr: &'ast syn::ExprBinary) {
        let mut mutants = self.at(expr.op.span(), "BinaryOperator");
        let op = expr.op.span().source_text().unwrap_or_default();
        let [left, right] = [&expr.left, &expr.right].map(|operand| operand.span().byte_range());
        if !mutants.is_empty() && !has_let(&expr.left) && !has_let(&expr.right) {
            let is_assignment = op.ends_with('=') && !["==", "!=", "<=", ">="].contains(&&*op);
            if ["&&", "||"].contains(&&*op) {
                mutants.truncate(1);
            }
            let site = match is_assignment {
                true => Site::Assignment { left, op, right, mutants },
                false => Site::Binary { left, op, right, mutants },
            };
            self.schema.add(expr.span().byte_range(), site);
        }
        visit::visit_expr_binary(self, expr);
    }

    fn visit_expr_unary(&mut self, expr: &'ast syn::ExprUnary) {
        if let [(mutant, _)] = *self.at(expr.op.span(), "UnaryOperator") {
            let op = expr.op.span().source_text().unwrap_or_default();
            let site = Site::Unary { op, operand: expr.expr.span().byte_range(), mutant };
            self.schema.add(expr.span().byte_range(), site);
        }
        visit::visit_expr_unary(self, expr);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        let left_out = self.at(arm.span(), "MatchArm");
        if let ([(mutant, _)], None) = (&*left_out, &arm.guard) {
            self.schema.add(arm.pat.span().byte_range(), Site::Arm(*mutant));
        }
        if let Some((_, guard)) = &arm.guard {
            let mutants = self.at(guard.span(), "MatchArmGuard");
            if !mutants.is_empty() && !has_let(guard) {
                self.schema.add(guard.span().byte_range(), Site::Guard(mutants));
            }
        }
        visit::visit_arm(self, arm);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A mutant at the first place of a text in a file.
    fn mutant(text: &str, at: &str, genre: &str, replacement: &str) -> Mutant {
        let byte = text.find(at).unwrap();
        let line = text[..byte].matches('\n').count() + 1;
        let column = byte - text[..byte].rfind('\n').map_or(0, |end| end + 1) + 1;
        let [name, file] = [String::new(), String::new()];
        Mutant { name, file, genre: genre.into(), start: (line, column), replacement: replacement.into() }
    }

    fn rendered(text: &str, mutants: &[Mutant], kept_const: &[&str]) -> (String, usize) {
        let numbered: Vec<_> = mutants.iter().enumerate().collect();
        let kept_const = kept_const.iter().map(ToString::to_string).collect();
        let schema = Schema::of(text, &numbered, &kept_const).unwrap();
        let rendered = schema.render(text);
        syn::parse_file(&rendered).unwrap();
        (rendered.split_whitespace().collect::<Vec<_>>().join(" "), schema.placed().len())
    }

    #[test]
    fn nested_operators_and_the_body_are_written_once() {
        let text = "const fn f(a: u8, b: u8) -> u8 { a + b * 2 }";
        let mutants = [
            mutant(text, "a + b", "FnValue", "0"),
            mutant(text, "+ b", "BinaryOperator", "-"),
            mutant(text, "* 2", "BinaryOperator", "/"),
        ];
        let expected = "fn f(a: u8, b: u8) -> u8 { if crate::soko_mutant(0) { return 0; } \
            (match (a, (match (b, 2) { (l, r) => if crate::soko_mutant(2) { l / r } else { l * r } })) \
            { (l, r) => if crate::soko_mutant(1) { l - r } else { l + r } }) }";
        assert_eq!(rendered(text, &mutants, &[]), (expected.to_owned(), 3));
        assert_eq!(rendered(text, &mutants, &["f"]), (text.to_owned(), 0), "it is called when the program is built");
    }

    #[test]
    fn conditions_keep_their_order_and_let_chains_are_left_alone() {
        let text =
            "fn f(a: bool, b: Option<bool>) -> bool { if a && b == None { return !a; } if let Some(c) = b && c {} a }";
        let mutants = [
            mutant(text, "&& b ==", "BinaryOperator", "||"),
            mutant(text, "== None", "BinaryOperator", "!="),
            mutant(text, "!a", "UnaryOperator", ""),
            mutant(text, "&& c", "BinaryOperator", "||"),
        ];
        let (rendered, n_placed) = rendered(text, &mutants, &[]);
        assert_eq!(n_placed, 3, "{rendered}");
        let condition = "if ({ let l: bool = a; if l != crate::soko_mutant(0) { (match (&(b), &(None)) { (l, r) => \
            if crate::soko_mutant(1) { *l != *r } else { *l == *r } }) } else { l } })";
        assert!(rendered.contains(condition), "{rendered}");
        assert!(
            rendered.contains("return (match a { l => if crate::soko_mutant(2) { l } else { !l } })"),
            "{rendered}"
        );
    }

    #[test]
    fn assignments_arms_and_guards_have_mutants_and_constants_have_none() {
        let text = "const N: u8 = 1 + 1;\nfn f(a: &mut u8) { match *a { 0 => {} 7 if N == 2 => *a += 1, _ => {} } }";
        let mutants = [
            mutant(text, "+ 1;", "BinaryOperator", "-"),
            mutant(text, "0 =>", "MatchArm", ""),
            mutant(text, "N == 2", "MatchArmGuard", "true"),
            mutant(text, "+= 1", "BinaryOperator", "-="),
        ];
        let (rendered, n_placed) = rendered(text, &mutants, &[]);
        assert_eq!(n_placed, 3, "{rendered}");
        for part in [
            "1 + 1",
            "0 if !crate::soko_mutant(1) => {}",
            "7 if (if crate::soko_mutant(2) { true } else { N == 2 }) =>",
            "{ if crate::soko_mutant(3) { *a -= 1; } else { *a += 1; } }",
        ] {
            assert!(rendered.contains(part), "{rendered}");
        }
    }
}
