//! The program is started, and nothing waits.

use crate::figure::{Figure, percentile};
use window_driver::Majordomo;

/// How often it is started.
const TIMES: usize = 7;

pub async fn measure() -> Vec<Figure> {
    let mut majordomo = Majordomo::new().await;
    majordomo.page().await;
    let mut taken = Vec::new();
    for _ in 0..TIMES {
        majordomo = majordomo.again().await;
        majordomo.page().await;
        taken.push(majordomo.age().as_secs_f64() * 1e3);
    }
    majordomo.end().await;
    let name = "start of the process to the first heading in the window";
    vec![Figure::new(name, percentile(&taken, 0.5), "ms").at_most(1_000.0)]
}
