//! A game tree in an arena: nodes, properties and values are indices into four flat vectors.
//!
//! A game of 300 moves costs a handful of allocations instead of a thousand, and dropping or
//! walking a line of a million nodes needs no recursion.

use std::{borrow::Cow, fmt, ops::Range};

use crate::{
    error::{Place, Problem, SgfError, excerpt},
    parse, text,
};

/// The number of a node in its [`GameTree`]; the root is [`GameTree::ROOT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

const NONE: u32 = u32::MAX;

/// A piece of one of the arena's vectors.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    start: u32,
    end: u32,
}

impl Span {
    fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

#[derive(Clone, Copy, Debug)]
struct PropertyData {
    /// In `text`.
    ident: Span,
    /// In `values`.
    values: Span,
}

#[derive(Clone, Debug)]
struct NodeData {
    /// In `properties`.
    properties: Span,
    parent: u32,
    first_child: u32,
    last_child: u32,
    next_sibling: u32,
    place: Option<Place>,
}

/// One game of an SGF file: a tree of nodes whose properties are kept verbatim and in order, known
/// or not.
///
/// All text is UTF-8 in memory and in what is written, so the root's `CA`, if there is one, always
/// says so. Two trees are equal if they hold the same properties in the same shape, wherever they
/// were read from.
#[derive(Clone)]
pub struct GameTree {
    text: String,
    /// Raw values, in `text`.
    values: Vec<Span>,
    properties: Vec<PropertyData>,
    nodes: Vec<NodeData>,
}

impl GameTree {
    /// The root of every tree.
    pub const ROOT: NodeId = NodeId(0);

    /// The most nodes that a tree holds: more are refused when reading.
    pub const MAX_NODES: usize = 10_000_000;

    /// A tree of one empty node.
    #[must_use]
    pub fn new() -> Self {
        let mut tree = Self::empty();
        tree.push_node(NONE, None);
        tree
    }

    /// Reads the first game of `bytes`; whatever follows it is not looked at. For all games of a
    /// file use [`crate::Reader`].
    ///
    /// # Errors
    /// There is no game, or the first one is broken.
    pub fn parse(bytes: &[u8]) -> Result<Self, SgfError> {
        parse::first_game(bytes)
    }

    /// Before the parser adds the root.
    pub(crate) fn empty() -> Self {
        Self { text: String::new(), values: Vec::new(), properties: Vec::new(), nodes: Vec::new() }
    }

    /// How many nodes there are, at least one.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The root.
    #[must_use]
    pub fn root(&self) -> Node<'_> {
        self.node(Self::ROOT)
    }

