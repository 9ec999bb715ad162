//! A tree as SGF text.

use std::fmt;

use crate::tree::{GameTree, Node};

/// Writes the game on one line (line breaks inside values aside), so that a collection of one game
/// per line is its games with a newline after each. The text is UTF-8; if it is not all ASCII and
/// the root has no `CA`, the root begins with `CA[UTF-8]`.
impl fmt::Display for GameTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        enum Task<'t> {
            Open(Node<'t>),
            Close,
        }
        let mut tasks = vec![Task::Open(self.root())];
        while let Some(task) = tasks.pop() {
            let Task::Open(mut node) = task else {
                f.write_str(")")?;
                continue;
            };
            f.write_str("(")?;
            tasks.push(Task::Close);
            loop {
                f.write_str(";")?;
                if node.id() == Self::ROOT && self.lacks_charset() {
                    f.write_str("CA[UTF-8]")?;
                }
                write_properties(node, f)?;
                let mut children = node.children().peekable();
                let Some(first) = children.next() else { break };
                if children.peek().is_some() {
                    // Tasks are taken from the end, so the main line goes last.
                    let from = tasks.len();
                    tasks.push(Task::Open(first));
                    tasks.extend(children.map(Task::Open));
                    tasks[from..].reverse();
                    break;
                }
                node = first;
            }
        }
        Ok(())
    }
}

fn write_properties(node: Node<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for property in node.properties() {
        f.write_str(property.ident())?;
        for raw in property.raw_values() {
            f.write_str("[")?;
            f.write_str(raw)?;
            f.write_str("]")?;
        }
    }
    Ok(())
}
