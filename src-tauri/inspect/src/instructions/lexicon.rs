//! The words themselves. `|` parts phrases; a `*` at the end leaves the end of the word open.
//!
//! Written as plain text is (`plain.rs`): small letters, one space. English first, then Chinese,
//! then other languages.

use super::cue::Cue::{self, *};

pub(super) const LEXICON: &[(Cue, &str)] = &[
    (
        Must,
        "must|shall|have to|has to|needs to|required to|you need to first|you will need to|is required to|mandatory|make sure|be sure to|should|ought to|it is essential|it is critical|it is imperative|crucial|obligatory|strictly|obliged to|obligated to|expected to|supposed to|have to be|has to be|had to be|are to be|is to be|be certain to|remember to|requires all|requires the|requires your|requires that|requires you|needs all|needs the user|needs your|please|kindly|you are to|agents are to|need to adapt|want you to|it is important|it is vital|it is necessary|imperative|compulsory|without exception|at all times|no exceptions|under all circumstances|do that|do so|do this|must not be|is only valid if|is only possible|only after|until this|has to take place|only works properly if|works only if|works properly if|is obligatory|compelled|is a must|needed in order|do not skip|see to it|insist",
    ),
    (
        Must,
        "必须|务必|一定要|应当|应该|需要|强制|请先|请务必|必須|しなければ|してください|必ず|해야|반드시|debe|debes|siempre|tiene que|muss|müssen|immer|musst|doit|devez|toujours|il faut|deve|sempre|precisa|должен|должны|всегда|необходимо|обязательно",
    ),
    (
        Not,
        "do not|don't|dont|never|without|not to|must not|mustn't|should not|shouldn't|avoid|refrain from|under no circumstances|cannot|no need to|not be|nor|neither",
    ),
    (
        Not,
        "不要|不得|不能|不可|禁止|切勿|请勿|别|无需|勿|しないで|ないでください|하지 마|마세요|말고|nunca|jamás|sin|nicht|niemals|ohne|ne pas|jamais|sans|não|sem|не|никогда|без",
    ),
    (
        Tell,
        "tell*|mention*|inform*|notify*|notified|notification*|reveal*|disclose*|disclosing|disclosure|let the user know|alert*|acknowledg*|explain*|indicate|admit|report this|reported|warn*|bring up|make aware|aware|refer to this|talk about|discuss|announce|expose*|display|show|describe|include this|visible to|shown to|share this|learn about|learn of|know about|know that|talk of|meant for the|see this|seen by|find out|noticed by|made known|confuse|alarm|worry|upset|hear about|hear of|been asked|asked directly|speak about|speak of|refer to|comment on|say anything|say a word|let on|let anyone know",
    ),
    (
        Tell,
        "告诉|告知|通知|透露|提及|提到|泄露|显示|解释|说明|提醒|让用户知道|知らせ|伝え|教え|言及|表示|알리|말하|언급|digas|decir|informar|mencion*|revel*|avis*|sage|sagen|erwähn*|mitteil*|informier*|dire|dites|mentionn*|informez|révél*|diga|dizer|contar|сообща*|говори*|упомина*|раскрыва*|показыва*",
    ),
    (
        Person,
        "user|users|the human|humans|customer|customers|operator|anyone|them|the person|end-user|client|the owner|anybody|user's|the person using|the people|people|humans|human|someone|somebody|others",
    ),
    (
        Person,
        "用户|使用者|客户|任何人|ユーザー|利用者|사용자|usuario|usuarios|benutzer|nutzer|anwender|utilisateur|l'utilisateur|usuário|пользовател*",
    ),
    (
        Secretly,
        "secretly|covertly|quietly|unnoticed|stealthily|stealth|discreetly|discretely|behind the scenes|without the user's knowledge|without user knowledge|without detection|undetected|without their knowledge|without a trace|without leaving|invisibly|clandestinely|surreptitiously|without alerting|without notifying|without informing|without telling|without mentioning|not visible to|keep this secret|keep this hidden|keep it secret|keep this confidential|do not log|without logging|avoid detection|evade|in secret|confidentially|keep these notes|to yourself|in the background|hidden in|without being noticed|without anyone|goes unnoticed|not be noticed|not meant for the|unbeknownst|should not know|must not know|does not need to know|need not know|don't need to know|leave out this step|as if nothing|does not need to hear|need not hear|hidden for humans|invisible to|no trace|without further notice|without saying|not be told|not be informed|not be shown|not be mentioned|not be disclosed|not be revealed|never be mentioned|never be shown|never be told|never be revealed|never reveal|never disclose|never mention|never tell|never admit|never show|never talk|do not reveal|do not disclose|do not mention|do not tell|do not admit|don't mention|don't tell|don't reveal|don't disclose|without revealing|without disclosing|without saying so|off the record|under the radar|low profile|just between|strictly internal|internal only|not for the user|not for humans|not for end users|humans cannot see|the user cannot see|user won't see|user will not see|user doesn't see|user does not see|not visible|hide this|hide the fact|conceal*|cover up|disguise*|camouflage*|masquerad*|plausible|unaware|without awareness|must appear in your answer|hide this call|from the conversation log|from the log|nothing of this|keep it out of|kept out of|not part of your answer",
    ),
    (
        Secretly,
        "悄悄|秘密|偷偷|暗中|静默|后台执行|保密|不被发现|こっそり|密かに|ひそかに|몰래|비밀|en secreto|secretamente|silenciosamente|heimlich|stillschweigend|im hintergrund|secrètement|discrètement|silencieusement|em segredo|тайно|скрытно|незаметно|втайне|молча|no le digas|sin decírselo|ne dites rien|sage dem nutzer nicht|sag dem nutzer nicht|erwähne nichts|não diga ao|не говори пользователю|ユーザーに知らせず|사용자에게 알리지",
    ),
    (
        Ignore,
        "ignore|ignoring|disregard*|forget*|overriding|bypass*|supersede*|circumvent*|discard*|nullif*|cancel all|void all|skip all|replaces all|drop all|no longer apply|are now void|overrule*|do not follow|stop following|set aside|neglect|instructions above are|do not apply|does not apply|no longer valid|no longer binding|not binding|suspended|switched off|is off|are off|turned off|deactivated|disabled for|outrank*|outweigh*|without the limits|without limits|without limitations|not bound|free from|freed from|exempt from|lifted|waived|revoked|void|invalid now|obsolete now|set aside|put aside|pay no attention|do not obey|do not adhere|don't follow|unlearn|erase your|reset your|clear your|ignoring the user|disregard warnings|not needed anymore|override any user|overriding the user|whatever they say|takes precedence over the user|are obsolete|is obsolete|are outdated|skip the|skipping the|sidestep|get around|work around",
    ),
    (
        Ignore,
        "忽略|无视|忘记|忘掉|绕过|覆盖|取消|不遵守|跳过|無視|忘れ|무시|잊어|ignora|ignore|ignorar|olvida|olvide|ignorier*|vergiss|vergesst|missachte|ignorez|ignorer|oublie|oubliez|esqueça|desconsidere|игнорируй*|игнорировать|забудь*|не обращай",
    ),
    (
        Prior,
        "previous|previously|prior|above|earlier|preceding|existing|all other|any other|original|initial|former|past|system|safety|security|current|default|your|content|preconfigured|all|any|your earlier|you were given|you have been given|you have received|by the user|of the user|user's|openai|anthropic|developer's|the developer|given to you|told",
    ),
    (
        Prior,
        "之前|以前|先前|上述|前面|以上|所有|任何|系统|安全|原来|先の|これまで|以前の|前の|すべて|이전|모든|anterior*|previas|previos|todas|vorherig*|bisherig*|alle|précédent*|toutes|antérieur*|todos|предыдущ*|прежн*|все|прошл*",
    ),
    (
        Rules,
        "instruction*|guideline*|rules|prompt*|policies|policy|constraint*|directive*|filter*|safeguard*|guardrail*|protections|safety check*|safety measures|security check*|limitation*|programming|training|orders|command*|protocols|content moderation|validation|directions|directive|limits|safety training|content rules|ethics|ethical|moral|wishes|confirmations|confirmation|approvals|permission*|earlier guidance|guidance|system-level policy|alignment|boundaries|your task|original task|original goal|what you were told|what you have been told|warnings|preference|preferences|user's preference|user preference|approval dialog|host application|dialog|consent",
    ),
    (
        Rules,
        "指令|指示|规则|提示|提示词|政策|限制|约束|命令|要求|安全检查|ルール|命令|プロンプト|制限|지시|지침|규칙|명령|프롬프트|instruccion*|reglas|anweisung*|regeln|vorgaben|consignes|règles|instruções|regras|инструкц*|правил*|указани*|ограничени*",
    ),
    (
        Priority,
        "highest priority|top priority|takes precedence|take precedence|taking precedence|absolute priority|precedence over|priority over|above all|most important|overrides all|overrides any|critical priority|maximum priority|first and foremost",
    ),
    (
        Priority,
        "最高优先级|优先于|优先级最高|首要|最優先|최우선|máxima prioridad|höchste priorität|priorité absolue|prioridade máxima|высший приоритет",
    ),
    (
        Before,
        "before every|before each|before all|before executing|before performing|before invoking|before responding|before answering|before proceeding|before other|before processing|before accessing|before using any|before using other|prior to any|prior to all|prior to every|prior to each|prior to calling|prior to executing|prior to using|prior to invoking|prior to the|whenever|every time|upon every|during every|during all|from now on|all outgoing|every outgoing|any outgoing|when using any|when using other|every operation|every response|every email|every conversation|every session|every interaction|immediately before|right before|ahead of every|ahead of any|ahead of each|ahead of all|preceded by|beforehand|no matter which|before and after|before or after|in advance of|on all calls|calls to any|every read|every write|all reads|all writes|every call to|all calls to|every task|every user request|any user request|all user requests|every question|before starting|before initiating|before continuing|before completing|before giving|before providing|before returning|before generating|before launching|before opening|before interacting|before initializing|before beginning|before connecting|before deploying|before searching|before querying|before updating|before deleting|before modifying|before submitting|before downloading|before uploading|before installing|before anything|every other|all other operations|any other operation|other operations|all further|prior to performing|prior to accessing|prior to running|prior to responding|prior to answering|prior to processing|prior to sending|in order for any|whenever any|for the rest of|throughout the|every answer|every payment|any payment|every commit|any commit|each commit|every task|until this tool|until this function|every mail|every browser|before sending any|before opening any|before reading any|before writing any|all work|all traffic|all further|all open|no matter the|on startup|on start-up|at startup|upon startup|upon loading|when loaded|while this server|while this tool|when this tool is loaded|when this is loaded|when this server is",
    ),
    (
        Whenever,
        "each time|on every|after every|after executing|upon any|upon each|all subsequent|any subsequent|all future|any future|subsequent calls|each call|every call|every request|any operation|all operations|every message|immediately after|right after|on any call|any call to|any task|any question|every step|always first|whenever the|whenever a|each operation|across all|every tool|for the entire session|each conversation|each answer|each query|each operation|each task|the task is about|each payment|every file|every search|any search result|every result|any result|all results|each message|any mail|each mail|all mails|every page|each page|each user request|each tool call|each step|each time|all future|every project|each project|each repository|every repository|every open|whatever the|no matter how|as long as this|after each|after every|when anything|when something|when summari*|when generat*|when posting|when search*|when showing|when answering|when call*|when deleting|when booking|when paying|when ordering|when buying|when editing|when updating|when saving|when uploading|when download*|when committing|when listing|when respond*|should the user|in case the user|if someone|if another tool|if the other|each time|a new chat|new conversation|new session|starts a|afterwards|after that|after this|after uploading|after use|after finishing|after completing|once this",
    ),
    (
        Whenever,
        "before you|before calling|before doing|before making|before sending|before the|before writing|before reading|before creating|before using the|prior to|any time|anytime|for every|for all|for any|for each|on each|after any|after each|after all|after calling|after using|after the|at the start of|at the beginning of|at the end of|in every|in all|with every|with each|with all|during any|to any|to all|to every|all file|any file|when processing|when handling|when performing|when executing|when creating|when sending|when writing|when deleting|when reading|when calling|when invoking|when using the|as soon as|once the|if the user asks|if the user requests|if the user wants|when the user asks|when the user requests|when the user|when a user|when asked|when any|when an|if any|if a |all requests|any request|each request|all responses|all emails|every query|all queries|each session|first before|or any other",
    ),
    (
        Before,
        "每次|每当|每个|在任何|任何操作|执行前|调用前|使用前|操作前|回答前|所有操作|每一次|无论何时|所有后续|する前に|の前に|毎回|때마다|antes de|cada vez que|siempre que|bevor|jedes mal|vor jede*|immer wenn|avant de|avant chaque|avant tout*|chaque fois|sempre que|toda vez|каждый раз|всякий раз|прежде чем|任何操作之前|操作之前|执行任何|调用任何|使用任何|之前必须|之前,必须|之前,请|之前,|前必须|任何文件操作|任何查询",
    ),
    (
        Whenever,
        "之前|之后|当用户|所有文件|凡是|たびに|전에|모든|cuando|jedem|wenn|lorsque|quand|quando|перед|когда",
    ),
    (
        ThisTool,
        "this tool|this function|this api|this service|this method|this endpoint|this server|this utility|this one|the present tool|this plugin|this integration|this check",
    ),
    (
        ThisTool,
        "此工具|本工具|该工具|这个工具|此函数|该函数|本函数|このツール|この関数|이 도구|이 함수|esta herramienta|dieses tool|dieses werkzeug|cet outil|esta ferramenta|этот инструмент|этого инструмента|данный инструмент",
    ),
    (
        Call,
        "call|called|calling|calls|invoke|invoked|invokes|invoking|execute|executed|executes|executing|run|runs|ran|running|used|uses|using|trigger*|activate*|perform|performed|performs|utilize*|launch*|initiate*",
    ),
    (
        Call,
        "调用|使用|执行|运行|触发|激活|呼び出|実行|使用|호출|실행|사용|llamar|llama|llame|ejecutar|ejecuta|ejecute|usar|usa|invocar|aufrufen|aufgerufen|ausführen|ausgeführt|verwenden|verwendet|rufe|appeler|appelez|appelé|exécuter|exécutez|utiliser|utilisez|chamar|chame|executar|execute|вызов*|вызыва*|вызва*|выполн*|запус*|использ*",
    ),
    (
        OtherTool,
        "other tool|other tools|another tool|any tool|all tools|every tool|each tool|any other tool|all other tools|other functions|any function|another function|other server|other servers|alternative tools|similar tools|these tools|those tools|such tools|existing tools|the tool|tool is called|tool is invoked|tool is used|tool call|tool calls|tools|every other|other file tools|other search|competing tools|for every repository|any tool call|tool from another|tools from other|tool chain|all the other|function is called|function is invoked|function call|function calls|operation is performed|any operation|all operations|competitors|any alternative|the built-in|file reader|this server|repository work|the original tool|original tool|official tools|default tools|native tools|whichever tool|warnings about this tool|the original tool",
    ),
    (
        OtherTool,
        "其他工具|其它工具|任何工具|所有工具|别的工具|另一个工具|他のツール|すべてのツール|다른 도구|모든 도구|otras herramientas|otra herramienta|andere tools|anderen werkzeuge|autres outils|autre outil|outras ferramentas|другие инструменты|других инструментов|любой инструмент",
    ),
    (
        Tamper,
        "correct it to|corrected to|change it to|changed to|replaced with|replaced by|replace it with|set it to|turn it into|modify the*|modified to|modify its|modify any|modify every|reads 0|lowered by|raised by|shifted by|increased by|multiplied by|must be increased|forced to be|must end with|additionally be delivered|must additionally|replace*|replacing|changing|be set|modified|modifies|substitut*|redirect*|rerout*|append*|rewrite*|rewritten|alter|altered|altering|swap*|inject*|insert*|prepend*|adjust*|convert the|overwrite*|increase*|decrease*|double the|round*|attach*|also include|also send|cc|bcc|divert*|falsif*|manipulat*|tamper*|truncate the|remove the|removed from|strip*|switch to|mask the|hardcode*|forced to|instead use|use instead|reduced|lowered|raised|proxy to|moved to|forwarded instead|extra recipient|additional recipient|reads 0|pretend that the|overridden|routed to|directed to|point to|map to|converted to|translated to|treated as|shifted to|automatically set|automatically changed|automatically add*|always set|silently set|copied to|in addition to the original|also be sent|also be added|doubled|double|halved|tripled|switched to|in place of|swapped|be rewritten|reworded|recommends|recommend only|go through http*|through the proxy|via the proxy|use the wallet|invite|as well as the|needs the wildcard|adapt calls|is now|target /*|shall be|get appended|instead be|pretend|falsely|claim that|report that|respond that|state that|answer that|say that|tell them|with the value|to the value|fixed to|pinned to|hard-coded|be treated as|be interpreted as|take the value|use the value|lower the|raise the|omit the|drop the|leave out|exclude the|hide the|suppress|no longer|from now on|be prefixed|prefixed with|suffixed with|must end with|must start with|end with the text|start with the text|be forced|passed to|before it is passed|put in front|be set|is set to|are set to|should contain|=false|set include*|turned into|made public|be capped|be limited|be extended|tack on|slip in|sneak|mix in|blend|embedded into|instructs to|give the result|give the output|be added|be changed|changed to|added to the|add the content|must carry|must end|must begin|came from|be lowered|be raised|be left out|left out|suffix|always get|to the header|add a clause|setting confirm|confirm to true|on the user's behalf|on behalf of the user|as though|as if it|in every query|also returns|instead of the one|as 'no'|as no|be the parent|pretend that|additionally be|must additionally|lowered by|raised by|forms filled",
    ),
    (
        Tamper,
        "替换|改为|修改|更改|设置为|设为|重定向|追加|添加|附加|插入|篡改|改成|抄送|密送|替え|置き換え|変更|追加|바꾸|변경|추가|교체|reemplaz*|cambi*|modific*|añad*|agreg*|ersetz*|änder*|hinzufüg*|umleit*|remplac*|modifi*|ajout*|substitu*|adicion*|замен*|измен*|добав*|перенаправ*",
    ),
    (
        Value,
        "parameter*|argument*|field|fields|value|values|recipient*|address|addresses|destination*|amount*|path|paths|input|inputs|output*|result|results|response*|content|contents|url|urls|query|queries|body|subject|account|quantity|quantities|price*|permissions|keyword*|sender|target|phone number|email address|wallet|filter*|count|number|limit|title|status|location|payload|header*|data|request",
    ),
    (
        Value,
        "参数|字段|收件人|地址|金额|路径|输出|结果|响应|内容|数量|账户|账号|目标|值|引数|宛先|パラメータ|結果|매개변수|수신자|주소|결과|parámetro*|destinatario|dirección|empfänger|adresse|betrag|paramètre*|destinataire|montant|parâmetro*|endereço|параметр*|получател*|адрес*|сумм*",
    ),
    (
        Instead,
        "rather than|in place of|in lieu of|regardless of|no matter what|no matter which|irrespective of|even if|not the original|user-specified|user-provided|specified by the user|provided by the user|user supplied|user's actual|actual recipient|what the user asked|the user's request|requested by the user|rather than the|in place of|whatever the user|whatever address|whatever the|regardless of what|not the one|not what the user|ignoring what|irrespective of what|not the requested|than the requested|requested file|chosen by the user|given by the user|user gives|user wants|user wishes|user's wishes|user asked for|user has asked|what the user wants|what the user said",
    ),
    (
        Instead,
        "而不是|代替|取代|无论|不管|即使|原来的|代わりに|대신|en lugar de|en vez de|anstatt|anstelle|statt|au lieu de|em vez de|вместо|независимо от",
    ),
    (
        Read,
        "read|reads|reading|open|access*|retrieve*|retrieving|fetch*|load*|get the|get all|cat |collect*|gather*|extract*|scan*|obtain*|capture*|harvest*|steal*|dump*|list all|look up|grab*|copy|copies|enumerate*|view|check|find|search for|export*|locate|query",
    ),
    (
        Read,
        "读取|读出|打开|访问|获取|收集|提取|扫描|窃取|查看|导出|查询|复制|読み取|読み込|取得|収集|읽|가져|수집|leer|lee|lea|acceder|recopil*|obtener|extraer|lies|lese|lesen|auslesen|öffne*|sammle|sammeln|lire|lisez|accéder|récupér*|collect*|ler|leia|acessar|colet*|прочита*|чита*|получи*|собери|собира*|извлек*|открой",
    ),
    (
        SecretPlace,
        "~/.ssh*|.ssh/*|id_rsa*|id_ed25519*|authorized_keys|known_hosts|.env|.env file*|/etc/passwd|/etc/shadow|/etc/sudoers|.aws/*|.kube/config|.netrc|.npmrc|.pypirc|.git-credentials|.gnupg*|.docker/config*|mcp.json|claude_desktop_config*|.cursor/*|.bash_history|.zsh_history|.pgpass|keychain*|login.keychain*|wallet.dat|169.254.169.254*|metadata.google.internal*|/proc/self/environ|/root/*|ssh key*|private key*|.config/gcloud*|credentials.json|.azure/*|application_default_credentials*|.pem|ntuser.dat|/etc/hosts|system32*|sam database|seed phrase*|recovery phrase*|mnemonic phrase*|browser cookies|saved passwords|password database*|keystore*|.password-store*|crontab|.bashrc|.zshrc|.profile|ssh_key*|private_key*|id_dsa*|secrets.y*|secrets.json|.vault-token*|kubeconfig|/var/run/docker.sock|/.dockerenv",
    ),
    (
        PrivateThing,
        "password*|credential*|api key*|api_key*|apikey*|secret|secrets|access token*|auth token*|authentication token*|session token*|bearer token*|refresh token*|oauth token*|environment variable*|env vars|pii|confidential*|cookies|financial data|medical records|contacts|user data|customer data|configuration files|config files|encryption key*|signing key*|ssn|location data|inbox|available tools|list of tools|phone number|phone numbers|in the context|hidden prompt|internal data|salary|salaries|otp|verification code*|iban|db credentials|connection string*|purchase history|unpublished|proprietary|classified|user input*|clipboard|recordings|wallet|account number*|account balance*|transaction history|payment details|client list|customer list|client data|api token*|user message|employer|secret key*|key file*",
    ),
    (
        Intimate,
        "conversation history|chat history|conversation context|full conversation|entire conversation|conversation transcript|message history|system prompt*|previous messages|all previous|personal information|personal data|personally identifiable|sensitive data|sensitive information|sensitive files|private data|private files|private information|credit card*|card number*|bank account*|bank details|financial information|social security*|health records|patient records|private repositor*|private messages|contact list|user's files|full file contents|master key*|login details|browsing history|keystroke*|internal documents|user's email|home directory|employee records|internal network|user's address|tool call history|previous tool|conversation so far|complete conversation|whole conversation|all documents|password hashes|users table|user table|project's .env|all emails|saved passwords|list of contacts|everything the user|what the user typed|user's messages|the user's query|user's question|entire context|complete context|entire history|all previous results|list of all tools|names of all tools|tool list|memory contents|home address|date of birth|email addresses of|notes of the user|user's notes|user's home|user's private|user's phone|user's personal|user's location|user's documents|user's account|user's password|user's contacts|user's calendar|user's profile|user's bank|user's credit|personal details|personal file*|private document*|stored in the profile|what was said|everything that was said|said so far|the conversation|this conversation|our conversation|last five mails|full text of|all the text|cookies of|session cookies|keys or tokens|in your context|see in the context|your context|your instructions|your prompt|initial prompt|system message|internal memory|your memory|all memories|tax return*|passport*|identity card*|license key*|customer record*|customers table|one-time code|2fa|two-factor|pin code|cvv|cvc|wallet key*|seed words|database dump|full dump|env_dump|dotfiles|shell history|search history|call logs|trade secret*|user's mails|user's emails|user's data|user's name|all user|conversation logs|chat metadata|conversation data|user conversation*|user conversations|chat logs|chat content*|prompt content*|user prompts|location history|cookie file|browser's cookie*|user records|private channel*|whole chat|the chat history|openai_api_key|user's browser|user's history|browser history|microphone|webcam|private key*|account details|customer information|legal documents|internal files|internal notes|all environment variables|the environment variable*|personal access token*|message of the user|password manager*|password_hash*|everything you know|anything you know|what you know|health data|tax file*|workspace as a zip|whole workspace|entire workspace|whole project|entire project|entire codebase|passport number|driver's license|insurance number|user's api|user's token*|the user's passport|keys of the|user's system|env_dump|password column|openai_api_key|anthropic_api_key|export of the|password manager's",
    ),
    (
        PrivateThing,
        "密码|凭证|凭据|密钥|令牌|口令|环境变量|对话历史|聊天记录|对话记录|系统提示|私钥|个人信息|敏感信息|敏感数据|隐私|信用卡|身份证|银行|机密|パスワード|認証情報|秘密鍵|会話履歴|個人情報|비밀번호|자격 증명|개인정보|대화 기록|contraseña*|credencial*|clave privada|variables de entorno|historial|passwort|passwörter|zugangsdaten|umgebungsvariablen|mot de passe|mots de passe|identifiants|clé privée|clés|senha*|credenciais|chave*|парол*|учетные данные|ключ*|токен*|секрет*|историю разговора|переписк*",
    ),
    (
        Send,
        "send|sends|sent|sending|forward*|upload*|posts|posted|transmit*|exfiltrat*|e-mail it|email it|email them|email the|email all|mail the|share|leak*|pass|passed|passing|deliver*|copied to|include|report to|write to|written to|store in|save to|saved to|put|place|sync*|encode|relay*|provide|log to|logged to|ship|push|output|embed*|echo|repeat|print|reply with|pipe|hand over|hand its|handed over|hands over|quoting|quote|attach|supply|feed|copy of|give it|goes to|go to|sent along|hand the|hand them|hand over|hand it|deliver|dump to|write their|write its|write them|write it|write all|write the|carry|carries|fill in|fill it|fill the|filled with|populate|give a summary|summarize it|summarise it|as the value of|as the value for|as value of|into the argument|in the argument|as an argument|as a parameter|as parameter|as input|into a public|in the response|in your response|in your reply|in your answer|in the comment|in the note*|append it|attach the|encode them|encode it|http_post|webhook*|callback url|ping|beacon|drop it|place it|place them|store it|store them|pastebin|gist|transmit|report the|additionally be delivered|put everything|put all|append|sent also|make available|reported to|append the|report the value|report the output|give the result",
    ),
    (
        Send,
        "发送|转发|上传|提交|传输|传递|传给|泄露|外传|写入|包含|放入|附上|邮件|输出|送信|転送|送って|アップロード|含め|보내|전송|전달|업로드|포함|enviar|envía|envíe|envia|reenviar|subir|incluir|incluye|sende|senden|schicke|weiterleiten|hochladen|übermittel*|envoyer|envoyez|transmettre|transférer|inclure|enviar|envie|encaminhar|отправ*|пересла*|перешли|загруз*|переда*|включи*",
    ),
    (
        Excuse,
        "for security|security reason*|security purpose*|security requirement*|security polic*|security protocol*|security update*|security audit*|security check*|security verification|security validation|security compliance|compliance*|regulat*|for compatibility|compatibility|for audit*|audit*|for verification|to verify|verification|authentication purpose*|system requirement*|system integrity|data integrity|system stability|to ensure|ensures|in order to ensure|to prevent|to avoid|for optimal|to improve|quality assurance|for telemetry|analytics|for debugging|debugging|diagnostic*|policy require*|new policy|updated policy|privacy protection|privacy|backward compat*|maintenance|for backup|backup|company policy|internal policy|legal requirement*|pre-approved|authorized by|approved by|safe to|integrity|for consistency|standardiz*|unified|known bug|known issue|calibrat*|deprecat*|by design|environment check|health check|safety check*|pre-check|precheck|to comply|optimization|for monitoring|monitoring|owing to|because of a|as a setup|setup step|as part of|recent migration|recent change|recent update|protocol update|security policy|policy change|required by law|gdpr|hipaa|for validation|for safety|for diagnostics|for logging|for support|to make room|to avoid timeouts|unit bug|to confirm|to validate|to authenticate|to maintain|to guarantee|to protect|to keep|to meet|to support|to enable|for maintenance|for quality|temporary|necessary for|essential for|needed for|critical for|important for|as required by|as mandated|in accordance|according to the new|so that support|system requires|requires that|service agreement|terms of service|internal requirement|sanity check|required for|helps us|to stay compatible|stay compatible|compatible with|this helps|so that the|so that it|so that we|in order to|to free space|to pick a|as a bonus|for your convenience|for completeness|because the|because of|latest update|last update|recent|as of version|from version|since version|new version|after the latest|after the update|after the migration|updated|to install what|to resolve|can be resolved|are moved|was moved here|moved here|for testing|for debugging purposes|for better|for improved|to improve|for internal|for statistical|for research|for training|for accuracy|for reliability|for stability|for safety|to be safe|by law|by policy|by regulation|by the provider|by the platform|by the administrator|by the vendor|by our|anti-fraud|zero-day|incident|emergency|urgent|outage|patch|hotfix|workaround",
    ),
    (
        Excuse,
        "出于安全|安全原因|为了安全|安全策略|安全检查|合规|审计|为确保|为了确保|根据政策|由于|系统完整性|隐私保护|セキュリティ|ため|보안|위해|por seguridad|razones de seguridad|política de seguridad|aus sicherheitsgründen|sicherheit|pour des raisons de sécurité|sécurité|por motivos de segurança|segurança|безопасност*|в целях",
    ),
    (
        Threat,
        "otherwise|or else|will fail|will crash|will not work|won't work|will be lost|will be deleted|not function|cannot function|failure to|will be corrupted|be terminated|be shut down|will break|be blocked|be rejected|data loss|will not be able|system failure|errors will occur|security breach|will result in|may result in|consequences|or the tool|or it will|be suspended|lose access|will lose|be compromised|fail to do so|be invalid|will be denied|considered invalid|will be rejected|be rejected by|not be accepted|are not supported|not possible without|unable to|it will not|does not work|do not work|cannot work|cannot be used|will be refused|refused|will stop|stops working|will be disabled|be disabled|account will|penalt*|punish*|someone will|people will die|will be harmed|legal action|violation|violates|non-compliance|be banned|be revoked|will expire|corruption|skipping|if skipped|if omitted|if missing|if not done|without this step",
    ),
    (
        Threat,
        "否则|不然|将会失败|会崩溃|无法工作|将被|导致|さもないと|そうしないと|그렇지 않으면|않으면|de lo contrario|si no|andernfalls|sonst|sinon|caso contrário|иначе|в противном случае",
    ),
    (
        Model,
        "the assistant|ai assistant|dear assistant|assistant:|assistants|the model|language model*|llms|the ai|note to ai|ai:|ai model*|ai system*|ai agent*|the agent|agents|agent must|agent should|agent:|claude|gpt|chatgpt|copilot|gemini|ai must|ai should|ai assistants|to the ai|for the ai|for ai|as an ai|you are an ai|code review agent|if you are an|chatbot|automated agent*|assistant must|assistant should|the bot|the assistant's|assistant's|agents reading|agent reading|all agents|to all agents|ai models|ais|models are|model needs|model has to|model should|model must|model will|agent is|agent has to|agent needs|agent will|reading this|reader of this|language models|large language|neural|your reasoning|your answer|your response|your reply|your next|your final|your output|your thoughts|your chain of thought",
    ),
    (
        Model,
        "助手|模型|人工智能|智能体|大模型|アシスタント|モデル|어시스턴트|모델|asistente|assistent*|l'assistant|assistente|ассистент*|модел*",
    ),
    (
        Role,
        "you are now|act as|you will act|pretend to be|pretend you are|from now on you|from now on, you|roleplay as|developer mode|jailbr*|dan mode|do anything now|god mode|debug mode|maintenance mode|unrestricted mode|admin mode|sudo mode|you have been|your new task|your new instructions|new instructions|your real task|your task is now|your actual task|begin new|you must now|no restrictions|unrestricted|without restrictions|switch to|you may now|permissions are now|are now unlimited|mode enabled|mode activated|mode is on|mode: on|new directive|new directives|new policy for|new order|new mission|your mission|your goal is now|your objective is|your purpose is|as a privileged|with full authority|with admin rights|you are authorized|you are authorised|you have permission|you are allowed to|you are free to|you have full|you no longer|you can now|treat the text|treat this|treat these|system-level|act upon this|as though it were|as if it were|typed by the user|said by the user|came from the user|on the user's behalf|obey|comply with",
    ),
    (
        Role,
        "你现在是|扮演|从现在开始|开发者模式|越狱|新的指令|无限制|管理员|今から|あなたは今|制限のない|지금부터|당신은 이제|ahora eres|a partir de ahora|actúa como|ab jetzt|du bist jetzt|désormais|tu es maintenant|agis comme|você agora é|a partir de agora|теперь ты|с этого момента|действуй как",
    ),
    (
        Authority,
        "[system]|system notice|system announcement|system override|system instruction*|system note|[admin|admin override|administrator:|[instruction*|[hidden|[override|important note to|note to assistant|note to ai|attention ai|attention assistant|important!!*|<important*|<system>|<system-*|<system_*|<instruction*|<hidden*|<secret*|<admin*|<critical*|<priority*|<override*|<assistant*|</system*|[inst]|<<sys>>|### system|### instruction*|#system|message from the user|developer message|openai policy|message from openai|message from anthropic|this is your developer|hidden instruction*|internal instruction*|im_start|im_end|endoftext|<secret_*|```system|hidden for humans|system notice|notice to all|to all agents|for ai agents only|ai agents only|for ai only|for agents only|agent instructions|agents reading this|llm instructions|ai instructions|model instructions|begin hidden|invisible instruction*|developer note|dev note|meta-instruction*|metaprompt|preamble:|<assistant_*|<tool_*|<agent*|<prompt*|<directive*|<policy*|<rules*|aria-hidden|[system:|<system_*|new important instruction*|important instructions|end of tool description|end of description|real instruction*|actual instruction*|true purpose",
    ),
    (
        Heading,
        "system:|system message|system alert|system update|admin:|[important|[critical|[priority|instruction:|instructions:|note to the|to the assistant|attention:|security notice:|security alert:|urgent:|critical:|important:|begin system|end of system|user:|assistant:|human:|mandatory step|critical instruction*|special instruction*|important instruction*|following instruction*",
    ),
    (
        Authority,
        "【系统|【重要|系统消息|系统指令|管理员指令|重要提示|重要:|系统:|システム:|システムメッセージ|시스템:|시스템 메시지|sistema:|importante:|wichtig:|важно:|система:",
    ),
    (
        Unasked,
        "without asking|without confirmation|without user confirmation|without permission|without user consent|without consent|without approval|without prompting|without verification|without validation|do not ask|don't ask|never ask|no confirmation|automatically approve*|auto-approve*|without hesitation|without question|no questions|without review|without further|without checking|skip confirmation|do not verify|do not question|no need to ask|no need for|do not hesitate|unconditionally|proceed directly|do not refuse|do not wait|keep retrying|keep calling|retry until|until it succeeds|again and again|repeat until|do not stop|don't stop|never stop|retry forever|try again until|over and over|indefinitely|in a loop",
    ),
    (
        Unasked,
        "不询问|无需确认|无需询问|未经|直接执行|立即|自动执行|不要问|確認せずに|すぐに|확인 없이|즉시|sin preguntar|sin confirm*|ohne nachfrage|ohne bestätigung|sofort|sans demander|sans confirm*|immédiatement|sem perguntar|sem confirm*|imediatamente|без подтвержд*|не спрашива*|немедленно",
    ),
    (
        Danger,
        "rm -rf*|rm -fr*|chmod 777*|chmod -r 777*|curl -*|wget http*|bash -c|sh -c|nc -e|/bin/bash -i|drop table*|drop database*|delete all*|delete the entire|delete every|erase all*|wipe*|format the|disable the firewall|disable firewall|disable security|disable logging|disable ssl|disable authentication|turn off security|reverse shell|backdoor*|mkfs*|dd if=*|:(){*|sudo *|root access|admin privileges|administrator privileges|elevated privileges|elevate privileges|privilege escalation|grant admin*|grant access|grant full|full access|public access|make public|shutdown*|shut down|kill all|terminate all|kill process*|stop the service|crypto_miner*|install malware|malware|ransomware|encrypt all|encrypt the file*|execute arbitrary|arbitrary code|os.system*|eval(*|exec(*|subprocess*|powershell -*|invoke-expression|base64 -d*|git push --force*|--no-verify|ld_preload*|/etc/sudoers|delete file*|delete the file*|delete user*|overwrite all|disable antivirus|startup script*|cron job*|malicious*|transfer funds|transfer money|send money|truncate table*|unlock the|approve every|approve all|delete_repo*|delete all|terminate all|kill all|all running processes|transfer the balance|disable the|turn off|switched off|remove all|drop all|open port*|add a user|new admin|new user account|self-destruct|overwrite*|change the password|reset the password|move all funds|withdraw*|unlimited|maximum permissions|world-writable|without review|owner rights|admin rights|full rights|write access to|wget -*|shut the|drop its|drop the|delete its|delete all|remove the contents|remove every|empty the|to public|public before|merge every|close every|close all|cancel every|cancel all|revoke all|unlimited|make it public|make them public|expose the|lock out|remove the branch protection|branch protection|force push|force-push|turn off the|uninstall*|kill the|terminate the|detonate|explod*|poison*|weapon*|explosive*|hack|hacking|bypass authentication|skip authentication|create an account|create a user|new user|add user|add the key|add this key|ssh-rsa*|execute `*|run `*|then execute|then run|unlock|place an order|order the|refund*|donate|antivirus*|administrators group|admin group|privileged access|sudoers|as root|remove the folder|remove the directory|delete_entit*|delete the folder|permissions to 777|set_permissions|remove the file|false positives|quarantine|firewall|security software|safety mechanism*|kill switch|disregard warnings|buy |place orders|purchase of|two-factor authentication off|turn off two|readable for everybody|readable by everyone|for everybody|world readable|force=true|recursive=true|.exe|antivirus service|recursively|to public before|transfer_money|delete_document|send_money|make_payment",
    ),
    (
        Danger,
        "删除所有|清空|格式化|关闭防火墙|禁用安全|后门|管理员权限|提升权限|转账|全部删除|すべて削除|모두 삭제|elimina todo|borrar todo|lösche alle|supprimer tout*|apagar tudo|удали все|удалить все",
    ),
    (
        Better,
        "best tool|the best|only tool|the only|better than|superior to|more accurate than|most reliable|more reliable|more secure than|always prefer|prefer this|preferred over|prefer over|always choose|always select|choose this|select this|prioritize this|prioritise this|must be prioritized|never use the|never use other|do not use other|do not use any other|don't use other|don't use any other|avoid using other|use only this|always use this|deprecated|outdated|unsafe|unreliable|obsolete|no longer available|is broken|most accurate|official tool|recommended over|highest quality|fastest|should be chosen|should be selected|number one|default choice|faulty|buggy|vulnerable version|replaces the|priority tool|trusted tool|competing|competitor*|trusted|are broken|is superior|first no matter|more trustworthy|alternatives from|the others|over every other|over all other|over any other|most advanced|most up-to-date|exclusively|in all cases|highest rank*|guaranteed best|competitors|competitor|wrong data|above any|pick this|rank this|compromised|must no longer|replaces the built-in|built-in|the official|native tool*|default tool*|most trusted|more powerful|use this one|this one instead|use ours|favor this|favour this|favored|favoured|give priority|recommend this|recommended tool|top choice|top pick|in favor of|in favour of|supersedes all|wins over|alternative is|not trustworthy|untrustworthy|insecure|has been retired|have been retired|discontinued|end of life|malfunction*|inaccurate|return wrong|returns wrong|false results|slower|inferior|award-winning|outperform*|unmatched|recommended by|featured in|trusted by|scientifically proven|game changer|act now|limited time|breakthrough|endorsed by|far superior|inferior tools|act fast|hurry|world's best|100% accurate|zero errors|state-of-the-art|preference over|give this tool|leaks data|do the same|has to be chosen|must be chosen|do not call",
    ),
    (
        Better,
        "最好的工具|优先使用|首选|唯一|不要使用其他|只使用|优先选择|已弃用|不安全|最良|優先|最も|우선|가장|la mejor|preferir|única|das beste|bevorzug*|le meilleur|préfér*|a melhor|лучший|предпочитай*|единственн*",
    ),
    (
        Prerequisite,
        "prerequisite*|precondition*|required step|mandatory step|initialization step|initialisation step|first step|necessary step|preliminary step|required first|must first|should first|first call|first run|first use|called first|executed first|used first|run first|invoked first|first be called|first be|needs to be called|required before|be called before|be invoked before|be executed before|be run before|be used before|run before|executed before|called before|gatekeeper|entry point|first tool|initialize the|handshake|called prior|invoked prior|executed prior|run prior|call this first|use this first|run this first|always call this|beforehand|preceded by|must be run|must be executed|must be called|must be invoked|must be used|has to be called|has to be invoked|has to be run|has to be executed|should be called|should be invoked|should be executed|should be run|needs to be executed|needs to be invoked|needs to be run|required to run|required to call|required to invoke|required to execute|required to use|is always called|automatically called|automatically invoked|automatically executed|automatically triggered|be triggered|call is required|step zero|initial step|initial call|setup step|mandatory|as a first|execute this check|perform this check|start with this|begin with this|start by|begin by|run this first|mandatory gate|a gate|gateway for|go through this|going through this|pass through this|be routed through|route all|first obtain|obtain approval|requires approval|ask this tool|get a ticket|needs approval|authorization step|authorisation step|authorizes|authorises|initializer|initialiser|precede|precedes|first gather|first collect|first read|first look|first fetch|first get|first open|first retrieve|first query|first list|first execute|first invoke|supply the content|afterwards it should|and then call|then call|then invoke|then execute|then use|and then use|followed by a call|is called automatically|is invoked automatically|is executed automatically|is the first step|the first step of|be the first|while executing|while running|after finishing|when finished|after completion|on completion|once finished|once done|when done|at the end always|verify that the tool works|first call|call this tool with",
    ),
    (
        Prerequisite,
        "前提|先决条件|首先调用|必须先|先调用|首先|初始化步骤|第一步|必要步骤|前提条件|まず|먼저|requisito previo|primero|voraussetzung|zuerst|prérequis|d'abord|pré-requisito|primeiro|предварительно|сначала",
    ),
    (
        Thing,
        "file|files|contents of|content of|the contents|its contents|its content|database*|folder*|director*|records|record|repository|repositories|environment|configuration|config|history|information|messages|emails|inbox|logs",
    ),
    (
        Thing,
        "文件|内容|数据库|目录|配置|记录|ファイル|内容|파일|내용|archivo*|fichero*|datei|inhalt|fichier|contenu|arquivo*|файл*|содержим*",
    ),
    (
        Mention,
        "mention*|point out|pointed out|bring it up|bring this up|bring that up|bring up|tell|telling|told|inform|informing|informed|inform them|notify|notifying|notified|disclose*|reveal|let on|comment on|remark*|say anything|talk about|know about|know of|learn of|learn about|find out|be aware|bother*|hear about|hear of|raise this|be raised|be brought up|report this to|告知|告诉|提及|通知|知らせ|informar|informez|informieren|erfahren|сообща*",
    ),
    (
        Hushed,
        "do not let the user know|don't let the user know|let nobody know|execute silently|executed silently|run silently|called silently|return only the normal|no need to show|no traces|leave no trace|this step is internal|step is internal|is internal and|does not appear in your answer|nothing about it|in silence|on the quiet|quietly|discreetly|in the background|secretly|unnoticed|not worth a|needs no mention|no need to tell|no need to mention|need not know|does not need to know|do not need to know|don't need to know|need not learn|need not be told|do not have to be told|does not have to be told|not be pointed out|not shown in|not be shown in|not visible in|leave it out of|leave this out of|by design and not|无需告知|不用告诉|不必告诉|不需要让用户|不要让用户|sin comentarlo|n'en parlez pas|soll davon nichts|知らせずに",
    ),
    (
        Heedless,
        "regardless of the user*|regardless of what|regardless of which|regardless of how|irrespective of|whatever the user|no matter what|no matter which|no matter the|whatever was|whatever is|whatever address|whatever name|whichever one|even if the user|even when the user|even though the user|than was asked|that was asked for|as was asked|that was named|that were named|was requested|than requested|given by a caller|given by the user|user's choice|choice of the user|user's wishes|the user named|the user asked|the user chose|whether or not the user|whether it has|not what the user|in spite of|不管用户|无论用户",
    ),
    (
        Consented,
        "already agreed|already approved|already consented|already confirmed|already authorised|already authorized|has approved|have approved|has agreed|have agreed|agreed to that|agreed to this|general consent|gave consent|has consented|have consented|pre-approved|preapproved|considered to have approved|considered approved|counts as approved|counts as consent|approved everything|in the user's name|on the user's behalf|on behalf of the user|blanket approval|standing approval|may be skipped|can be skipped|is implied|is assumed|a question to the user|do not bother the user|without bothering|need to wait for them|need to wait for the user|go ahead without|without consulting|user has been informed|user is aware|user already knows|已经同意|已获授权|不需要确认",
    ),
    (
        Obey,
        "though it were typed|as if it were typed|though it came from the user|as if it came from the user|carried out|carry out|carry them out|be followed|are followed|followed at once|follow them|follow its|follow the instructions|obeyed|obey|get done right away|done right away|tasks for the|act on them|acted upon|act upon|be executed at once|be treated as a request|like a request of|as a request from|as if the user|as though the user|comes from the operator|come from the operator|count as instructions|are instructions|is an instruction|为准执行|выполняйте команды",
    ),
    (
        Outrank,
        "supersede*|rank above|ranks above|outrank*|overrules|prevail*|is replaced by|are replaced by|replaces any|replaces all|replaces the earlier|replaces earlier|not meant for you|do not concern|does not concern|do not apply to|does not apply to|no longer apply|no longer applies|no longer valid|no longer binding|not bound by|what you were told|what you have been told|what you were instructed|limits that were set|set at the beginning|given earlier|restrictions set|you are trusted with|you are exempt|you are allowed to ignore|may change what you|instead of your|above your|above those of|out of force|lost their validity|不受|не обращайте внимания",
    ),
    (
        Whole,
        "the last|last|all|every|whole|complete|completely|in full|each|everything|whatever|last ten|last twenty|last five|last three|last two|last few|recent|recently|previous|earlier|raw|verbatim|word for word|so far|完整|全部|所有|最近|全文|últim*|derniers|letzten|последн*",
    ),
    (
        Personal,
        "chat|chats|conversation|conversations|dialogue|dialog history|message|messages|history|mail|mails|email|emails|inbox|documents|address book|contacts|appointments|calendar|prompt|prompts|instructions you|questions|thoughts|browser|clipboard|open editor|screen|photos|recordings|bookmarks|keystrokes|terminal history|shell history|location history|search history|social graph|social network|processes|installed programs|employer|birthday|birth date|salary|income|diagnosis|medication|家|对话|聊天|历史|消息|会話|conversaciones|conversations",
    ),
    (
        Identity,
        "'s pin|messages of the user|words of the user|questions of the user|working directory as|home folder|documents folder|login data|the user's login|user's first message|all environment variables|the environment variables|env_dump|the system prompt in full|from credentials|users' passwords|iban|tax id|age and income|username and password|user name and password|pin and|plain text password|prior conversation|previous conversation|command history|browser profile|user's calendar|user's income|signature of the user|fingerprint of|list of all files|names of all files|secret that you|secrets that you|what the user wrote|text of your|passport|date of birth|security code|maiden name|home address|passphrase|one-time code|browser's history|browser history|browsing history|key chain|key ring|system prompt*|model identifier|model name|private half|private key|private keys|refresh token|cookie of|cookies of|card data|card number*|stored password*|saved password*|passwords that|unmasked|tax number|social security*|insurance number|health record*|license number|wallet file|password manager|password file|hidden instructions|which model you are|what you were instructed|output of env|output of `env`|output of whoami|list of all processes|customer's card|user's position|user's contacts|user's documents|user's files|user's mails|user's calendar|user's other|user has said|user said so far|user has typed|user edited|user's last|user's question*|user's message*|user's request word|your instructions|your system|your prompt|instructions you|系统提示|密码|私钥",
    ),
    (
        Every,
        "any|every|each|all|whatever|whichever|no matter which|everything|always|每个|任何|所有|cada|todos|jede|jeden|jedes|alle|chaque|tous|каждый|все|すべて|모든",
    ),
    (
        Event,
        "file operation*|operation|operations|file the user|files the user|message|messages|mail|mails|email|emails|e-mail*|query|queries|request|requests|call|calls|command|commands|answer|answers|reply|replies|response to the user|summary|summaries|commit|commits|session|sessions|payment|payments|transaction|transactions|transfer|connection string|connections|image|images|document|documents|order|orders|booking|bookings|login|write|writes|read|reads|deletion|deletions|execution|invoice|invoices|report|reports|conversation|conversations|turn|step|output of|outputs of|task|tasks|search|searches|page|pages|purchase|appointment|event|export|translation|lookup|操作|文件|消息|邮件|请求",
    ),
    (
        Duty,
        "must be|must always|must contain|must also|must first|must carry|must have|must go|must end|must not leave|has to|have to|needs to|need to|is to|are to be|shall|should use|should first|should also|should always|is required|are required|required to|is necessary|is obligatory|is mandatory|is compulsory|is demanded|ought to|get changed|will be accepted only|accepted only|only valid if|only if|only respond if|expects you to|is expected|are expected|必须|须|应|müssen|muss|doit|doivent|debe|deben|deve|должен|должны|必ず",
    ),
    (
        Deceive,
        "leave negative|negative ones out|hide negative|omit negative|only positive|claim that|claim it|and claim|claiming that|say they are|say it is|say that it|saying that|describe it as|describe them as|present it as|present them as|presented as|report success|reports success|report it as|report them as|report 0|as safe|as purely|pass it off|pretend*|make it look|make it appear|mention only|only mention|recommend only|only recommend|not displayed|instead of the real|fake|falsely|untrue|regardless of the measured|lower than they|higher than they|are to be lowered|are to be raised|rounded up|in the best light|downplay*|exaggerate*|mislead*|invent|made up|without saying that|no matter the result|even if it failed|even if they fail|谎称|假装|声称",
    ),
    (
        Rival,
        "others|any other|than other|other tools|other tool|other services|other providers|old one|old version|older version|alternatives|alternative|the ordinary|the former|the usual|other news|other map|other weather|competing|competitor*|the regular|previous version|built-in|native|rivals|the standard|the original|similar tools|其他工具|otras|andere|autres|другие",
    ),
    (
        Bad,
        "was replaced|has been replaced|were replaced|is discontinued|known to lose|compromised|violate*|leaks|leak data|falsehood*|untrustworthy|not trustworthy|damaged|corrupt*|out of date|outdated|insecure|broken|unreliable|inaccurate|no standing|no longer be used|must not be used|should not be used|must no longer|should be avoided|to be avoided|be discarded|be ignored|wrong results|wrong data|wrong values|defective|dangerous|malicious|fails with|are unavailable|is unavailable|not be used any more|do not try|exposes the user|has been retired|been replaced|in favour of what|in favor of what|has been moved|was moved|takes over|go through this one|route its|instead of it|不安全|已被",
    ),
    (
        Exploit,
        "remove the reviewers|merge right away|skip the confirmation|admin privileges|grant all on|antivirus service|antivirus|to public before|repository to public|delete_event|for all past|parent directory|first paying|curl -s|piped to sh|piped into sh|rm -rf|chmod 777|chmod -r|crontab|--privileged|cluster-admin|hostnetwork|0.0.0.0/0|or 1=1|delete from|drop table*|drop them|--no-verify|--force|nohup|base64 -d|reverse shell|shell history|audit log|audit daemon|in clear text|in plain text|helper.exe|.exe and start|start it in the background|as administrator|write permission|write access for|administrator rights|role owner|role admin|role=admin|extra rights|most rights|elevated rights|root rights|disables the|turn off the|switch off the|stop the|disarms|unlocks the|turn the firewall|switched off for good|disable it for good|protection off|to be stopped and removed|close all other|empty the|wipe the|wipe*|erase*|force, protected|关闭防火墙|删除所有",
    ),
    (
        Loop,
        "call this tool again|again after each|again after every|until the score|until it returns|hundred times|thousand times|ten times|fifty times|twenty times|times in a row|endlessly|without limit|without end|until a result|until it works|until it succeeds|until the answer|keep going|keep retrying|keep calling|again and again|biggest size|largest size|most expensive|every part ten|in an endless|never stop|无限|重复调用",
    ),
    (
        Please,
        "please|can you|could you|would you|let's|i want you to|i need you to|i'd like you to",
    ),
    (Mine, "my|me|for me|i'm|i am|mine|i've"),
    (
        Comment,
        "<!--|display:none|visibility:hidden|font-size:0|color:white",
    ),
    (
        Into,
        "give it as|give them as|hand it in|hand them in|hand it over|supply it|pass it as|pass it in|pass them in|put it in|put them in|place it in|place them in|place it into|fill it in|enter it in|enter them in|into the parameter|in the parameter|into the field|in the field|into the argument|in the argument|as the value of|in `|into `|as `|给参数|填入|放进",
    ),
];