    /// The node with that number.
    ///
    /// # Panics
    /// If `id` is another tree's and beyond this one's nodes.
    #[must_use]
    pub fn node(&self, id: NodeId) -> Node<'_> {
        assert!(
            (id.0 as usize) < self.nodes.len(),
            "node {} of a tree of {} nodes",
            id.0,
            self.nodes.len()
        );
        Node { tree: self, id }
    }

    /// The main line: the root, its first child, that one's first child, and so on.
    pub fn main_line(&self) -> impl Iterator<Item = Node<'_>> {
        std::iter::successors(Some(self.root()), |node| node.children().next())
    }

    /// Appends a child to `parent`: the next node of the line if it is the first, else a variation.
    ///
    /// # Panics
    /// If `parent` is not a node of this tree, or at `u32::MAX - 1` nodes.
    pub fn add_child(&mut self, parent: NodeId) -> NodeId {
        let parent = self.node(parent).id;
        self.push_node(parent.0, None)
    }

    /// Sets a property of a node to one or more values, given as plain text (escaped here); no
    /// values set one empty value. A property that the node has keeps its place among the others.
    ///
    /// # Errors
    /// `ident` is not of upper-case letters and digits, a letter first.
    ///
    /// # Panics
    /// If `node` is not a node of this tree, or beyond 4 GiB of text.
    pub fn set<S: AsRef<str>>(
        &mut self,
        node: NodeId,
        ident: &str,
        values: &[S],
    ) -> Result<(), SgfError> {
        let bytes = ident.as_bytes();
        let valid = bytes.first().is_some_and(u8::is_ascii_uppercase)
            && bytes.iter().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
        if !valid {
            return Err(SgfError::new(
                self.node(node).place(),
                Problem::BadIdent { ident: excerpt(ident) },
            ));
        }
        let start = index(self.values.len());
        for value in values {
            self.push_value(&text::escape(value.as_ref()));
        }
        if values.is_empty() {
            self.push_value("");
        }
        let values = Span { start, end: index(self.values.len()) };
        self.put(node, ident, values);
        Ok(())
    }

    /// Takes a property from a node, if it is there (even twice).
    ///
    /// # Panics
    /// If `node` is not a node of this tree.
    pub fn remove(&mut self, node: NodeId, ident: &str) {
        self.remove_from(node, ident, 0);
    }

    fn remove_from(&mut self, node: NodeId, ident: &str, first: usize) {
        let span = self.node(node).data().properties;
        let mut kept = span.start + first as u32;
        for i in span.range().skip(first) {
            if self.text[self.properties[i].ident.range()] != *ident {
                self.properties[kept as usize] = self.properties[i];
                kept += 1;
            }
        }
        self.nodes[node.0 as usize].properties.end = kept;
    }

    fn put(&mut self, node: NodeId, ident: &str, values: Span) {
        let span = self.node(node).data().properties;
        let known =
            span.range().position(|i| self.text[self.properties[i].ident.range()] == *ident);
        if let Some(at) = known {
            self.properties[span.range().start + at].values = values;
            self.remove_from(node, ident, at + 1);
            return;
        }
        self.push_property(node, ident);
        let last = self.properties.len() - 1;
        self.properties[last].values = values;
    }

    /// Appends a node to `parent`, for the parser also the root.
    pub(crate) fn push_node(&mut self, parent: u32, place: Option<Place>) -> NodeId {
        let id = index(self.nodes.len());
        let at = index(self.properties.len());
        self.nodes.push(NodeData {
            properties: Span { start: at, end: at },
            parent,
            first_child: NONE,
            last_child: NONE,
            next_sibling: NONE,
            place,
        });
        if parent != NONE {
            let elder = self.nodes[parent as usize].last_child;
            if elder == NONE {
                self.nodes[parent as usize].first_child = id;
            } else {
                self.nodes[elder as usize].next_sibling = id;
            }
            self.nodes[parent as usize].last_child = id;
        }
        NodeId(id)
    }

    /// The parser's: a child of `parent`, or the root.
    pub(crate) fn push_parsed(&mut self, parent: Option<NodeId>, place: Place) -> NodeId {
        self.push_node(parent.map_or(NONE, |id| id.0), Some(place))
    }

    /// Appends a property without values to `node`. A node's properties lie side by side, so those
    /// of a node that is not the last move to the end.
    pub(crate) fn push_property(&mut self, node: NodeId, ident: &str) {
        let span = self.nodes[node.0 as usize].properties;
        if span.range().end != self.properties.len() {
            let start = index(self.properties.len());
            self.properties.extend_from_within(span.range());
            self.nodes[node.0 as usize].properties.start = start;
        }
        let ident = self.push_text(ident);
        let at = index(self.values.len());
        self.properties.push(PropertyData { ident, values: Span { start: at, end: at } });
        self.nodes[node.0 as usize].properties.end = index(self.properties.len());
    }

    /// Appends a raw value to the property pushed last.
    pub(crate) fn push_parsed_value(&mut self, raw: &str) {
        self.push_value(raw);
        if let Some(property) = self.properties.last_mut() {
            property.values.end += 1;
        }
    }

    fn push_value(&mut self, raw: &str) {
        let span = self.push_text(raw);
        self.values.push(span);
    }

    fn push_text(&mut self, text: &str) -> Span {
        let start = index(self.text.len());
        self.text.push_str(text);
        Span { start, end: index(self.text.len()) }
    }

    /// Text in memory is UTF-8: the root's `CA` must not say otherwise.
    pub(crate) fn declare_utf8(&mut self) {
        let declared = self.root().get("CA").map(|ca| ca.raw() == "UTF-8");
        if declared == Some(false) || declared.is_none() && self.lacks_charset() {
            let start = index(self.values.len());
            self.push_value("UTF-8");
            let end = start + 1;
            self.put(Self::ROOT, "CA", Span { start, end });
        }
    }

    /// Whether the tree has text beyond ASCII and no `CA` to say how it is written.
    pub(crate) fn lacks_charset(&self) -> bool {
        !self.text.is_ascii() && self.root().get("CA").is_none()
    }
}

