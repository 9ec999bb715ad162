//! One page with all reports, that needs nothing else.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use kosumi_record::write_atomically;

use super::ExperimentError;
use super::report::Report;
use crate::plot::escape;

/// Writes `index.html` for all that a folder of results has: the reports, and links to its other
/// pages of Markdown. Its path comes back.
///
/// # Errors
/// A file cannot be read or written.
pub fn write_index(folder: &Path) -> Result<PathBuf, ExperimentError> {
    let reports = Report::read_all(folder)?;
    let io = |path: &Path| {
        let path = path.to_owned();
        move |source| ExperimentError::Io { path, source }
    };
    let mut others = BTreeMap::new();
    for entry in std::fs::read_dir(folder).map_err(io(folder))? {
        let path = entry.map_err(io(folder))?.path();
        let is_report = reports.iter().any(|r| path.file_stem().is_some_and(|s| *s == *r.about.id));
        if path.extension().is_some_and(|ending| ending == "md") && !is_report {
            let text = std::fs::read_to_string(&path).map_err(io(&path))?;
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let heading = text.lines().find_map(|line| line.strip_prefix("# "));
            let title = heading.map_or_else(|| name.clone(), str::to_owned);
            others.insert(name, title);
        }
    }
    let index = folder.join("index.html");
    write_atomically(&index, index_page(&reports, &others).as_bytes())
        .map_err(|error| io(&index)(error.source))?;
    Ok(index)
}

/// An HTML page of reports: plots, ours beside the papers' figures, and where they come from. `others`
/// are further pages beside it, titles by file name.
fn index_page(reports: &[Report], others: &BTreeMap<String, String>) -> String {
    let mut body = String::new();
    for report in reports {
        card(&mut body, report);
    }
    if reports.is_empty() {
        body.push_str("<p>No results yet: <code>kosumi experiment run</code> makes some.</p>\n");
    }
    let games: u32 = reports.iter().map(Report::games).sum();
    let links: String = reports
        .iter()
        .map(|r| format!("<a href=\"#{}\">{}</a>\n", escape(&r.about.id), escape(&r.about.id)))
        .collect();
    let others = other_pages(others);
    let style = STYLE;
    let count = match reports.len() {
        1 => "1 experiment".to_owned(),
        count => format!("{count} experiments"),
    };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Kosumi: experiments</title>\n<style>{style}</style>\n</head>\n<body>\n\
         <header>\n<h1>Kosumi: experiments</h1>\n\
         <p>What the papers measured, measured again: {count}, {games} games. Each is \
         one file and one command; full lines are ours with 95 % intervals, dashed lines and hollow \
         marks the papers'.</p>\n\
         <nav>{links}</nav>\n{others}</header>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )
}

/// A line of links.
fn other_pages(pages: &BTreeMap<String, String>) -> String {
    if pages.is_empty() {
        return String::new();
    }
    let link = |(file, title): (&String, &String)| {
        format!("<a href=\"{}\">{}</a>", escape(file), escape(title))
    };
    let links: Vec<String> = pages.iter().map(link).collect();
    format!("<p>More results: {}.</p>\n", links.join(", "))
}

fn card(page: &mut String, report: &Report) {
    let id = escape(&report.about.id);
    let parts: String =
        report.about.parts.iter().map(|part| format!("<span>{}</span>", escape(part))).collect();
    // Writing to a string cannot fail.
    let _ = write!(
        page,
        "<article id=\"{id}\">\n<h2>{parts} {}</h2>\n<p>{}</p>\n\
         <p class=\"pale\">{}. Paper: {}.</p>\n\
         <a class=\"plot\" href=\"{id}.svg\">{}</a>\n",
        escape(&report.about.title),
        escape(&report.about.text),
        escape(&report.setting),
        escape(&report.about.paper),
        report.to_svg()
    );
    if let Some(shape) = report.shape_svg() {
        let _ = writeln!(page, "<a class=\"plot\" href=\"{id}-shape.svg\">{shape}</a>");
    }
    table(page, report);
    for run in &report.runs {
        let _ = writeln!(
            page,
            "<p class=\"pale\">{}, Kosumi {}, {} cores, {}<br><code>{}</code></p>",
            escape(&run.date),
            escape(&run.version),
            run.machine.cores,
            escape(&run.machine.cpu),
            escape(&run.command)
        );
    }
    let _ = write!(
        page,
        "<p class=\"pale\">Files: <a href=\"{id}.md\">report</a>, <a href=\"{id}.json\">data</a>, \
         <a href=\"{id}.svg\">plot</a></p>\n</article>\n"
    );
}

fn table(page: &mut String, report: &Report) {
    let summary = match report.games() {
        0 => "In numbers".to_owned(),
        games => format!("{games} games in numbers"),
    };
    let _ = write!(page, "<details><summary>{summary}</summary>\n<div><table>\n");
    for (number, row) in report.table().iter().enumerate() {
        let cell = if number == 0 { "th" } else { "td" };
        let cells: String =
            row.iter().map(|text| format!("<{cell}>{}</{cell}>", escape(text))).collect();
        let _ = writeln!(page, "<tr>{cells}</tr>");
    }
    page.push_str("</table></div></details>\n");
}

const STYLE: &str = "
:root { color-scheme: light dark; --page: #f6f8fa; --card: #ffffff; --ink: #1f2328;
  --pale: #59636e; --line: #d1d9e0; --mark: #0072b2; }
@media (prefers-color-scheme: dark) { :root { --page: #0d1117; --card: #151b23; --ink: #e6edf3;
  --pale: #9198a1; --line: #3d444d; --mark: #56b4e9; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; }
header, main { max-width: 1680px; margin: 0 auto; padding: 1.5rem clamp(1rem, 3vw, 2.5rem) 0; }
h1 { margin: 0 0 .3rem; font-size: 1.9rem; letter-spacing: -.02em; }
header p { max-width: 46rem; margin: 0 0 .8rem; color: var(--pale); }
nav { display: flex; flex-wrap: wrap; gap: .4rem; margin-bottom: .8rem; }
nav a { padding: .1rem .65rem; border: 1px solid var(--line); border-radius: 1rem;
  background: var(--card); font-size: .85rem; text-decoration: none; }
a { color: var(--mark); }
main { columns: 34rem; column-gap: 1.4rem; padding-bottom: 3rem; }
article { break-inside: avoid; margin-bottom: 1.4rem; padding: 1.2rem 1.4rem; background: var(--card);
  border: 1px solid var(--line); border-radius: 12px; scroll-margin-top: 1rem; }
h2 { margin: 0 0 .5rem; font-size: 1.15rem; line-height: 1.35; }
h2 span { padding: .08rem .5rem; margin-right: .25rem; border-radius: .4rem; background: var(--mark);
  color: var(--card); font-size: .8rem; vertical-align: 1px; }
article p { margin: .4rem 0; font-size: .93rem; }
.pale { color: var(--pale); font-size: .85rem !important; }
.plot { display: block; margin: .9rem 0; }
.plot svg { display: block; width: 100%; height: auto; }
details { margin: .6rem 0; font-size: .88rem; }
summary { cursor: pointer; color: var(--mark); }
details div { overflow-x: auto; }
table { border-collapse: collapse; margin: .6rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .28rem .7rem; border-bottom: 1px solid var(--line); text-align: left;
  white-space: nowrap; }
th { color: var(--pale); font-weight: 600; }
code { font: .82rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  overflow-wrap: anywhere; }
";
