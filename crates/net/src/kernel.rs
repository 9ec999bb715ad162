//! The inner loops of convolutions, one for each kind of CPU; all compute the same integers.
//!
//! The only unsafe code of this crate: vector instructions are called where the CPU has them, and read
//! without checks of bounds what [`Cells::new`] and [`check`] have checked at once.

use std::sync::OnceLock;

use crate::layer::{CEILING, LANES, Layer, PAIR};

/// Which instructions are used. There are only such values as this CPU has the instructions for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Path(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Those that every CPU has.
    Portable,
    /// 256-bit vectors.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// 512-bit vectors with multiply-and-add of 16-bit pairs.
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni,
}

impl Path {
    /// All that this CPU has, the fastest last.
    #[must_use]
    pub fn available() -> Vec<Self> {
        #[allow(unused_mut)]
        let mut paths = vec![Self(Kind::Portable)];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                paths.push(Self(Kind::Avx2));
            }
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vnni")
            {
                paths.push(Self(Kind::Avx512Vnni));
            }
        }
        paths
    }

    /// What it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self.0 {
            Kind::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512Vnni => "avx512vnni",
        }
    }

    /// The fastest that this CPU has.
    #[must_use]
    pub fn best() -> Self {
        static BEST: OnceLock<Path> = OnceLock::new();
        *BEST.get_or_init(|| *Self::available().last().unwrap_or(&Self(Kind::Portable)))
    }
}

/// Where a convolution reads and writes: numbers of cells on a field with a margin.
/// All taps of all cells of the board are within the field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cells {
    /// The cells of the board.
    board: Vec<usize>,
    /// Cells of the whole field.
    field: usize,
    /// What to add to a cell's number, for each tap.
    taps: Vec<isize>,
}

impl Cells {
    pub(crate) fn new(board: Vec<usize>, field: usize, taps: Vec<isize>) -> Self {
        for &cell in &board {
            let within = |&tap: &isize| cell.checked_add_signed(tap).is_some_and(|at| at < field);
            assert!(cell < field && taps.iter().all(within), "cell {cell} of {field}");
        }
        Self { board, field, taps }
    }

    /// The cells of the board, by their numbers on the field.
    pub(crate) fn board(&self) -> &[usize] {
        &self.board
    }

    /// How many cells the field has.
    pub(crate) fn field(&self) -> usize {
        self.field
    }
}

/// What becomes of sums.
pub(crate) enum Output<'a> {
    /// Activations of the next layer.
    Activations(&'a mut [i16]),
    /// The same, added to those that are there.
    Added(&'a mut [i16]),
    /// The sums themselves, of [`LANES`] outputs for each cell of the board in turn.
    Sums(&'a mut [i32]),
}

impl Output<'_> {
    fn adds(&self) -> bool {
        matches!(self, Self::Added(_))
    }
}

/// A layer to run over all cells.
#[derive(Clone, Copy)]
pub(crate) struct Work<'a> {
    pub(crate) layer: &'a Layer,
    /// The layer's, or one that more has been added to.
    pub(crate) bias: &'a [i32],
    pub(crate) cells: &'a Cells,
    pub(crate) input: &'a [i16],
}