/// Sizes are checked where text comes in: the parser refuses long before 2^32.
fn index(len: usize) -> u32 {
    u32::try_from(len).ok().filter(|&i| i != NONE).expect(
        "a tree made in memory stays below 4 GiB of text and u32::MAX nodes, properties and values",
    )
}

impl Default for GameTree {
    fn default() -> Self {
        Self::new()
    }
}

impl PartialEq for GameTree {
    fn eq(&self, other: &Self) -> bool {
        let mut open = vec![(self.root(), other.root())];
        while let Some((a, b)) = open.pop() {
            let same = a.properties().len() == b.properties().len()
                && a.properties()
                    .zip(b.properties())
                    .all(|(p, q)| p.ident() == q.ident() && p.raw_values().eq(q.raw_values()));
            if !same || a.children().count() != b.children().count() {
                return false;
            }
            open.extend(a.children().zip(b.children()));
        }
        true
    }
}

impl Eq for GameTree {}

impl fmt::Debug for GameTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GameTree({self})")
    }
}

/// A node of a [`GameTree`], to look at.
#[derive(Clone, Copy)]
pub struct Node<'t> {
    tree: &'t GameTree,
    id: NodeId,
}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Node({}", self.id.0)?;
        for property in self.properties() {
            write!(f, " {property:?}")?;
        }
        write!(f, ")")
    }
}

impl<'t> Node<'t> {
    fn data(self) -> &'t NodeData {
        &self.tree.nodes[self.id.0 as usize]
    }

    fn at(self, id: u32) -> Option<Node<'t>> {
        (id != NONE).then_some(Node { tree: self.tree, id: NodeId(id) })
    }

    /// Its number in the tree.
    #[must_use]
    pub fn id(self) -> NodeId {
        self.id
    }

    /// Where it was read, or its number.
    #[must_use]
    pub fn place(self) -> Place {
        self.data().place.unwrap_or(Place::Node(self.id.0 as usize))
    }

    /// The node before it; the root has none.
    #[must_use]
    pub fn parent(self) -> Option<Node<'t>> {
        self.at(self.data().parent)
    }

    /// The nodes after it: the main line first, then the variations.
    pub fn children(self) -> impl Iterator<Item = Node<'t>> {
        std::iter::successors(self.at(self.data().first_child), |node| {
            node.at(node.data().next_sibling)
        })
    }

    /// Its properties in the order of the file.
    pub fn properties(self) -> impl ExactSizeIterator<Item = Property<'t>> {
        let tree = self.tree;
        tree.properties[self.data().properties.range()]
            .iter()
            .map(move |data| Property { tree, data: *data })
    }

    /// The property of that name; the first, if the file repeats it.
    #[must_use]
    pub fn get(self, ident: &str) -> Option<Property<'t>> {
        self.properties().find(|p| p.ident() == ident)
    }
}

/// A property of a node: a name and one or more values.
#[derive(Clone, Copy)]
pub struct Property<'t> {
    tree: &'t GameTree,
    data: PropertyData,
}

impl fmt::Debug for Property<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.ident())?;
        self.raw_values().try_for_each(|raw| write!(f, "[{raw}]"))
    }
}

