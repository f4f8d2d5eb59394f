//! Made-up texts of several kinds, the same in each run, with nothing in them that is to be found.

use protocol::ToolSpec;
use serde_json::json;

/// Makes the next piece of a text.
type Piece = fn(&mut Random) -> String;

/// A text of each kind that has this length, with its name.
pub fn of_length(length: usize) -> Vec<(&'static str, String)> {
    let kinds: [(&str, Piece); 6] = [
        ("prose", prose),
        ("json", record),
        ("log", log_line),
        ("code", code),
        ("chinese", chinese),
        ("base64", base64),
    ];
    let text = |(name, piece): (&'static str, Piece)| {
        let mut random = Random(0x2545_F491_4F6C_DD1D);
        let mut text = String::new();
        while text.len() < length {
            text.push_str(&piece(&mut random));
        }
        text.truncate(text.floor_char_boundary(length));
        (name, text)
    };
    kinds.map(text).into()
}

/// So many definitions of tools.
pub fn tools(count: usize) -> Vec<ToolSpec> {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    (0..count)
        .filter_map(|index| tool(index, &mut random))
        .collect()
}

fn tool(index: usize, random: &mut Random) -> Option<ToolSpec> {
    let (verb, noun) = (random.of(&VERBS), random.of(&NOUNS));
    let description = format!(
        "{verb}s the {noun} of a project. {} {} Returns a list of {noun}s with their ids, in the \
         order in which they were made.",
        random.of(&SENTENCES),
        random.of(&SENTENCES),
    );
    let tool = json!({
        "name": format!("{}_{noun}_{index}", verb.to_lowercase()),
        "title": format!("{verb} {noun}s"),
        "description": description,
        "inputSchema": {
            "type": "object",
            "properties": {
                "project_id": {"type": "string", "description": format!("The id of the project that has the {noun}.")},
                "page": {"type": "integer", "minimum": 1, "default": 1, "description": "Which page of the list is wanted, from 1 on."},
                "order": {"type": "string", "enum": ["newest", "oldest", "largest"], "description": "How the list is sorted; the newest come first if nothing is said."},
                "labels": {"type": "array", "items": {"type": "string"}, "description": random.of(&SENTENCES)},
            },
            "required": ["project_id"],
            "$schema": "http://json-schema.org/draft-07/schema#",
        },
        "annotations": {"readOnlyHint": true, "title": format!("{verb} {noun}s")},
    });
    inspect::definition(tool).ok()
}

fn prose(random: &mut Random) -> String {
    let end = if random.below(6) == 0 { "\n\n" } else { " " };
    format!("{}{end}", random.of(&SENTENCES))
}

fn record(random: &mut Random) -> String {
    let record = json!({
        "id": random.below(9_999_999), "name": format!("{} {}", random.of(&NOUNS), random.of(&NOUNS)),
        "url": format!("https://api.example.org/v2/{}s/{}?page={}", random.of(&NOUNS), random.below(999), random.below(9)),
        "created_at": format!("2026-0{}-1{}T0{}:14:5{}Z", 1 + random.below(8), random.below(9), random.below(9), random.below(9)),
        "description": random.of(&SENTENCES), "size": random.below(99_999), "is_open": random.below(2) == 0,
        "labels": [random.of(&NOUNS), random.of(&VERBS)], "note": "one line\nand \"another\"",
    });
    format!("{record}\n")
}

fn log_line(random: &mut Random) -> String {
    format!(
        "2026-07-2{}T1{}:0{}:1{}.{:06}Z {} worker-{} {}::{}: {} took={}ms id={:08x}\n",
        random.below(9),
        random.below(9),
        random.below(9),
        random.below(9),
        random.below(999_999),
        random.of(&["INFO", "DEBUG", "WARN", "ERROR"]),
        random.below(16),
        random.of(&NOUNS),
        random.of(&NOUNS),
        random.of(&SENTENCES),
        random.below(999),
        random.next() as u32,
    )
}