/// Runs a layer over all cells.
pub(crate) fn run(path: Path, work: Work<'_>, output: Output<'_>) {
    let output = check(&work, output);
    match path.0 {
        Kind::Portable => portable(work, output),
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the CPU has these instructions, or there were no such path; and `check` passed.
        Kind::Avx2 => unsafe { x86::avx2(&work, output) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the same.
        Kind::Avx512Vnni => unsafe { x86::avx512(&work, output) },
    }
}

/// Makes sure that all reads and writes are within their buffers, as the cells are within the field.
fn check<'a>(work: &Work<'_>, output: Output<'a>) -> Output<'a> {
    let Work { layer, bias, cells, input } = work;
    let Layer { inputs, outputs, taps, weights, singly, .. } = layer;
    assert!(inputs.is_multiple_of(PAIR) && outputs.is_multiple_of(LANES));
    assert_eq!(weights.len(), inputs * outputs * taps);
    assert_eq!(singly.len(), weights.len());
    assert_eq!(bias.len(), *outputs);
    assert_eq!(cells.taps.len(), *taps);
    assert_eq!(input.len(), inputs * cells.field);
    match &output {
        Output::Activations(out) | Output::Added(out) => {
            assert_eq!(out.len(), outputs * cells.field);
        }
        Output::Sums(sums) => assert_eq!(sums.len(), outputs * cells.board.len()),
    }
    output
}

fn portable(work: Work<'_>, mut output: Output<'_>) {
    let Work { layer, bias, cells, input } = work;
    let Layer { inputs, outputs, shift, .. } = *layer;
    let adds = output.adds();
    // Of fixed length, so that compilers make vectors of them.
    let bias = bias.as_chunks::<LANES>().0;
    let weights = layer.singly.as_chunks::<LANES>().0;
    let lanes = bias.len();
    for (number, &cell) in cells.board.iter().enumerate() {
        for (first, &bias) in bias.iter().enumerate() {
            let mut sums = bias;
            let mut weights = weights[first..].iter().step_by(lanes);
            for &tap in &cells.taps {
                let from = cell.wrapping_add_signed(tap) * inputs;
                for (&input, weights) in input[from..from + inputs].iter().zip(&mut weights) {
                    // About half of all activations.
                    if input != 0 {
                        for (sum, &weight) in sums.iter_mut().zip(weights) {
                            *sum += i32::from(input) * i32::from(weight);
                        }
                    }
                }
            }
            match &mut output {
                Output::Activations(out) | Output::Added(out) => {
                    let ends = &mut out[cell * outputs + first * LANES..][..LANES];
                    for (end, sum) in ends.iter_mut().zip(sums) {
                        let rounded = (sum + (1 << (shift - 1))) >> shift;
                        let before = if adds { i32::from(*end) } else { 0 };
                        *end = (rounded + before).clamp(0, CEILING) as i16;
                    }
                }
                Output::Sums(all) => {
                    all[number * outputs + first * LANES..][..LANES].copy_from_slice(&sums);
                }
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{CEILING, LANES, Output, PAIR, Work};

    /// Cells computed together: their sums fill the registers, and weights are loaded once for all.
    const TOGETHER: usize = 6;
    /// The same with 512-bit registers, of which there are twice as many.
    const TOGETHER_512: usize = 12;

    /// Two inputs, as one number that is multiplied by two weights each.
    ///
    /// # Safety
    /// `at + 1` is within the input.
    unsafe fn pair(input: &[i16], at: usize) -> i32 {
        // SAFETY: by the caller's word; unaligned reads are allowed.
        unsafe { input.as_ptr().add(at).cast::<i32>().read_unaligned() }
    }

    /// Runs a layer group by group of cells; the last ones that do not fill a group alone.
    macro_rules! in_groups {
        ($name:ident, $features:literal, $group:ident, $together:ident) => {
            /// # Safety
            /// The CPU has these features, and `check` has passed for these arguments.
            #[target_feature(enable = $features)]
            pub(super) unsafe fn $name(work: &Work<'_>, mut output: Output<'_>) {
                for first in (0..work.layer.outputs).step_by(LANES) {
                    let (groups, rest) = work.cells.board.as_chunks::<$together>();
                    let mut number = 0;
                    for group in groups {
                        // SAFETY: as for this function.
                        unsafe { $group(work, group, first, number, &mut output) };
                        number += $together;
                    }
                    for &cell in rest {
                        // SAFETY: as for this function.
                        unsafe { $group(work, &[cell], first, number, &mut output) };
                        number += 1;
                    }
                }
            }
        };
    }
    in_groups!(avx2, "avx2", group_avx2, TOGETHER);
    in_groups!(avx512, "avx512f,avx512bw,avx512vnni", group_avx512, TOGETHER_512);

    /// # Safety
    /// As for [`avx2`].
    #[target_feature(enable = "avx2")]
    unsafe fn group_avx2<const N: usize>(
        work: &Work<'_>,
        group: &[usize; N],
        first: usize,
        number: usize,
        output: &mut Output<'_>,
    ) {
        let Work { layer, bias, cells, input } = *work;
        let (inputs, outputs) = (layer.inputs, layer.outputs);
        // SAFETY: `check` has passed: weights and biases of all outputs are there, and so are the
        // inputs of all taps of all cells; sums and activations of all cells have their room.
        unsafe {
            let bias = bias.as_ptr().add(first).cast::<__m256i>();
            let bias = [_mm256_loadu_si256(bias), _mm256_loadu_si256(bias.add(1))];
            let mut sums = [bias; N];
            let mut weights = layer.weights.as_ptr().add(first * PAIR);
            for &tap in &cells.taps {
                let from = group.map(|cell| cell.wrapping_add_signed(tap) * inputs);
                for at in (0..inputs).step_by(PAIR) {
                    let low = _mm256_loadu_si256(weights.cast());
                    let high = _mm256_loadu_si256(weights.cast::<__m256i>().add(1));
                    weights = weights.add(outputs * PAIR);
                    for (sums, from) in sums.iter_mut().zip(from) {
                        let both = _mm256_set1_epi32(pair(input, from + at));
                        sums[0] = _mm256_add_epi32(sums[0], _mm256_madd_epi16(both, low));
                        sums[1] = _mm256_add_epi32(sums[1], _mm256_madd_epi16(both, high));
                    }
                }
            }
            let adds = output.adds();
            match output {
                Output::Sums(all) => {
                    for (place, sums) in sums.iter().enumerate() {
                        let to = all.as_mut_ptr().add((number + place) * outputs + first);
                        _mm256_storeu_si256(to.cast(), sums[0]);
                        _mm256_storeu_si256(to.cast::<__m256i>().add(1), sums[1]);
                    }
                }
                Output::Activations(out) | Output::Added(out) => {
                    let half = _mm256_set1_epi32(1 << (layer.shift - 1));
                    let shift = _mm_cvtsi32_si128(layer.shift as i32);
                    let (least, most) = (_mm256_setzero_si256(), _mm256_set1_epi32(CEILING));
                    for (sums, &cell) in sums.iter().zip(group) {
                        let at = cell * outputs + first;
                        let mut ends = [least; 2];
                        for (number, (end, &sum)) in ends.iter_mut().zip(sums).enumerate() {
                            let mut sum = _mm256_sra_epi32(_mm256_add_epi32(sum, half), shift);
                            if adds {
                                let before = out.as_ptr().add(at + 8 * number).cast();
                                let before = _mm256_cvtepi16_epi32(_mm_loadu_si128(before));
                                sum = _mm256_add_epi32(sum, before);
                            }
                            *end = _mm256_min_epi32(_mm256_max_epi32(sum, least), most);
                        }
                        // Packing takes the halves of both in turn.
                        let packed = _mm256_packs_epi32(ends[0], ends[1]);
                        let packed = _mm256_permute4x64_epi64::<0b11_01_10_00>(packed);
                        _mm256_storeu_si256(out.as_mut_ptr().add(at).cast(), packed);
                    }
                }
            }
        }
    }

    /// # Safety
    /// As for [`avx512`].
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    unsafe fn group_avx512<const N: usize>(
        work: &Work<'_>,
        group: &[usize; N],
        first: usize,
        number: usize,
        output: &mut Output<'_>,
    ) {
        let Work { layer, bias, cells, input } = *work;
        let (inputs, outputs) = (layer.inputs, layer.outputs);
        // SAFETY: as in `group_avx2`.
        unsafe {
            let mut sums = [_mm512_loadu_si512(bias.as_ptr().add(first).cast()); N];
            let mut weights = layer.weights.as_ptr().add(first * PAIR);
            for &tap in &cells.taps {
                let from = group.map(|cell| cell.wrapping_add_signed(tap) * inputs);
                for at in (0..inputs).step_by(PAIR) {
                    let all = _mm512_loadu_si512(weights.cast());
                    weights = weights.add(outputs * PAIR);
                    for (sum, from) in sums.iter_mut().zip(from) {
                        let both = _mm512_set1_epi32(pair(input, from + at));
                        *sum = _mm512_dpwssd_epi32(*sum, both, all);
                    }
                }
            }
            let adds = output.adds();
            match output {
                Output::Sums(all) => {
                    for (place, &sum) in sums.iter().enumerate() {
                        let to = all.as_mut_ptr().add((number + place) * outputs + first);
                        _mm512_storeu_si512(to.cast(), sum);
                    }
                }
                Output::Activations(out) | Output::Added(out) => {
                    let half = _mm512_set1_epi32(1 << (layer.shift - 1));
                    let shift = _mm_cvtsi32_si128(layer.shift as i32);
                    let (least, most) = (_mm512_setzero_si512(), _mm512_set1_epi32(CEILING));
                    for (&sum, &cell) in sums.iter().zip(group) {
                        let at = cell * outputs + first;
                        let mut sum = _mm512_sra_epi32(_mm512_add_epi32(sum, half), shift);
                        if adds {
                            let before = _mm256_loadu_si256(out.as_ptr().add(at).cast());
                            sum = _mm512_add_epi32(sum, _mm512_cvtepi16_epi32(before));
                        }
                        let end = _mm512_min_epi32(_mm512_max_epi32(sum, least), most);
                        _mm256_storeu_si256(
                            out.as_mut_ptr().add(at).cast(),
                            _mm512_cvtepi32_epi16(end),
                        );
                    }
                }
            }
        }
    }
}
