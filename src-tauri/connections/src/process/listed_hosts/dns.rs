//! Answers a server's questions about names, as a resolver does (RFC 1035).
//!
//! Always true here: nobody else is asked, so that no name that the server makes up leaves this
//! computer; and what is no question is not answered.

use super::Shared;
use super::names::{Found, Names};
use crate::{HostOutcome, HostUses};
use simple_dns::rdata::{A, RData};
use simple_dns::{
    CLASS, Name, OPCODE, Packet, PacketFlag, QCLASS, QTYPE, RCODE, ResourceRecord, TYPE,
    header_buffer,
};
use std::sync::{Arc, PoisonError};
use std::time::Duration;
use tokio::net::UdpSocket;
use tokio::time::sleep;

/// A question is one name; this is more than one can take, with what may come along.
const LONGEST: usize = 1232;
/// How long an answer is current, in seconds. It does not change as long as the server runs.
const TTL: u32 = 60;
/// What a question costs.
const PRICE: Duration = Duration::from_micros(25);
/// How often the receiving is tried again after it failed.
const AGAIN: Duration = Duration::from_millis(100);

/// Answers questions, for as long as it is polled.
pub(super) async fn answer(socket: UdpSocket, shared: Arc<Shared>) {
    let mut bytes = [0; LONGEST];
    loop {
        match socket.recv_from(&mut bytes).await {
            Ok((length, from)) => {
                if let Some(answer) = reply(&bytes[..length], &shared) {
                    // One for which there is no room is asked for once more.
                    let _ = socket.try_send_to(&answer, from);
                }
            }
            Err(_) => sleep(AGAIN).await,
        }
        // What finds no room meanwhile is lost.
        shared.pay(PRICE).await;
    }
}

fn reply(question: &[u8], shared: &Shared) -> Option<Vec<u8>> {
    let mut names = shared.names.lock().unwrap_or_else(PoisonError::into_inner);
    answer_to(question, &mut names, &shared.uses)
}

/// The answer to one question; none if it is no question.
fn answer_to(bytes: &[u8], names: &mut Names, uses: &HostUses) -> Option<Vec<u8>> {
    // Before more is read of it: it may say that it holds tens of thousands.
    let counts = [
        header_buffer::questions(bytes),
        header_buffer::answers(bytes),
        header_buffer::name_servers(bytes),
    ];
    let is_one_question = counts == [Ok(1), Ok(0), Ok(0)];
    if !is_one_question || header_buffer::additional_records(bytes).ok()? > 1 {
        return None;
    }
    let packet = Packet::parse(bytes).ok()?;
    let [question] = packet.questions.as_slice() else {
        return None;
    };
    if packet.has_flags(PacketFlag::RESPONSE) || packet.opcode() != OPCODE::StandardQuery {
        return None;
    }
    let mut reply = Packet::new_reply(packet.id());
    reply.set_flags(PacketFlag::RECURSION_AVAILABLE);
    if packet.has_flags(PacketFlag::RECURSION_DESIRED) {
        reply.set_flags(PacketFlag::RECURSION_DESIRED);
    }
    reply.questions.push(question.clone());
    match host_name(&question.qname).map(|name| (names.look_up(&name), name)) {
        Some((Found::At(address), _)) => {
            let is_asked_for = question.qtype == QTYPE::TYPE(TYPE::A)
                && question.qclass == QCLASS::CLASS(CLASS::IN);
            // Of anything else there is nothing: the name is there all the same.
            if is_asked_for {
                reply.answers.push(ResourceRecord::new(
                    question.qname.clone(),
                    CLASS::IN,
                    TTL,
                    RData::A(A::from(address)),
                ));
            }
        }
        Some((Found::TooMany, _)) => *reply.rcode_mut() = RCODE::ServerFailure,
        Some((Found::NotListed, name)) => {
            uses.note(&name, None, HostOutcome::NotListed, None);
            *reply.rcode_mut() = RCODE::NameError;
        }
        None => *reply.rcode_mut() = RCODE::NameError,
    }
    reply.build_bytes_vec().ok()
}

