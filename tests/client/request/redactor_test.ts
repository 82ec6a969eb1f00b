import { assertEquals } from "@std/assert";
import { Redactor } from "../../../src/client/request/redactor.ts";
import { excerpt, isHtml, shownValue } from "../../../src/client/request/text.ts";

function redactorOf(...secrets: string[]): Redactor {
  const redactor = new Redactor();
  for (const secret of secrets) redactor.add(secret);
  return redactor;
}

const same = (text: string) => text;

Deno.test("Redactor finds a secret in each form in which a server may repeat it", () => {
  const secret = `p/a+ä <&>"'`;
  const { redact } = redactorOf(secret);
  const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
  for (
    const form of [
      secret,
      "p%2Fa%2B%C3%A4%20%3C%26%3E%22'",
      "p%2fa%2b%c3%a4%20%3c%26%3e%22'",
      "p%2Fa%2B%C3%A4+%3C%26%3E%22'",
      "p%2fa%2b%c3%a4+%3c%26%3e%22'",
      "%70%2f%61%2b%c3%a4%20%3c%26%3e%22%27",
      "%70%2F%61%2B%C3%A4%20%3C%26%3E%22%27",
      `p/a+ä <&>\\"'`,
      `p\\/a+ä <&>\\"'`,
      `p/a\\u002bä \\u003c\\u0026\\u003e\\"'`,
      "p/a+ä &lt;&amp;&gt;&#34;&#39;",
      "p/a+ä &lt;&amp;&gt;&quot;&apos;",
    ]
  ) assertEquals(redact(`it was ${form}, twice ${form}`), "it was (hidden), twice (hidden)", form);
  // Within other text, some characters of base64 depend on the bytes around the secret.
  for (const before of ["", "x", "xy", "xyz"]) {
    for (const after of ["", "x", "xy"]) {
      const encoded = base64(before + secret + after);
      for (const text of [encoded, encoded.replaceAll("+", "-").replaceAll("/", "_")]) {
        const shown = redact(text);
        assertEquals(shown.includes("(hidden)"), true, text);
        assertEquals(shown.length - "(hidden)".length <= 12, true, shown);
      }
    }
  }
});

Deno.test("Redactor hides all base64 characters and escapes that encode a secret", () => {
  for (
    const [secret, text, shown] of [
      ["password", btoa("x:password:y"), "eDp(hidden)Dp5"],
      ["password", btoa("password"), "(hidden)Q="],
      ["abc", btoa("xabc"), "eG(hidden)w=="],
      ["???", "Pz8/ Pz8_", "(hidden) (hidden)"],
      [">>>", "Pj4+ Pj4-", "(hidden) (hidden)"],
      ["a\tbcd", "%61%09%62%63%64", "(hidden)"],
    ] as const
  ) assertEquals(redactorOf(secret).redact(text), shown);
});

Deno.test("Redactor looks for secrets of three characters and more, and for the sixteen newest", () => {
  assertEquals(redactorOf("ab", "").redact("ab abc"), "ab abc");
  assertEquals(redactorOf("abc").redact("ab abc"), "ab (hidden)");
  const many = redactorOf();
  many.add(undefined);
  for (let i = 10; i < 26; i++) many.add(`secret-${i}`);
  assertEquals(many.redact("secret-10 secret-25"), "(hidden) (hidden)");
  // A known secret does not displace another one.
  many.add("secret-10");
  assertEquals(many.redact("secret-11 secret-25"), "(hidden) (hidden)");
  many.add("secret-26");
  assertEquals(many.redact("secret-10 secret-11 secret-26"), "secret-10 (hidden) (hidden)");
});

Deno.test("Redactor finds the credentials of an Authorization header", () => {
  const redactor = new Redactor();
  redactor.addHeader(undefined);
  redactor.addHeader("Bearer to.ken");
  redactor.addHeader(`Basic ${btoa("me:pass:word")}`);
  redactor.addHeader("Basic !");
  redactor.addHeader(undefined);
  // Only basic credentials are decoded.
  redactor.addHeader(`Bearer ${btoa("visible")}`);
  assertEquals(redactor.redact("visible"), "visible");
  assertEquals(
    redactor.redact(`to.ken ${btoa("me:pass:word")} me:pass:word pass:word me`),
    "(hidden) (hidden) (hidden) (hidden) me",
  );
  // A header whose credentials were forgotten is read again.
  const other = new Redactor();
  other.addHeader("Bearer to.ken");
  for (let i = 10; i < 26; i++) other.add(`secret-${i}`);
  assertEquals(other.redact("to.ken"), "to.ken");
  other.addHeader("Bearer to.ken");
  assertEquals(other.redact("to.ken"), "(hidden)");
});

Deno.test("Redactor shows no text that it has not searched", () => {
  const { redact } = redactorOf("secret");
  const limit = 64 * 1024;
  assertEquals(redact("x".repeat(limit)), "x".repeat(limit));
  assertEquals(redact("x".repeat(limit + 1)), "x".repeat(48 * 1024));
  assertEquals(redact(`${"x".repeat(48 * 1024 - 3)}secret${"x".repeat(limit)}`).slice(-5), "xx(hi");
});

Deno.test("excerpt() shows up to 200 characters on one line, and nothing that begins like JSON", () => {
  for (
    const [text, shown] of [
      ["", "nothing"],
      [" \n\t\u0007", "nothing"],
      [" a\n\u0007 b ", '"a b"'],
      ['{"a":1}', "7 characters that begin like JSON"],
      ["[1]", "3 characters that begin like JSON"],
      [' "a"', "4 characters that begin like JSON"],
      ["x".repeat(200), `"${"x".repeat(200)}"`],
      ["x".repeat(201), `"${"x".repeat(200)}…"`],
    ] as const
  ) assertEquals(excerpt(text, same), shown);
  assertEquals(excerpt("a secret", redactorOf("secret").redact), '"a (hidden)"');
  assertEquals(shownValue("a secret", redactorOf("secret").redact), '"a (hidden)"');
  assertEquals(shownValue("x".repeat(201), same), `"${"x".repeat(200)}… (1 more characters)"`);
  assertEquals(shownValue(5, same), "5");
});

Deno.test("isHtml() knows a page by its type or its beginning", () => {
  for (const text of ["<!DOCTYPE html>", " \n<html>", "<?xml ?>", "<HTML lang>"]) {
    assertEquals(isHtml("", text), true, text);
  }
  assertEquals(isHtml("text/html; charset=utf-8", ""), true);
  for (const [type, text] of [["", "html"], ["a/text/html", "{}"], ["", "<a>"]] as const) {
    assertEquals(isHtml(type, text), false);
  }
});
