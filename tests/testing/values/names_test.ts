import { assertEquals } from "@std/assert";
import {
  byteLength,
  configMapKey,
  dns1035Label,
  dnsLabel,
  dnsSubdomain,
  envVarName,
  labelValue,
  maskTrailingDash,
  pathSegmentName,
  portName,
  portNumber,
  qualifiedName,
} from "../../../src/testing/values/mod.ts";

const LABEL =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const DNS_1035 =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const QUALIFIED =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const VALUE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const KEY =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
const VARIABLE =
  "a valid environment variable name must consist only of printable ASCII characters other than '='";

type Row = readonly [text: string, errors: readonly string[]];

const CHECKS: readonly (readonly [(text: string) => string[], readonly Row[]])[] = [
  [dnsLabel, [
    ["a".repeat(63), []],
    ["a".repeat(64), ["must be no more than 63 characters"]],
    ["0a-9", []],
    ["a.b", ["must not contain dots"]],
    ["A", [LABEL]],
    ["-", [LABEL]],
    ["", [LABEL]],
    ["A".repeat(64), ["must be no more than 63 characters", LABEL]],
  ]],
  [dnsSubdomain, [
    ["a".repeat(253), []],
    ["a".repeat(254), ["must be no more than 253 characters"]],
    ["a.b", []],
    ["a..b", [SUBDOMAIN]],
    ["a.-b", [SUBDOMAIN]],
  ]],
  [dns1035Label, [
    ["a".repeat(63), []],
    ["a".repeat(64), ["must be no more than 63 characters"]],
    ["a9", []],
    ["9a", [DNS_1035]],
    ["a-", [DNS_1035]],
  ]],
  [pathSegmentName, [
    ["system:node", []],
    ["...", []],
    [".", ["may not be '.'"]],
    ["..", ["may not be '..'"]],
    ["a/b", ["may not contain '/'"]],
    ["a%b/", ["may not contain '/'", "may not contain '%'"]],
  ]],
  [qualifiedName, [
    ["a".repeat(63), []],
    ["a".repeat(64), ["name part must be no more than 63 bytes"]],
    ["", ["name part must be non-empty", `name part ${QUALIFIED}`]],
    ["a/", ["name part must be non-empty", `name part ${QUALIFIED}`]],
    ["/a", ["prefix part must be non-empty"]],
    ["B/a", [`prefix part ${SUBDOMAIN}`]],
    [`${"b".repeat(253)}/a`, []],
    [`${"b".repeat(254)}/a`, ["prefix part must be no more than 253 bytes"]],
    ["a_", [`name part ${QUALIFIED}`]],
    ["a/b/c", [
      `a valid label key ${QUALIFIED} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ]],
  ]],
  [labelValue, [
    ["", []],
    ["a".repeat(63), []],
    ["a".repeat(64), ["must be no more than 63 bytes"]],
    ["a-", [VALUE]],
  ]],
  [configMapKey, [
    ["..", ["must not be '..'"]],
    [".", ["must not be '.'"]],
    ["..a", ["must not start with '..'"]],
    [".a", []],
    ["a".repeat(253), []],
    ["a".repeat(254), ["must be no more than 253 characters"]],
    ["", [KEY]],
    ["../", [KEY, "must not start with '..'"]],
  ]],
  [envVarName, [
    ["A b<>~", []],
    ["", [VARIABLE]],
    ["a=b", [VARIABLE]],
    ["a\u007f", [VARIABLE]],
    ["..", ["must not be '..'"]],
  ]],
  [portName, [
    ["http", []],
    ["a".repeat(15), []],
    ["a".repeat(16), ["must be no more than 15 characters"]],
    ["80", ["must contain at least one letter (a-z)"]],
    ["a_b", ["must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)"]],
    ["a--b", ["must not contain consecutive hyphens"]],
    ["-a", ["must not begin or end with a hyphen"]],
    ["a-", ["must not begin or end with a hyphen"]],
    ["", [
      "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
      "must contain at least one letter (a-z)",
    ]],
  ]],
];

for (const [check, rows] of CHECKS) {
  Deno.test(`${check.name}() answers with the texts of the server`, () => {
    for (const [text, errors] of rows) assertEquals(check(text), errors, JSON.stringify(text));
  });
}

Deno.test("byteLength() counts UTF-8", () => {
  assertEquals(["a", "ä", "€", "😀"].map(byteLength), [1, 2, 3, 4]);
});

Deno.test("portNumber() takes 1 to 65535", () => {
  const wrong = ["must be between 1 and 65535, inclusive"];
  assertEquals([0, 1, 65_535, 65_536].map(portNumber), [wrong, [], [], wrong]);
});

Deno.test("maskTrailingDash() replaces the dash and the character before it", () => {
  assertEquals(["", "-", "a-", "a.-", "a--", "a"].map(maskTrailingDash), [
    "",
    "-",
    "a",
    "aa",
    "aa",
    "a",
  ]);
});
