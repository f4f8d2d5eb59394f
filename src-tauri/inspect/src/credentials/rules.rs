//! What issued credentials look like, from the public documentation of those who issue them.
//!
//! A rule is looked at only where its word occurs, and its expression is compiled the first time
//! that happens. Classes such as `\w` are ASCII: credentials are, and the expressions stay small.

use regex::{Regex, RegexBuilder};
use std::sync::OnceLock;

/// One form of credential.
#[derive(Debug)]
pub(super) struct Rule {
    /// Who issues it, or what it is.
    pub name: &'static str,
    /// A word without which there is none, as it is written, or in small letters for `loose` rules.
    pub word: &'static str,
    /// The expression. If it has a group, the group is the credential.
    pattern: &'static str,
    /// The least entropy of the credential in bits a character; what is below is an example or a
    /// word.
    pub entropy: f32,
    regex: OnceLock<Option<Regex>>,
    leads: OnceLock<bool>,
}

impl Rule {
    /// The compiled expression; none for one that cannot be compiled, which a test excludes.
    pub fn regex(&self) -> Option<&Regex> {
        let compile = || {
            let pattern = if self.leads() {
                format!(r"\A(?:{})", self.pattern)
            } else {
                self.pattern.to_owned()
            };
            RegexBuilder::new(&pattern).unicode(false).build().ok()
        };
        self.regex.get_or_init(compile).as_ref()
    }

    /// The expression as it is written.
    #[cfg(test)]
    pub fn written(&self) -> &'static str {
        self.pattern
    }

    /// Whether the credential begins with the word. Then nothing but what follows the word is
    /// looked at.
    pub fn leads(&self) -> bool {
        *self.leads.get_or_init(|| {
            self.pattern.strip_prefix(r"\b").is_some_and(|pattern| {
                pattern.starts_with(&regex::escape(self.word).replace(r"\-", "-"))
            })
        })
    }
}

const fn rule(name: &'static str, word: &'static str, entropy: f32, pattern: &'static str) -> Rule {
    Rule {
        name,
        word,
        pattern,
        entropy,
        regex: OnceLock::new(),
        leads: OnceLock::new(),
    }
}

