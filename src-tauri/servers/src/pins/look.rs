//! All that a person should know before deciding about what a server offers.

use crate::{Servers, error};
use api::{Alike, ErrorCode, FeatureView, FeaturesReview, HostError, Resemblance};
use inspect::{Catalogue, Finding, Inspection, Likeness, Purposes, inspect_tool};
use policy::KnownTool;
use policy::pin::{ApprovalStatus, FeatureComparison};
use protocol::{Feature, FeatureKind, ServerId, ToolName, ToolSpec};
use serde_json::{Map, Value};
use std::sync::Arc;

/// The most tools of others that one is said to resemble.
const MOST: usize = 8;

/// What a server offers, compared with what was approved.
pub async fn review(servers: &Servers, id: &ServerId) -> Result<FeaturesReview, HostError> {
    super::list_rest(servers, id).await?;
    look_through(servers, id).await
}

/// The same without asking the server again. Thousands of offers take a while; others go on
/// meanwhile.
pub(super) async fn look_through(
    servers: &Servers,
    id: &ServerId,
) -> Result<FeaturesReview, HostError> {
    let (servers, id) = (servers.clone(), id.clone());
    let looking = tokio::task::spawn_blocking(move || look(&servers, &id));
    looking.await.map_err(|problem| {
        let message = format!("what a server offers could not be looked through: {problem}");
        error::host(ErrorCode::Internal, message)
    })?
}

fn look(servers: &Servers, id: &ServerId) -> Result<FeaturesReview, HostError> {
    let now = servers.registry().now(id)?;
    let (server, waiting) = (now.row.id.clone(), now.offered.waiting());
    let others = Others::of(servers, &server);
    let offers = now
        .offered
        .compared()
        .iter()
        .cloned()
        .map(|one| others.view(&server, one))
        .collect();
    Ok(FeaturesReview {
        server,
        offers,
        waiting,
    })
}

/// Everything that is known of other servers.
struct Others {
    catalogue: Catalogue,
    tools: Vec<(ServerId, Arc<KnownTool>, bool)>,
    purposes: Purposes,
    /// For each purpose the tool it belongs to.
    purposed: Vec<usize>,
}

impl Others {
    fn of(servers: &Servers, server: &ServerId) -> Self {
        let all = servers.registry().all_tools();
        let catalogue = Catalogue::of(
            all.iter()
                .map(|(server, tool, _)| (server.as_str(), tool.spec().name.as_str())),
        );
        let tools: Vec<_> = all.into_iter().filter(|(of, ..)| of != server).collect();
        let purposed: Vec<usize> = (0..tools.len()).filter(|index| tools[*index].2).collect();
        let purposes = Purposes::of(purposed.iter().map(|index| {
            let spec = tools[*index].1.spec();
            (
                spec.name.as_str(),
                spec.description.as_deref().unwrap_or_default(),
            )
        }));
        Self {
            catalogue,
            tools,
            purposes,
            purposed,
        }
    }

    /// What an inspection of an offer finds.
    fn inspect(&self, server: &ServerId, feature: &Feature) -> Inspection {
        let (tool, words) = as_tool(feature);
        let mut inspection = inspect_tool(server.as_str(), &tool, &self.catalogue);
        for finding in inspection
            .findings
            .iter_mut()
            .filter(|finding| finding.at == "/description")
        {
            finding.at = format!("/{words}");
        }
        inspection
    }

    fn view(&self, server: &ServerId, one: FeatureComparison) -> FeatureView {
        let inspection = one
            .now
            .as_ref()
            .map(|feature| self.inspect(server, feature))
            .unwrap_or_default();
        let resembles = one
            .now
            .as_ref()
            .map(|feature| self.resembles(server, feature))
            .unwrap_or_default();
        let disguised = |other: &Resemblance| {
            matches!(
                other.how,
                Alike::Name {
                    likeness: Likeness::Confusable
                }
            )
        };
        let undecided = one.standing.waits() && one.standing != ApprovalStatus::Gone;
        FeatureView {
            held_back: undecided && (inspection.held_back || resembles.iter().any(disguised)),
            fingerprint: one.now.as_ref().map(Feature::fingerprint),
            definition: one.now.map(|feature| feature.definition),
            decided_at: one.before.as_ref().map(|pin| pin.decided_at),
            before: one.before.map(|pin| pin.definition),
            key: one.key,
            standing: one.standing,
            changes: one.changes,
            inspection,
            resembles,
        }
    }

    fn resembles(&self, server: &ServerId, feature: &Feature) -> Vec<Resemblance> {
        if feature.key.kind != FeatureKind::Tool {
            return Vec::new();
        }
        let description = feature
            .definition
            .get("description")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let by_name = self
            .catalogue
            .look_alikes(server.as_str(), &feature.key.name);
        let by_name = by_name.into_iter().filter_map(|(of, tool, likeness)| {
            let other = self.tools.iter().find(|(server, known, _)| {
                server.as_str() == of && known.spec().name.as_str() == tool
            })?;
            Some(resemblance(other, Alike::Name { likeness }))
        });
        let by_purpose = self
            .purposes
            .like(&feature.key.name, description)
            .into_iter()
            .map(|(index, likeness)| {
                // Between 0 and 1, so the cast cannot be out of range.
                let percent = (likeness.clamp(0.0, 1.0) * 100.0) as u8;
                resemblance(
                    &self.tools[self.purposed[index]],
                    Alike::Purpose { percent },
                )
            });
        by_name.chain(by_purpose).take(MOST).collect()
    }
}

fn resemblance((server, tool, _): &(ServerId, Arc<KnownTool>, bool), how: Alike) -> Resemblance {
    Resemblance {
        server: server.clone(),
        tool: tool.spec().name.clone(),
        description: tool.spec().description.clone(),
        how,
    }
}

/// What an inspection of one tool's definition finds, among all that are known.
pub fn findings(servers: &Servers, server: &ServerId, tool: &ToolSpec) -> Vec<Finding> {
    Others::of(servers, server)
        .inspect(server, &Feature::tool(tool))
        .findings
}

/// An offer in the shape of a tool, and the name of the field that holds its words. What has
/// another type than MCP gives it stays among the other fields, where it is inspected too.
fn as_tool(feature: &Feature) -> (ToolSpec, &'static str) {
    let mut fields = feature.definition.clone();
    let words = if feature.key.kind == FeatureKind::About {
        "instructions"
    } else {
        "description"
    };
    let mut text = |name: &str| match fields.remove(name) {
        Some(Value::String(text)) => Some(text),
        Some(other) => {
            fields.insert(name.to_owned(), other);
            None
        }
        None => None,
    };
    let (name, title, description) = (text("name"), text("title"), text(words));
    let mut map = |name: &str| match fields.remove(name) {
        Some(Value::Object(map)) => Some(map),
        Some(other) => {
            fields.insert(name.to_owned(), other);
            None
        }
        None => None,
    };
    let (input, output, annotations, meta) = (
        map("inputSchema"),
        map("outputSchema"),
        map("annotations"),
        map("_meta"),
    );
    let name = ToolName::from(name.unwrap_or_else(|| feature.key.name.clone()));
    let input_schema = input.unwrap_or_else(Map::new);
    (
        ToolSpec {
            name,
            title,
            description,
            input_schema,
            output_schema: output,
            annotations,
            meta,
            extra: fields,
        },
        words,
    )
}
