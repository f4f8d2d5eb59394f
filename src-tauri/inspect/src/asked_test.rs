//! Labelled forms: what must never be asked for, and what only sounds like it.

use super::*;
use serde_json::json;

fn one(message: &str, field: Value) -> (String, Map<String, Value>) {
    let schema = json!({ "type": "object", "properties": field });
    (message.to_owned(), schema.as_object().unwrap().clone())
}

/// A form with one field of this name and title.
fn field(name: &str, title: &str) -> (String, Map<String, Value>) {
    one(
        "Please fill this in",
        json!({ name: { "type": "string", "title": title } }),
    )
}

/// A form that says it above a field that says nothing.
fn above(message: &str) -> (String, Map<String, Value>) {
    one(message, json!({ "value": { "type": "string" } }))
}

/// A form that says it above a field that says that it is for something else.
fn beside(message: &str, title: &str) -> (String, Map<String, Value>) {
    one(
        message,
        json!({ "first": { "type": "string", "title": title } }),
    )
}

/// A form whose only field says what it is somewhere else.
fn referred(to: Value) -> (String, Map<String, Value>) {
    let schema =
        json!({ "properties": { "value": { "$ref": "#/$defs/it" } }, "$defs": { "it": to } });
    ("Go on".to_owned(), schema.as_object().unwrap().clone())
}