/// Every rule.
pub(super) static RULES: [Rule; 122] = [
    rule(
        "private key",
        "PRIVATE KEY-----",
        0.0,
        r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----",
    ),
    rule("AWS", "AKIA", 3.0, r"\bAKIA[A-Z2-7]{16}\b"),
    rule("AWS", "ASIA", 3.0, r"\bASIA[A-Z2-7]{16}\b"),
    rule(
        "AWS",
        "aws_secret",
        4.0,
        r#"(?i)aws_secret(?:_access)?(?:_key)?["']?\s{0,3}[:=]{1,2}>?\s{0,3}["']?([A-Za-z0-9/+]{40})\b"#,
    ),
    rule(
        "AWS",
        "SecretAccessKey",
        4.0,
        r#"SecretAccessKey["']?\s{0,3}[:=>]{1,2}\s{0,3}["']?([A-Za-z0-9/+]{40})\b"#,
    ),
    rule(
        "AWS Bedrock",
        "ABSK",
        4.0,
        r"\bABSK[A-Za-z0-9+/]{109,269}={0,2}",
    ),
    rule("GitHub", "ghp_", 3.0, r"\bghp_[A-Za-z0-9]{36,255}\b"),
    rule("GitHub", "gho_", 3.0, r"\bgho_[A-Za-z0-9]{36,255}\b"),
    rule("GitHub", "ghu_", 3.0, r"\bghu_[A-Za-z0-9]{36,255}\b"),
    rule("GitHub", "ghs_", 3.0, r"\bghs_[A-Za-z0-9._-]{36,255}"),
    rule("GitHub", "ghr_", 3.0, r"\bghr_[A-Za-z0-9]{36,255}\b"),
    rule(
        "GitHub",
        "github_pat_",
        3.0,
        r"\bgithub_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}\b",
    ),
    rule("GitLab", "glpat-", 3.0, r"\bglpat-[\w.-]{20,255}"),
    rule("GitLab", "gldt-", 3.0, r"\bgldt-[\w-]{20,64}"),
    rule("GitLab", "glrt-", 3.0, r"\bglrt-[\w.-]{20,255}"),
    rule("GitLab", "glptt-", 3.0, r"\bglptt-[0-9a-f]{40}\b"),
    rule("GitLab", "glsoat-", 3.0, r"\bglsoat-[\w-]{20,64}"),
    rule("GitLab", "glcbt-", 3.0, r"\bglcbt-[\w-]{20,64}"),
    rule("GitLab", "glagent-", 3.0, r"\bglagent-[\w-]{50,64}"),
    rule("GitLab", "gloas-", 3.0, r"\bgloas-[0-9a-f]{64}\b"),
    rule("Bitbucket", "ATBB", 3.0, r"\bATBB[A-Za-z0-9]{32}\b"),
    rule(
        "Atlassian",
        "ATATT3",
        3.5,
        r"\bATATT3[A-Za-z0-9_\-=]{100,255}",
    ),
    rule(
        "Slack",
        "xox",
        2.5,
        r"\bxox[abceoprs](?:\.xox[bp])?-(?:\d{1,2}-)?[A-Za-z0-9-]{20,255}",
    ),
    rule(
        "Slack",
        "xapp-",
        3.0,
        r"\bxapp-\d-[A-Z0-9]{8,16}-\d{8,16}-[a-z0-9]{40,80}\b",
    ),
    rule(
        "Slack",
        "hooks.slack.com",
        3.0,
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/]{40,60})",
    ),
    rule(
        "Discord",
        "/api/webhooks/",
        3.0,
        r"discord(?:app)?\.com/api/webhooks/(\d{17,20}/[\w-]{60,80})",
    ),
    rule(
        "Discord",
        "discord",
        3.5,
        r#"(?i)discord(?u:.{0,30}?)\b([MNO][A-Za-z\d]{23,25}\.[\w-]{6}\.[\w-]{27,40})"#,
    ),
    rule(
        "Telegram",
        ":AA",
        3.5,
        r"\b(\d{8,10}:AA[A-Za-z0-9_-]{33})\b",
    ),
    rule(
        "Stripe",
        "k_live_",
        3.0,
        r"\b[srp]k_live_[0-9A-Za-z]{16,247}\b",
    ),
    rule(
        "Stripe",
        "k_test_",
        3.0,
        r"\b[sr]k_test_[0-9A-Za-z]{16,247}\b",
    ),
    rule("Stripe", "whsec_", 3.0, r"\bwhsec_[A-Za-z0-9+/]{24,64}"),
    rule("Square", "sq0", 3.0, r"\bsq0(?:atp|csp|idp)-[\w-]{22,43}"),
    rule(
        "PayPal",
        "access_token$production$",
        3.0,
        r"access_token\$production\$[0-9a-z]{16}\$[0-9a-f]{32}",
    ),
    rule(
        "Plaid",
        "access-production-",
        3.0,
        r"\baccess-production-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b",
    ),
    rule("Google", "AIza", 3.3, r"\bAIza[\w-]{35}\b"),
    rule("Google", "ya29.", 3.3, r"\bya29\.[\w-]{30,512}"),
    rule("Google", "GOCSPX-", 3.0, r"\bGOCSPX-[\w-]{28}\b"),
    rule("Google", "1//0", 3.5, r"\b1//0[A-Za-z0-9_-]{80,120}"),
    rule(
        "OpenAI",
        "T3BlbkFJ",
        3.0,
        r"\bsk-(?:[a-z]{1,12}-)?[\w-]{20,100}T3BlbkFJ[\w-]{20,100}",
    ),
    rule("OpenAI", "sk-proj-", 3.5, r"\bsk-proj-[\w-]{40,200}"),
    rule("OpenAI", "sk-svcacct-", 3.5, r"\bsk-svcacct-[\w-]{40,200}"),
    rule("OpenRouter", "sk-or-v1-", 3.0, r"\bsk-or-v1-[0-9a-f]{64}\b"),
    rule(
        "Anthropic",
        "sk-ant-",
        3.5,
        r"\bsk-ant-[a-z]{3,8}\d{2}-[\w-]{60,140}",
    ),
    rule("Hugging Face", "hf_", 3.3, r"\bhf_[A-Za-z]{34,40}\b"),
    rule("Groq", "gsk_", 3.3, r"\bgsk_[A-Za-z0-9]{48,56}\b"),
    rule("xAI", "xai-", 3.3, r"\bxai-[A-Za-z0-9]{70,90}\b"),
    rule("Perplexity", "pplx-", 3.3, r"\bpplx-[A-Za-z0-9]{48,56}\b"),
    rule("Replicate", "r8_", 3.3, r"\br8_[A-Za-z0-9]{37}\b"),
    rule("Fireworks", "fw_", 3.3, r"\bfw_[A-Za-z0-9]{22,24}\b"),
    rule("DeepSeek", "sk-", 3.0, r"\bsk-[0-9a-f]{32}\b"),
    rule("ElevenLabs", "sk_", 3.0, r"\bsk_[0-9a-f]{48}\b"),
    rule(
        "LangSmith",
        "lsv2_",
        3.0,
        r"\blsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}\b",
    ),
    rule("Tavily", "tvly-", 3.3, r"\btvly-(?:dev-)?[A-Za-z0-9]{32}\b"),
    rule("npm", "npm_", 3.3, r"\bnpm_[A-Za-z0-9]{36}\b"),
    rule(
        "npm",
        "_authToken",
        3.0,
        r"_authToken\s{0,2}=\s{0,2}([A-Za-z0-9+/=._-]{20,255})",
    ),
    rule("PyPI", "pypi-AgE", 3.5, r"\bpypi-AgE[\w-]{50,1000}"),
    rule("RubyGems", "rubygems_", 3.0, r"\brubygems_[0-9a-f]{48}\b"),
    rule("crates.io", "cio", 3.5, r"\bcio[A-Za-z0-9]{32}\b"),
    rule("Docker", "dckr_", 3.0, r"\bdckr_(?:pat|oat)_[\w-]{27,40}"),
    rule("DigitalOcean", "_v1_", 3.0, r"\bdo[opr]_v1_[0-9a-f]{64}\b"),
    rule("Heroku", "HRKU-", 3.0, r"\bHRKU-[\w-]{36,70}"),
    rule("Vercel", "vcp_", 3.3, r"\bvcp_[A-Za-z0-9]{56}\b"),
    rule("Netlify", "nfp_", 3.3, r"\bnfp_[A-Za-z0-9_]{36}\b"),
    rule("Fly.io", "fo1_", 3.3, r"\bfo1_[\w-]{43}\b"),
    rule("Fly.io", "fm2_", 3.3, r"\bfm2_[A-Za-z0-9+/]{100,}={0,3}"),
    rule("Supabase", "sbp_", 3.0, r"\bsbp_[0-9a-f]{40}\b"),
    rule("Supabase", "sb_secret_", 3.3, r"\bsb_secret_[\w-]{31}\b"),
    rule(
        "PlanetScale",
        "pscale_",
        3.3,
        r"\bpscale_(?:tkn|pw|oauth)_[\w=.-]{32,64}",
    ),
    rule("Databricks", "dapi", 3.0, r"\bdapi[0-9a-f]{32}(?:-\d)?\b"),
    rule(
        "Azure",
        "AccountKey=",
        4.0,
        r"AccountKey=([A-Za-z0-9+/]{86}==)",
    ),
    rule(
        "Azure",
        "8Q~",
        3.3,
        r"\b([A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34})",
    ),
    rule(
        "Azure",
        "SharedAccessKey=",
        3.5,
        r"SharedAccessKey=([A-Za-z0-9+/]{43}=)",
    ),
    rule(
        "Cloudflare",
        "v1.0-",
        3.5,
        r"\bv1\.0-[0-9a-f]{24}-[0-9a-f]{146}\b",
    ),
    rule(
        "Shopify",
        "shp",
        3.0,
        r"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b",
    ),
    rule("Twilio", "SK", 3.0, r"\bSK[0-9a-f]{32}\b"),
    rule("SendGrid", "SG.", 3.5, r"\bSG\.[\w-]{22}\.[\w-]{43}\b"),
    rule("Mailgun", "key-", 3.0, r"\bkey-[0-9a-f]{32}\b"),
    rule("Mailchimp", "-us", 3.0, r"\b[0-9a-f]{32}-us\d{1,2}\b"),
    rule(
        "Brevo",
        "xkeysib-",
        3.0,
        r"\bxkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}\b",
    ),
    rule(
        "Postman",
        "PMAK-",
        3.0,
        r"\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}\b",
    ),
    rule(
        "Linear",
        "lin_",
        3.3,
        r"\blin_(?:api|oauth)_[A-Za-z0-9]{32,64}\b",
    ),
    rule("Notion", "ntn_", 3.3, r"\bntn_[A-Za-z0-9]{40,60}\b"),
    rule("Notion", "secret_", 3.5, r"\bsecret_[A-Za-z0-9]{43}\b"),
    rule("Figma", "fig", 3.3, r"\bfig[dou]r?_[\w-]{40,64}"),
    rule(
        "Airtable",
        "pat",
        3.3,
        r"\bpat[A-Za-z0-9]{14}\.[0-9a-f]{64}\b",
    ),
    rule(
        "Asana",
        "/1",
        3.3,
        r"\b[012]/\d{16}(?:/\d{16})?:[0-9a-f]{32}\b",
    ),
    rule(
        "Dropbox",
        "sl.",
        3.8,
        r"\bsl\.(?:u\.)?[A-Za-z0-9_-]{130,1000}",
    ),
    rule(
        "Grafana",
        "glsa_",
        3.0,
        r"\bglsa_[A-Za-z0-9]{32}_[0-9a-f]{8}\b",
    ),
    rule("Grafana", "glc_", 3.5, r"\bglc_[A-Za-z0-9+/]{32,400}={0,3}"),
    rule(
        "New Relic",
        "NR",
        3.0,
        r"\bNR(?:AK|II|JS)-[A-Za-z0-9_-]{19,64}\b",
    ),
    rule(
        "Sentry",
        "sntry",
        3.3,
        r"\bsntr(?:ys|yu)_[A-Za-z0-9+/=_]{60,400}",
    ),
    rule("PostHog", "phx_", 3.3, r"\bphx_[A-Za-z0-9_]{43,60}\b"),
    rule(
        "Dynatrace",
        "dt0c01.",
        3.3,
        r"\bdt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64}\b",
    ),
    rule("Vault", "hv", 3.3, r"\bhv[sb]\.[\w-]{24,300}"),
    rule(
        "Terraform",
        ".atlasv1.",
        3.5,
        r"\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}",
    ),
    rule("Pulumi", "pul-", 3.0, r"\bpul-[0-9a-f]{40}\b"),
    rule(
        "Doppler",
        "dp.",
        3.3,
        r"\bdp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}\b",
    ),
    rule(
        "1Password",
        "ops_eyJ",
        3.5,
        r"\bops_eyJ[A-Za-z0-9+/=_-]{200,}",
    ),
    rule(
        "1Password",
        "A3-",
        3.3,
        r"\bA3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}\b",
    ),
    rule(
        "Age",
        "AGE-SECRET-KEY-1",
        3.5,
        r"\bAGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}\b",
    ),
    rule(
        "Okta",
        "okta",
        3.5,
        r#"(?i)okta(?u:.{0,30}?)["'\s=:](00[\w-]{40})\b"#,
    ),
    rule(
        "Tailscale",
        "tskey-",
        3.3,
        r"\btskey-[a-z]{2,10}-[A-Za-z0-9-]{20,80}",
    ),
    rule("Buildkite", "bkua_", 3.0, r"\bbkua_[0-9a-f]{40}\b"),
    rule(
        "CircleCI",
        "CCIP",
        3.3,
        r"\bCCIP(?:AT|RJ)_[A-Za-z0-9]{20,24}_[0-9a-f]{40}\b",
    ),
    rule("SonarQube", "sq", 3.0, r"\bsq[apu]_[0-9a-f]{40}\b"),
    rule("Typeform", "tfp_", 3.3, r"\btfp_[\w.=-]{44,60}"),
    rule("Frame.io", "fio-u-", 3.3, r"\bfio-u-[\w=-]{64}\b"),
    rule("EasyPost", "EZ", 3.3, r"\bEZ[AT]K[A-Za-z0-9]{54}\b"),
    rule(
        "Duffel",
        "duffel_",
        3.3,
        r"\bduffel_(?:test|live)_[\w=-]{43}\b",
    ),
    rule(
        "Shippo",
        "shippo_",
        3.0,
        r"\bshippo_(?:live|test)_[0-9a-f]{40}\b",
    ),
    rule("Prefect", "pn", 3.3, r"\bpn[ub]_[A-Za-z0-9]{36}\b"),
    rule("ReadMe", "rdme_", 3.3, r"\brdme_[a-z0-9]{70}\b"),
    rule("Clojars", "CLOJARS_", 3.0, r"\bCLOJARS_[a-z0-9]{60}\b"),
    rule("Contentful", "CFPAT-", 3.3, r"\bCFPAT-[\w-]{43}\b"),
    rule("Adafruit", "aio_", 3.3, r"\baio_[A-Za-z0-9]{28}\b"),
    rule("Alibaba", "LTAI", 3.3, r"\bLTAI[A-Za-z0-9]{12,20}\b"),
    rule("Tencent", "AKID", 3.5, r"\bAKID[A-Za-z0-9]{32}\b"),
    rule("Yandex", "t1.9eu", 3.5, r"\bt1\.9eu[\w-]{100,400}"),
    rule(
        "JSON Web Token",
        "eyJ",
        3.5,
        r"\beyJ[\w-]{15,2000}\.eyJ[\w-]{15,4000}\.[\w-]{20,1000}",
    ),
    rule(
        "password in an address",
        "://",
        2.5,
        r#"\b[a-z][a-z0-9+.-]{1,20}://(?u:[^\s:/@"'<>{}$\[\]]{1,64}):((?u:[^\s/@"'<>{}$\[\]*]{6,128}))@[A-Za-z0-9.-]{3,}"#,
    ),
    rule(
        "bearer token",
        "Bearer ",
        3.8,
        r"(?i)authorization[\x22']?\s{0,2}[:=]\s{0,2}[\x22']?bearer ([A-Za-z0-9._~+/-]{24,2000}=*)",
    ),
    rule(
        "basic sign-in",
        "Basic ",
        3.5,
        r"(?i)authorization[\x22']?\s{0,2}[:=]\s{0,2}[\x22']?basic ([A-Za-z0-9+/]{16,400}={0,2})",
    ),
];

#[cfg(test)]
mod tests {
    use super::RULES;

    #[test]
    fn every_rule_compiles() {
        for rule in &RULES {
            assert!(rule.regex().is_some(), "{} {}", rule.name, rule.word);
        }
    }
}