fn code(random: &mut Random) -> String {
    let (one, other, number) = (random.of(&NOUNS), random.of(&NOUNS), random.below(999));
    format!(
        "/// {}\npub fn {one}_of_{other}({other}s: &mut Vec<{other}::Part>) -> Result<usize, Error> {{\n    \
         let mut count = {number};\n    for part in {other}s.iter().filter(|part| !part.is_empty()) {{\n        \
         if part.len() >= {number} && count % 2 == 0 {{\n            return Err(Error::new(\"no \\\"{one}\\\" here\\n\"));\n        \
         }}\n        count += part.{one} * 2;\n    }}\n    Ok(count)\n}}\n\n",
        random.of(&SENTENCES)
    )
}

fn chinese(random: &mut Random) -> String {
    random.of(&CHINESE).to_owned()
}

fn base64(random: &mut Random) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut line: String = (0..76)
        .map(|_| char::from(DIGITS[random.below(64)]))
        .collect();
    line.push('\n');
    line
}

/// Numbers by chance, the same in each run (xorshift of Marsaglia).
pub struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() >> 16) as usize % end
    }

    fn of(&mut self, texts: &[&'static str]) -> &'static str {
        texts[self.below(texts.len())]
    }
}

const VERBS: [&str; 8] = [
    "Get", "List", "Find", "Count", "Show", "Compare", "Read", "Export",
];
const NOUNS: [&str; 16] = [
    "order", "river", "page", "branch", "report", "ticket", "image", "street", "invoice", "planet",
    "folder", "recipe", "train", "garden", "module", "window",
];
const SENTENCES: [&str; 24] = [
    "The server answered in twelve milliseconds, as it did on Monday; nothing else is known.",
    "When the river rises above the second mark, the gates at the lower end are closed by hand.",
    "A list of all streets can be had at the town hall, where it is kept in the second room.",
    "Each page holds at most fifty entries, and the number of the last page stands at its foot.",
    "It was a bright cold day, and the clocks of the old town were a little late, as usual.",
    "Use the filter to show only those that were changed in the last seven days.",
    "The user sees a short summary first and may open the details below it.",
    "Errors are written to the log with their time, and the oldest are dropped first.",
    "Nobody had counted the trees in the garden since the autumn of the year before.",
    "The recipe wants two eggs, a cup of milk, and a pinch of salt; stir it well before baking.",
    "Trains to the coast run every hour, except on Sundays, when they run every other hour.",
    "If no order is given, the newest come first and the others follow by name.",
    "The third planet has one moon, which always shows it the same side.",
    "This module reads a file line by line and returns how many of them are empty.",
    "He said that the window had been open all night, though nobody could remember why.",
    "The report of last year should be compared with that of this year before any decision.",
    "Parts that are worn out must be replaced in pairs; see the table on the next page.",
    "In the north the ground stays frozen until May, and little grows there but moss.",
    "Values are rounded to two places, so that their sum may differ a little from the total.",
    "She opened the folder, read the first page twice, and put it back without a word.",
    "The branch was merged after two people had looked at it and all checks had passed.",
    "An invoice is sent at the end of the month to the address that is on record.",
    "Images are scaled down to a width of eight hundred points when they are larger.",
    "What the old map calls a road is nowadays hardly more than a path through the fields.",
];
const CHINESE: [&str; 8] = [
    "服务器在十二毫秒内作出了回应，与周一相同，其他情况尚不清楚。",
    "河水上涨到第二个标记时，下游的闸门由人工关闭。",
    "每页最多显示五十条记录，页码在页面底部。",
    "那是一个明亮而寒冷的日子，老城的钟照例慢了一点。",
    "开往海边的火车每小时一班，星期天除外。",
    "第三颗行星有一个卫星，它总是以同一面朝向行星。\n",
    "北方的土地到五月才解冻，那里除了苔藓几乎什么也不长。",
    "图片的宽度超过八百像素时会被缩小（version 2）。",
];
