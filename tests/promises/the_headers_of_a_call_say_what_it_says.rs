//! What lies between an application and Majordomo may go by the headers of a call, and is not led
//! elsewhere than the call says: arguments that travel as headers, too, are the same there.

use crate::support::mcp_client::first_text;
use crate::support::mcp_http::HttpClient;
use crate::support::{TestHost, misbehave};
use policy::Decision;
use serde_json::{Value, json};

const REGION: &str = "Mcp-Param-Region";

#[tokio::test(flavor = "multi_thread")]
async fn a_call_whose_headers_say_something_else_than_its_arguments_is_refused() {
    let test = TestHost::new().await;
    let region = json!({"type": "string", "x-mcp-header": "Region"});
    let tool = |name: &str, region: &Value| {
        let schema = json!({"type": "object", "properties": {"region": region}});
        json!({"name": name, "description": "Looks there", "inputSchema": schema})
    };
    let wrong = json!({"type": "string", "x-mcp-header": "no token"});
    let tools = json!([tool("look", &region), tool("odd", &wrong)]);
    let script = json!({"tools": tools, "answers": {"look": "seen", "odd": "seen"}});
    let file = test.dir().join("regions.json");
    std::fs::write(&file, script.to_string()).unwrap();
    test.add("map", &[&misbehave(), "scripted", file.to_str().unwrap()])
        .await;
    let _serving = loopback::serve(test.host.clone(), None, None)
        .await
        .unwrap();
    let editor = test.add_client("Editor").await;
    let person = test.person(std::iter::repeat_with(Decision::always).take(8));
    let client = HttpClient::begin(&test, &editor, json!({})).await;
    let call = |name: &str, arguments: Value| json!({"name": name, "arguments": arguments});
    let eu = || call("map__look", json!({"region": "eu"}));
    for (said, params) in [
        (&[][..], eu()),
        (&[(REGION, "us")], eu()),
        (&[(REGION, "=?base64?ZXU?=")], eu()),
        (&[(REGION, "eu"), (REGION, "us")], eu()),
        (&[(REGION, "eu")], call("map__look", json!({}))),
    ] {
        let (status, answer) = client.call_with(said, params).await;
        assert_eq!(status, 400, "{said:?}");
        assert_eq!(answer["error"]["code"], -32020, "{said:?} {answer}");
    }
    assert!(person.asked().is_empty(), "nobody is asked about it");
    for (said, params) in [
        (&[(REGION, "eu")][..], eu()),
        (&[(REGION, "=?base64?ZXU=?=")], eu()),
        (&[], call("map__look", json!({}))),
        // What no client can follow is followed by none.
        (&[], call("map__odd", json!({"region": "eu"}))),
    ] {
        let (status, answer) = client.call_with(said, params).await;
        assert_eq!(status, 200, "{said:?} {answer}");
        assert_eq!(first_text(&answer["result"]), "seen", "{said:?}");
    }
    // Of what it does not find here it hears the same as ever.
    let nothing = call("map__none", json!({"region": "eu"}));
    let (_, answer) = client.call_with(&[(REGION, "us")], nothing).await;
    assert_eq!(answer["error"]["message"], "Unknown tool: map__none");
}
