//! A browser without a window: goes to the page where a person would agree, and says where it is
//! sent on to.

use conformance::Trouble;
use egress::{Egress, Reach, Request, Url, header};

/// Where the authorization server sends the browser.
pub async fn agree(egress: &Egress, page: &Url) -> Result<String, Trouble> {
    let answer = egress
        .send(Request::get(page.clone(), Reach::Typed))
        .await?;
    let place = answer
        .headers
        .get(header::LOCATION)
        .ok_or("the authorization server sends the browser nowhere")?;
    Ok(place.to_str()?.to_owned())
}