/// The name as hosts are listed. None if it is none of a host: it cannot be listed, and is not shown
/// to anybody.
fn host_name(name: &Name<'_>) -> Option<String> {
    let parts: Vec<&str> = name
        .as_bytes()
        .map(|part| std::str::from_utf8(part).ok())
        .collect::<Option<_>>()?;
    let is_of_host = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    let is_name = !parts.is_empty() && parts.iter().all(|part| part.chars().all(is_of_host));
    is_name.then(|| parts.join(".").to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use protocol::ListedHost;
    use simple_dns::Question;
    use simple_dns::rdata::OPT;

    fn asked(name: &str, kind: TYPE) -> Packet<'_> {
        let mut packet = Packet::new_query(7);
        packet.set_flags(PacketFlag::RECURSION_DESIRED);
        packet.questions.push(Question::new(
            Name::new_unchecked(name),
            kind.into(),
            CLASS::IN.into(),
            false,
        ));
        packet
    }

    /// What comes back, in words.
    fn answered(question: &Packet<'_>, uses: &HostUses) -> String {
        let mut names = Names::new(vec![ListedHost::parse("api.example").unwrap()]);
        let Some(bytes) = answer_to(&question.build_bytes_vec().unwrap(), &mut names, uses) else {
            return "nothing".to_owned();
        };
        let reply = Packet::parse(&bytes).unwrap();
        assert_eq!((reply.id(), reply.questions.len()), (7, 1));
        assert!(reply.has_flags(PacketFlag::RESPONSE | PacketFlag::RECURSION_DESIRED));
        let answers = reply.answers.iter().map(|answer| match &answer.rdata {
            RData::A(A { address }) => {
                format!("{} {}", answer.name, std::net::Ipv4Addr::from(*address))
            }
            other => format!("{other:?}"),
        });
        let answers: Vec<_> = answers.collect();
        format!("{:?} {}", reply.rcode(), answers.join(" "))
    }

    #[test]
    fn a_listed_name_has_an_address_and_others_are_not_there() {
        let uses = HostUses::default();
        let of = |name: &str, kind| answered(&asked(name, kind), &uses);
        assert_eq!(of("api.example", TYPE::A), "NoError api.example 127.64.0.1");
        assert_eq!(of("API.example", TYPE::A), "NoError API.example 127.64.0.1");
        assert_eq!(of("api.example", TYPE::AAAA), "NoError ");
        assert_eq!(of("api.example", TYPE::TXT), "NoError ");
        assert_eq!(of("localhost", TYPE::A), "NoError localhost 127.0.0.1");
        assert_eq!(of("evil.example", TYPE::A), "NameError ");
        assert_eq!(of("Evil.example", TYPE::AAAA), "NameError ");
        assert_eq!(of("a\u{202e}b.example", TYPE::A), "NameError ");
        let noted: Vec<_> = uses
            .all()
            .into_iter()
            .map(|one| (one.host, one.port, one.outcome, one.count))
            .collect();
        assert_eq!(
            noted,
            [("evil.example".to_owned(), None, HostOutcome::NotListed, 2)]
        );
    }

    #[test]
    fn what_comes_along_with_a_question_does_no_harm() {
        let mut question = asked("api.example", TYPE::A);
        *question.opt_mut() = Some(OPT {
            opt_codes: Vec::new(),
            udp_packet_size: 1232,
            version: 0,
        });
        assert_eq!(
            answered(&question, &HostUses::default()),
            "NoError api.example 127.64.0.1"
        );
    }

    #[test]
    fn what_is_no_question_is_not_answered() {
        let uses = HostUses::default();
        let mut answer = asked("api.example", TYPE::A);
        answer.set_flags(PacketFlag::RESPONSE);
        assert_eq!(answered(&answer, &uses), "nothing");
        let mut two = asked("api.example", TYPE::A);
        two.questions.push(two.questions[0].clone());
        assert_eq!(answered(&two, &uses), "nothing");
        assert_eq!(answered(&Packet::new_query(7), &uses), "nothing");
        let mut update = asked("api.example", TYPE::A);
        *update.opcode_mut() = OPCODE::Update;
        assert_eq!(answered(&update, &uses), "nothing");
    }

    proptest! {
        #[test]
        fn junk_is_dropped(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
            let uses = HostUses::default();
            let mut names = Names::new(vec![ListedHost::parse("*.a.example").unwrap()]);
            answer_to(&bytes, &mut names, &uses);
            prop_assert!(uses.all().len() <= 1);
        }

        #[test]
        fn a_question_that_was_damaged_is_answered_or_dropped(
            name in "([a-z]{1,5}\\.){0,3}a\\.example",
            extra in proptest::collection::vec(any::<u8>(), 0..40),
            changes in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 0..8),
        ) {
            let mut bytes = asked(&name, TYPE::A).build_bytes_vec().unwrap();
            bytes.extend(extra);
            for (index, value) in changes {
                let index = index.index(bytes.len());
                bytes[index] = value;
            }
            let uses = HostUses::default();
            let mut names = Names::new(vec![ListedHost::parse("*.a.example").unwrap()]);
            if let Some(answer) = answer_to(&bytes, &mut names, &uses) {
                prop_assert!(answer.len() <= 600);
                prop_assert_eq!(&answer[..2], &bytes[..2]);
            }
        }
    }
}