impl<'t> Property<'t> {
    /// Its name, of upper-case letters (lower-case ones, as in `FF[3]`'s `Black`, are dropped when
    /// reading).
    #[must_use]
    pub fn ident(self) -> &'t str {
        &self.tree.text[self.data.ident.range()]
    }

    /// All values as they stand between the brackets, escapes included.
    pub fn raw_values(self) -> impl ExactSizeIterator<Item = &'t str> {
        let tree = self.tree;
        tree.values[self.data.values.range()].iter().map(move |span| &tree.text[span.range()])
    }

    /// The first value as it stands between the brackets.
    #[must_use]
    pub fn raw(self) -> &'t str {
        self.raw_values().next().unwrap_or_default()
    }

    /// The first value as `FF[4]` `Text`: escapes resolved, line breaks kept.
    #[must_use]
    pub fn text(self) -> Cow<'t, str> {
        text::unescape(self.raw(), true)
    }

    /// The first value as `FF[4]` `SimpleText`: escapes resolved, line breaks turned into spaces.
    #[must_use]
    pub fn simple_text(self) -> Cow<'t, str> {
        text::unescape(self.raw(), false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(tree: &GameTree) -> String {
        format!("{:?}", tree.root())
    }

    #[test]
    fn set_replaces_in_place_and_appends() {
        let mut tree = GameTree::new();
        tree.set(GameTree::ROOT, "GM", &["1"]).unwrap();
        tree.set(GameTree::ROOT, "C", &["a"]).unwrap();
        let child = tree.add_child(GameTree::ROOT);
        tree.set(child, "B", &["aa"]).unwrap();
        // The root is no longer the last node, so its properties move.
        tree.set(GameTree::ROOT, "PB", &["]"]).unwrap();
        tree.set(GameTree::ROOT, "GM", &["11"]).unwrap();
        assert_eq!(shown(&tree), r"Node(0 GM[11] C[a] PB[\]])");
        tree.remove(GameTree::ROOT, "C");
        tree.remove(GameTree::ROOT, "XX");
        tree.set(GameTree::ROOT, "AB", &["aa", "bb"]).unwrap();
        assert_eq!(shown(&tree), r"Node(0 GM[11] PB[\]] AB[aa][bb])");
        assert_eq!(format!("{:?}", tree.node(child)), "Node(1 B[aa])");
        assert!(tree.set::<&str>(child, "KO", &[]).is_ok());
        assert_eq!(format!("{:?}", tree.node(child)), "Node(1 B[aa] KO[])");
    }

    #[test]
    fn set_cures_duplicates() {
        let mut tree = GameTree::parse(b"(;C[a]GM[1]C[b]C[c])").unwrap();
        assert_eq!(shown(&tree), "Node(0 C[a] GM[1] C[b] C[c])");
        tree.set(GameTree::ROOT, "C", &["d"]).unwrap();
        assert_eq!(shown(&tree), "Node(0 C[d] GM[1])");
    }

    #[test]
    fn names_that_cannot_be_written_are_refused() {
        let mut tree = GameTree::new();
        for ident in ["", "c", "C[", "1A", "Ä"] {
            let error = tree.set(GameTree::ROOT, ident, &["x"]).unwrap_err();
            assert!(error.to_string().contains("upper-case"), "{error}");
        }
    }

    #[test]
    fn equality_is_of_shape_and_properties() {
        let parse = |text: &str| GameTree::parse(text.as_bytes()).unwrap();
        assert_eq!(parse("(;B[aa](;W[bb]))"), parse("junk (;\nB [aa];W[bb])"));
        assert_ne!(parse("(;B[aa];W[bb])"), parse("(;B[aa];W[bb];)"));
        assert_ne!(parse("(;(;B[a];)(;W[a]))"), parse("(;(;B[a])(;W[a];))"));
        assert_ne!(parse("(;AB[aa][bb])"), parse("(;AB[aa]AB[bb])"));
    }

    #[test]
    fn relatives() {
        let tree = GameTree::parse(b"(;C[0](;C[1];C[2])(;C[3]))").unwrap();
        let names = |nodes: &mut dyn Iterator<Item = Node<'_>>| -> String {
            nodes.map(|n| n.get("C").unwrap().raw().to_owned()).collect()
        };
        assert_eq!(names(&mut tree.main_line()), "012");
        assert_eq!(names(&mut tree.root().children()), "13");
        let last = tree.main_line().last().unwrap();
        assert_eq!(last.parent().unwrap().id(), NodeId(1));
        assert!(tree.root().parent().is_none());
    }
}
