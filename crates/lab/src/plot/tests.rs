use super::*;

/// Parses a picture and gives the places of its points, checked to lie on the page.
fn points(svg: &str) -> Vec<(f64, f64)> {
    let document = roxmltree::Document::parse(svg).expect("well-formed XML");
    let root = document.root_element();
    let number = |node: roxmltree::Node<'_, '_>, name: &str| -> f64 {
        node.attribute(name).unwrap_or_else(|| panic!("no {name}")).parse().expect("a number")
    };
    let (width, height) = (number(root, "width"), number(root, "height"));
    let mut all = Vec::new();
    let mut marked = Vec::new();
    for node in root.descendants().filter(roxmltree::Node::is_element) {
        let mut places = Vec::new();
        match node.tag_name().name() {
            "line" => places.extend([
                (number(node, "x1"), number(node, "y1")),
                (number(node, "x2"), number(node, "y2")),
            ]),
            "circle" => places.push((number(node, "cx"), number(node, "cy"))),
            "text" => places.push((number(node, "x"), number(node, "y"))),
            "polyline" | "polygon" => {
                let pairs = node.attribute("points").expect("points").split(' ');
                places.extend(pairs.map(|pair| {
                    let (x, y) = pair.split_once(',').expect("a pair");
                    (x.parse().expect("a number"), y.parse().expect("a number"))
                }));
            }
            _ => {}
        }
        if node.attribute("class") == Some("point") {
            let count = places.len() as f64;
            let sum = places.iter().fold((0.0, 0.0), |sum, p| (sum.0 + p.0, sum.1 + p.1));
            marked.push((sum.0 / count, sum.1 / count));
        }
        all.extend(places);
    }
    for (x, y) in all {
        assert!((0.0..=width).contains(&x) && (0.0..=height).contains(&y), "{x}, {y} is outside");
    }
    marked
}

fn line(name: &str, points: Vec<Point>) -> Series {
    Series::new(name, SeriesStyle::Line, points)
}

#[test]
fn points_stay_on_the_page_whatever_they_are() {
    let mut chart = Chart::new("a < b & \"c\"\u{1}", "x", "y");
    let odd = [0.0, -1e300, 1e300, f64::NAN, f64::INFINITY, -3.5, 1e-300, 7.0];
    for style in [SeriesStyle::Line, SeriesStyle::Dashed, SeriesStyle::Markers, SeriesStyle::Band] {
        for log in [false, true] {
            chart.x_log = log;
            for &x in &odd {
                for &y in &odd {
                    let point = Point::with_interval(x, y, (y - 1.0, f64::INFINITY));
                    let points_of = vec![point, Point::new(1.0, 2.0), Point::new(y, x)];
                    chart.series = vec![Series::new("<&>", style, points_of)];
                    points(&chart.to_svg());
                }
            }
        }
    }
}

#[test]
fn one_marker_a_point_and_one_a_name() {
    let mut chart = Chart::new("t", "x", "points (%)");
    chart.percent = true;
    chart.x_log = true;
    let several = vec![
        Point::with_interval(100.0, 68.6, (60.0, 75.0)),
        Point::new(f64::NAN, 50.0),
        Point::new(1000.0, f64::NAN),
        Point::new(0.0, 50.0),
        Point::with_interval(1000.0, 63.6, (-5.0, 110.0)),
    ];
    chart.series = vec![line("ours", several), line("", vec![Point::new(10.0, 1.0)])];
    let places = points(&chart.to_svg());
    assert_eq!(places.len(), 1 + 2 + 1);
    // A percentage is drawn higher the larger it is, and further right the larger its x.
    let (a, b) = (places[1], places[2]);
    assert!(a.0 < b.0 && a.1 < b.1, "{a:?} {b:?}");
}

#[test]
fn nothing_and_single_points_are_drawn_too() {
    let mut chart = Chart::new("", "", "");
    assert!(chart.to_svg().contains("no data yet"));
    chart.series = vec![line("empty", Vec::new())];
    assert!(chart.to_svg().contains("no data yet"));
    chart.series.push(Series::new("one", SeriesStyle::Band, vec![Point::new(5.0, 5.0)]));
    let svg = chart.to_svg();
    assert!(!svg.contains("no data yet"));
    assert_eq!(points(&svg).len(), 2, "the legend's marker of the line, and the point itself");
    points(&ForestPlot::new("t", "Elo").to_svg());
}

#[test]
fn a_range_asked_for_is_widened_for_points_but_not_for_their_intervals() {
    let mut chart = Chart::new("t", "x", "y");
    chart.y_range = Some((40.0, 60.0));
    chart.series = vec![line("a", vec![Point::with_interval(1.0, 55.0, (0.0, 100.0))])];
    assert!(chart.axes().1.holds(60.0) && !chart.axes().1.holds(61.0));
    chart.series.push(line("b", vec![Point::new(2.0, 80.0)]));
    assert!(chart.axes().1.holds(80.0) && !chart.axes().1.holds(0.0));
    points(&chart.to_svg());
}

#[test]
fn a_dashed_curve_has_the_colour_of_what_it_compares_with() {
    let mut chart = Chart::new("t", "x", "y");
    use SeriesStyle::{Dashed, Line};
    chart.series = [Line, Dashed, Line, Dashed, Dashed]
        .map(|style| Series::new("s", style, Vec::new()))
        .to_vec();
    let colours = chart.colours();
    assert_eq!(colours[0], colours[1]);
    assert_eq!(colours[2], colours[3]);
    assert_ne!(colours[0], colours[2]);
    assert_ne!(colours[3], colours[4]);
}

#[test]
fn forest_plots_have_a_row_a_name() {
    let mut plot = ForestPlot::new("Ratings", "Elo");
    plot.guide = Some(0.0);
    plot.rows = vec![
        ForestRow::new("MoHex <1>", 120.0, 90.0, 150.0),
        ForestRow::new("nobody", f64::NAN, f64::NAN, f64::NAN),
        ForestRow::new("sure to lose", -800.0, f64::NEG_INFINITY, -500.0),
    ];
    let svg = plot.to_svg();
    let places = points(&svg);
    assert_eq!(places.len(), 2);
    assert!(places[0].0 > places[1].0 && places[0].1 < places[1].1);
    assert!(svg.contains("120 [90, 150]") && svg.contains("MoHex &lt;1&gt;"));
}
