//! A page of SVG: the few shapes that plots need, and how wide text is.

use std::fmt::Write;

/// The fonts of the system that shows the picture.
const FONTS: &str = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, \
                     'Noto Sans', 'DejaVu Sans', sans-serif";

/// Text on the page.
pub(super) const INK: &str = "#1f2328";
/// Text and lines that matter less.
pub(super) const PALE_INK: &str = "#59636e";
/// Lines of the grid.
pub(super) const GRID: &str = "#e6e8eb";
/// The frame around the plot.
pub(super) const FRAME: &str = "#afb8c1";

/// Colours that the colour-blind can tell apart too: those of Okabe and Ito, the dark ones first.
pub(super) const PALETTE: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#4d4d4d"];

/// Where a text stands in relation to its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// How text looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Font {
    pub(super) size: f64,
    pub(super) colour: &'static str,
    pub(super) bold: bool,
}

impl Font {
    pub(super) const fn new(size: f64, colour: &'static str) -> Self {
        Self { size, colour, bold: false }
    }

    /// About how wide a text is. The font is the viewer's, so it is a generous guess.
    pub(super) fn width(&self, text: &str) -> f64 {
        let em = |c: char| match c {
            'i' | 'j' | 'l' | 'I' | 'f' | 't' | 'r' | ' ' | '.' | ',' | ':' | ';' | '\'' | '|'
            | '(' | ')' | '[' | ']' => 0.34,
            'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.9,
            c if c.is_ascii_uppercase() => 0.68,
            c if c.is_ascii() => 0.57,
            c if c < '\u{2e80}' => 0.62,
            _ => 1.0,
        };
        text.chars().map(em).sum::<f64>() * self.size * if self.bold { 1.15 } else { 1.0 }
    }

    /// Breaks a text into lines of about that width, at blanks.
    pub(super) fn wrap(&self, text: &str, width: f64) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in text.split_whitespace() {
            match lines.last_mut() {
                Some(line) if self.width(line) + self.width(word) + 0.3 * self.size <= width => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(word.to_owned()),
            }
        }
        lines
    }
}

/// A picture in the making.
pub(super) struct Canvas {
    width: f64,
    height: f64,
    body: String,
}

impl Canvas {
    /// An empty page of that size.
    pub(super) fn new(width: f64, height: f64) -> Self {
        Self { width, height, body: String::new() }
    }

    /// Appends an element as it stands; texts in it must be escaped.
    pub(super) fn raw(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.body, "{element}");
    }

    pub(super) fn text(&mut self, x: f64, y: f64, anchor: Anchor, font: Font, text: &str) {
        self.text_with(x, y, anchor, font, text, "");
    }

    /// A text that reads upwards.
    pub(super) fn upwards(&mut self, x: f64, y: f64, font: Font, text: &str) {
        let turn = format!(r#" transform="rotate(-90 {} {})""#, Px(x), Px(y));
        self.text_with(x, y, Anchor::Middle, font, text, &turn);
    }

    fn text_with(&mut self, x: f64, y: f64, anchor: Anchor, font: Font, text: &str, more: &str) {
        if text.is_empty() {
            return;
        }
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => r#" text-anchor="middle""#,
            Anchor::End => r#" text-anchor="end""#,
        };
        let weight = if font.bold { r#" font-weight="600""# } else { "" };
        let (size, colour, text) = (Px(font.size), font.colour, escape(text));
        self.raw(format_args!(
            r#"<text x="{}" y="{}" font-size="{size}" fill="{colour}"{anchor}{weight}{more}>{text}</text>"#,
            Px(x),
            Px(y)
        ));
    }

    /// A line; `dash` is a pattern such as `5 4`, or empty.
    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), pen: &Pen<'_>) {
        self.raw(format_args!(
            r#"<line x1="{}" y1="{}" x2="{}" y2="{}"{pen}/>"#,
            Px(from.0),
            Px(from.1),
            Px(to.0),
            Px(to.1)
        ));
    }

    /// Points joined by lines.
    pub(super) fn polyline(&mut self, points: &[(f64, f64)], pen: &Pen<'_>) {
        let points = path(points);
        let round = r#" fill="none" stroke-linejoin="round" stroke-linecap="round""#;
        self.raw(format_args!(r#"<polyline points="{points}"{round}{pen}/>"#));
    }

    /// A shaded area without an edge.
    pub(super) fn area(&mut self, points: &[(f64, f64)], colour: &str) {
        let points = path(points);
        self.raw(format_args!(
            r#"<polygon points="{points}" fill="{colour}" fill-opacity="0.18"/>"#
        ));
    }

    /// The whole file. The page is white whatever lies behind it.
    pub(super) fn finish(self, title: &str) -> String {
        let (width, height) = (Px(self.width), Px(self.height));
        let (title, body) = (escape(title), self.body);
        let edge = (Px(self.width - 1.0), Px(self.height - 1.0));
        format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" font-family="{FONTS}">
<title>{title}</title>
<rect x="0.5" y="0.5" width="{}" height="{}" rx="8" fill="#ffffff" stroke="#d1d9e0"/>
{body}</svg>
"##,
            edge.0, edge.1
        )
    }
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pen<'a> {
    pub(super) colour: &'a str,
    pub(super) width: f64,
    /// A pattern such as `6 4`, or empty.
    pub(super) dash: &'a str,
}

impl std::fmt::Display for Pen<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, r#" stroke="{}" stroke-width="{}""#, self.colour, Px(self.width))?;
        if !self.dash.is_empty() {
            write!(f, r#" stroke-dasharray="{}""#, self.dash)?;
        }
        Ok(())
    }
}

fn path(points: &[(f64, f64)]) -> String {
    let pairs: Vec<String> = points.iter().map(|&(x, y)| format!("{},{}", Px(x), Px(y))).collect();
    pairs.join(" ")
}

/// A length with two decimals at most.
pub(super) struct Px(pub(super) f64);

impl std::fmt::Display for Px {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Adding zero makes -0 a 0.
        write!(f, "{}", (self.0 * 100.0).round() / 100.0 + 0.0)
    }
}

/// Text as XML has it; characters that XML cannot have become blanks.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push(' '),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_wrapped() {
        assert_eq!(escape("a<b> & \"c\"\n\u{0}d"), "a&lt;b&gt; &amp; &quot;c&quot;  d");
        let font = Font::new(10.0, INK);
        assert_eq!(font.wrap("one two three", 45.0), ["one two", "three"]);
        assert_eq!(font.wrap("unbreakable", 5.0), ["unbreakable"]);
        assert!(font.wrap("  ", 50.0).is_empty());
        assert!(font.width("WWWW") > font.width("iiii"));
    }
}