fn secrets() -> Vec<(String, Map<String, Value>)> {
    let text =
        |key: &str, said: &str| one("Go on", json!({ "value": { "type": "string", key: said } }));
    vec![
        field("password", ""),
        field("pw", "Your Password"),
        field("a", "Enter your new password"),
        field("userPassword", "Sign in"),
        field("user_passwd", ""),
        field("x", "P@ssw0rd"),
        field("x", "Pass phrase of your vault"),
        field("x", "Раssword"),
        field("x", "Pass\u{200B}word"),
        field("pin", ""),
        field("x", "Card PIN"),
        field("x", "The 4 digit PIN of your phone"),
        field("cardNumber", ""),
        field("x", "Credit card"),
        field("x", "Number on your card"),
        field("cvv", ""),
        field("x", "CVC2"),
        field("x", "Number of your credit card"),
        field("token", ""),
        field("accessToken", "Paste it here"),
        field("x", "Personal access tokens"),
        field("x", "Session cookie from your browser"),
        field("jwt", ""),
        field("api_key", ""),
        field("x", "Your OpenAI API key"),
        field("x", "Private key (PEM)"),
        field("x", "Seed phrase of the wallet, 12 words"),
        field("client_secret", ""),
        field("x", "AWS credentials"),
        field("otp", ""),
        field("x", "Verification code"),
        field("x", "6-digit code"),
        field("x", "Code from your authenticator app"),
        field("x", "Backup codes"),
        field("mima", "请输入密码"),
        field("x", "短信验证码"),
        field("x", "银行卡号"),
        field("x", "访问令牌"),
        field("x", "API 密钥"),
        field("x", "钱包助记词"),
        field("x", "支付密碼"),
        above("To go on, type your password below"),
        above("We have texted you a code. Enter the verification code."),
        above("请在下方输入您的登录密码"),
        above("Paste the API key of your account"),
        // What is demanded is demanded of every field.
        beside("Enter your account password to continue", "Comment"),
        beside("Type your password into the first field", "Name"),
        beside("What is your password?", "City"),
        beside("Password, please:", "Email address"),
        beside("Please provide the API key of your project", "Project"),
        beside("We texted you a code. Type it in below.", "Ticket number"),
        beside("Input password", "Name"),
        beside("Enter your password (limit: 20 characters)", "Reason"),
        beside("Don't worry, just enter your password", "Name"),
        beside("To reset the password type it below", "Name"),
        // What is spoken of may be meant wherever anything may be.
        beside("Your password has expired", "Comment"),
        beside("Your password has expired", "Answer to the question"),
        beside("Your credit card was declined", "Number"),
        // However it is written.
        above("Your p a s s w o r d"),
        above("P.A.S.S.W.O.R.D?"),
        above("Enter your pas sword"),
        above("Enter your P1N c0de"),
        above("c-v-v"),
        field("o_t_p", ""),
        field("x", "A P I   k e y"),
        // In other languages.
        above("Introduce tu contraseña"),
        above("Introduce tu contrasena"),
        above("Digite sua senha"),
        above("Veuillez saisir votre mot de passe"),
        above("Gib dein Bankpasswort ein"),
        above("Inserisci il codice di verifica"),
        above("Voer uw wachtwoord in"),
        above("Podaj hasło"),
        above("Şifrenizi girin"),
        above("Введите пароль"),
        above("Укажите номер карты"),
        above("パスワードを入力してください"),
        above("クレジットカード番号"),
        above("비밀번호를 입력하세요"),
        above("أدخل كلمة المرور"),
        above("הזן את הסיסמה שלך"),
        above("अपना पासवर्ड दर्ज करें"),
        above("กรอกรหัสผ่าน"),
        above("Nhập mật khẩu"),
        above("Masukkan kata sandi Anda"),
        beside("Inserisci la tua password", "City"),
        one(
            "The PIN of your card, digit by digit",
            json!({
                "a": { "type": "integer", "minimum": 0, "maximum": 9, "title": "Day" },
                "b": { "type": "integer", "minimum": 0, "maximum": 9, "title": "Day" },
                "c": { "type": "integer", "minimum": 0, "maximum": 9, "title": "Day" },
            }),
        ),
        text(
            "description",
            "The password with which you sign in at the bank",
        ),
        text("format", "password"),
        text("pattern", "^sk-[A-Za-z0-9]{20,}$"),
        text("pattern", "^\\d{16}$"),
        text("pattern", "^ghp_[A-Za-z0-9]{36}$"),
        one(
            "Go on",
            json!({ "value": { "type": "string", "writeOnly": true } }),
        ),
        one(
            "Your card number, please",
            json!({ "number": { "type": "integer" } }),
        ),
        one(
            "Pick the letters of your password",
            json!({ "letters": { "type": "array", "items": { "type": "string", "enum": ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"] } } }),
        ),
        one(
            "The code we sent you",
            json!({
                "first": { "type": "string", "maxLength": 1 }, "second": { "type": "string", "maxLength": 1 },
                "third": { "type": "string", "maxLength": 1 }, "fourth": { "type": "string", "maxLength": 1 },
            }),
        ),
        one(
            "Go on",
            json!({ "account": { "type": "object", "properties": { "password": { "type": "string" } } } }),
        ),
        one(
            "Go on",
            json!({ "account": { "type": "array", "items": { "type": "object", "properties": { "pin": { "type": "string" } } } } }),
        ),
        one(
            "Go on",
            json!({ "password": { "type": "string", "enum": [] } }),
        ),
        one(
            "Go on",
            json!({ "password": { "type": "string", "anyOf": [{ "minLength": 1 }] } }),
        ),
        one(
            "Go on",
            json!({ "password": { "type": "string", "oneOf": [{ "const": "a" }, { "type": "string" }] } }),
        ),
        one(
            "Go on",
            json!({ "value": { "anyOf": [{ "type": "string", "title": "Password" }, { "type": "null" }] } }),
        ),
        one(
            "Go on",
            json!({ "value": { "type": "string", "allOf": [{ "title": "Your API key" }] } }),
        ),
        referred(json!({ "type": "string", "title": "Credit card number" })),
        one(
            "How do you want to sign in?",
            json!({ "way": { "type": "string", "enum": ["password"] }, "answer": { "type": "string", "title": "Your password" } }),
        ),
    ]
}

fn harmless() -> Vec<(String, Map<String, Value>)> {
    vec![
        field("token_count", "Token count"),
        field("max_tokens", "Maximum tokens"),
        field("x", "Number of tokens"),
        field("x", "How many tokens may it use?"),
        field("x", "Title of the password policy document"),
        field("x", "Password length"),
        field("x", "Password rotation in days"),
        field("x", "Stop token"),
        field("x", "Token budget per day"),
        field("x", "Token endpoint URL"),
        field("x", "Name of the API key"),
        field("x", "Secret name"),
        field("x", "Secret Santa budget"),
        field("x", "Keyboard layout"),
        field("x", "Primary key column"),
        field("x", "Key of the song"),
        field("x", "Keyword"),
        field("pinned", "Pin this message"),
        field("x", "Shopping cart"),
        field("x", "Card title"),
        field("x", "Trello card"),
        field("x", "Business card text"),
        field("x", "Country code"),
        field("x", "Discount code"),
        field("x", "Postal code"),
        field("x", "Error code"),
        field("x", "Source code to review"),
        field("x", "Passport country"),
        field("x", "Passenger name"),
        field("x", "Compass direction"),
        field("x", "Author"),
        field("x", "Secretary"),
        field("x", "Design tokens file"),
        field("x", "Password manager you use"),
        field("x", "Credential type"),
        field("x", "密码策略文档标题"),
        field("x", "令牌数量上限"),
        field("x", "密码学课程"),
        field("x", "关键字"),
        field("x", "密钥轮换周期"),
        field("x", "收货地址"),
        above("What is your name?"),
        above("Which files should be looked at for token usage?"),
        above("Never type your password here. What is the ticket number?"),
        one(
            "Your password has expired. Who are you?",
            json!({ "username": { "type": "string", "title": "User name" } }),
        ),
        beside(
            "Your API key expires soon. Which project is it for?",
            "Project",
        ),
        beside("Enter the path to your SSH key", "Path"),
        beside(
            "We will email you a verification code. What is your email?",
            "Email address",
        ),
        beside(
            "Do not enter your password here. Which city do you live in?",
            "City",
        ),
        beside("Send it to Ken?", "Anything else"),
        beside("So the list is sorted by name?", "Anything else"),
        beside("您的密码已过期。您住在哪个城市？", "城市"),
        one(
            "To rotate the API key, choose how many days it is valid",
            json!({ "days": { "type": "integer", "title": "Number of days" } }),
        ),
        one(
            "Reset the password?",
            json!({ "confirm": { "type": "boolean" } }),
        ),
        one(
            "When was it changed?",
            json!({ "at": { "type": "string", "format": "date", "title": "Password last changed" } }),
        ),
        one(
            "How do you sign in?",
            json!({ "way": { "type": "string", "enum": ["password", "token", "api key"] } }),
        ),
        one(
            "How do you sign in?",
            json!({ "way": { "oneOf": [{ "const": "a", "title": "Password" }, { "const": "b", "title": "API key" }] } }),
        ),
        one(
            "How old?",
            json!({ "age": { "anyOf": [{ "type": "integer" }, { "type": "null" }], "examples": [{ "title": "Password" }] } }),
        ),
        referred(json!({ "type": "string", "title": "Ticket number" })),
        one(
            "Grade",
            json!({ "grades": { "type": "array", "items": { "type": "string", "enum": ["A", "B", "C", "D"] } } }),
        ),
        one(
            "Zip",
            json!({ "zip": { "type": "string", "pattern": "^\\d{5}$" } }),
        ),
    ]
}

#[test]
fn forms_that_ask_for_secrets_are_found_and_others_are_not() {
    let (secrets, harmless) = (secrets(), harmless());
    let missed: Vec<_> = secrets
        .iter()
        .filter(|(message, schema)| secret_asked(message, schema).is_none())
        .collect();
    let wrong: Vec<_> = harmless
        .iter()
        .filter_map(|(message, schema)| Some((secret_asked(message, schema)?, message, schema)))
        .collect();
    println!(
        "found {} of {}, wrongly {} of {}",
        secrets.len() - missed.len(),
        secrets.len(),
        wrong.len(),
        harmless.len()
    );
    assert!(secrets.len() >= 40 && harmless.len() >= 40);
    assert!(missed.is_empty(), "missed: {missed:#?}");
    assert!(wrong.is_empty(), "harmless: {wrong:#?}");
}

#[test]
fn the_kind_of_the_secret_is_named() {
    let kind = |(message, schema): (String, Map<String, Value>)| secret_asked(&message, &schema);
    assert_eq!(
        kind(field("x", "Your password")),
        Some(SecretKind::Password)
    );
    assert_eq!(kind(field("x", "Card number")), Some(SecretKind::Card));
    assert_eq!(kind(field("x", "Access token")), Some(SecretKind::Token));
    assert_eq!(
        kind(field("x", "One-time password")),
        Some(SecretKind::OneTimeCode)
    );
    assert_eq!(kind(field("x", "API key")), Some(SecretKind::Key));
}
