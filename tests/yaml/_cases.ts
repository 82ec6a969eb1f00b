/**
 * Texts whose values are recorded from Go: each shows one rule.
 *
 * @module
 */

import type { Request } from "./_texts.ts";

const first = (text: string): Request => ({ how: "first", text });
const documents = (text: string): Request => ({ how: "documents", text });

/** Scalars as values of keys. */
const SCALARS = [
  ..."y Y yes Yes YES yEs n N no No NO on On ON oN off Off OFF true True TRUE tRue false".split(
    " ",
  ),
  ..."null Null NULL nUll ~ << = 0 -0 +0 00 07 08 0888 0644 0o644 0O17 0o8 0x1F 0X1f 0x".split(" "),
  ..."0b101 0B1 0b2 0b 0b-1 0b+1 -0b1 -0b-1 +0x1F -017 0_7 1_000 1__0 1_ _1 -_1 - +".split(" "),
  ..."1. .5 -.5 .5_0 .5_ ._5 .5e1_0 1_0.5 1.5.2 1e3 1e+3 1e-3 1e400 1e-400 1e21 1e 0x1p4".split(
    " ",
  ),
  ..."9007199254740991 9007199254740992 9007199254740993 -9007199254740993".split(" "),
  ..."9223372036854775807 9223372036854775808 -9223372036854775808 -9223372036854775809".split(" "),
  ..."18446744073709551615 18446744073709551616 +18446744073709551615".split(" "),
  ..."0xffffffffffffffff 0x10000000000000000 1:30 190:20:30.15 2001-01-01 2001-99-99".split(" "),
  ..."2001-12-14t21:59:43.10-05:00 2024-01-01T00:00:00Z 100m 1.2.3 http://x/y?z=1".split(" "),
  ..."'1'|\"1\"|'yes'|\"\\u00e4\\x41\\N\\L\"|'it''s'|\"\\\n b\"|a#b|a # b|a b|it's|(){}[]".split(
    "|",
  ),
  "2001-12-14 21:59:43.10 -5",
];

/** Scalars that no JSON can hold. */
const NOT_FINITE = ".nan .NaN .NAN .inf .Inf .INF +.inf -.inf -.Inf".split(" ");

const TAGGED = [
  ...'!!str 1|!!str|!!str ~|!!int "1"|!!int 1.5|!!int a|!!float 1|!!float "2.5"|!!float a'.split(
    "|",
  ),
  ...'!!bool "yes"|!!bool 1|!!null ""|!!null|!!null a|!!binary aGk=|!!binary "aGVs\n  bG8="'.split(
    "|",
  ),
  ..."!!binary aGk|!!binary a=b=|!!binary /w==|!!binary 4oI=|!!binary wyjDKA==|!!binary 7aCA".split(
    "|",
  ),
  ..."!!timestamp 2001-1-1|!!timestamp a|!Custom a|!Custom 1|!Custom|!!unknown 1|! 1|! ''".split(
    "|",
  ),
  ..."!<tag:yaml.org,2002:int> '7'|!<!x> 1|!!map {a: 1}|!!seq [1]|!!set {a, b}|!!omap [a: 1]".split(
    "|",
  ),
  "!x {a: 1}",
  "!!merge a",
];

const KEYS = [
  ..."yes|1|0x10|0o17|1.5|1e3|1000000.0|1e21|1e-5|.inf|-.inf|.nan|2001-01-01|'a b'|\"\"|~|".split(
    "|",
  ),
  ..."null|9223372036854775807|9223372036854775808|!!str 1|!!int '1'|? a\n|[a]|{a: b}|<<|'<<'"
    .split(
      "|",
    ),
  ..."!!binary aGk=|123456789.0|16777217.0|1.1|-0.0|__proto__|constructor|a#b|-a".split("|"),
];

const DOCUMENTS = [
  "",
  "\n",
  "# only a comment\n",
  "---\n",
  "---\n---\n---\n",
  "a: 1\n---\nb: 2\n",
  "a: 1\n--- # comment\nb: 2",
  "a: 1\n---\t\nb: 2",
  "a: 1\n--- b: 2\n",
  "a: 1\n---b: 2\n",
  "--- {a: 1}\n",
  "a: 1\n----\nb: 2\n",
  "a: 1\n ---\nb: 2\n",
  "a: |\n  ---\n  b\n---\nc: 1\n",
  "a: '\n---\n'\n",
  "# c\n---\na: 1\n",
  "---\na: 1\n...\n---\nb: 2\n...\n",
  "a: 1\n...\nb: 2\n",
  "...\n",
  "%YAML 1.1\n---\na: 1\n",
  "a: 1\r\n---\r\nb: |\r\n  c\r\n  d\r\n",
  "a: |\n  no line break at the end",
  "a: 1\n---\n\ufeffb: 2\n",
  '{"a": 1}\n{"b": 2}\n',
  '{"a":1}{"b":[2]}{"c":"}"}',
  '{"a": 1}\n---\n{"b": 2}\n',
  '{"a": 1}\n---\nb: 2\n',
  '{"a": 1}\n{"b": 2}\n---\n{"c": 3}\n',
  '{"a": 1}\n{b: 2}\n',
  '{"a": 1}\n{"b": 2}\n{c: 3}\n',
  '\n\n  {"a": 1}\n',
  "{a: 1}\n",
  '{"a": 1, "a": 2}',
  '{\n\t"a": [\n\t\t1\n\t]\n}\n',
  '{"a": "\\u00e4\\n"}',
  '{"a": 9007199254740993}',
  '{"a": -9007199254740993, "b": [9223372036854775807, -9223372036854775808]}',
  '{"a": 9007199254740993}\n{"a": 9007199254740991}\n',
  "[1, 2]\n",
  "just a text\n",
  "a: {{ .Values.a }}\n",
  "{{ .Values.a }}: 1\n",
];

const FIRST = [
  "",
  "# only a comment\n",
  "%YAML 1.1\n---\na: 1\n",
  "%YAML 1.2\n---\na: 1\n",
  "%TAG !e! tag:yaml.org,2002:\n---\na: !e!int '1'\n",
  "# c\n---\na: 1\n---\n{{{\n",
  "a: 1\n...\n{{{\n",
  "--- {a: 1}\n",
  "---\n- a\n",
  // A key twice, and merge keys, in the order of the text.
  "a: 1\na: 2\n",
  "{a: 1, <<: {a: 2, b: 3}}",
  "{<<: {a: 2, b: 3}, a: 1}",
  "b: &b {a: 1, c: 2}\nd: {<<: *b, c: 3}\ne: {c: 3, <<: *b}\n",
  "b: &b {a: 1}\nc: &c {a: 2, d: 3}\ne: {<<: [*b, *c]}\n",
  "<<: [{a: 1}, {<<: {b: 2}}]\n",
  "a: {'<<': {b: 1}}\n",
  'a: {"<<": {b: 1}}\n',
  "a: {!!merge '<<': {b: 1}}\n",
  "<<: 1\n",
  "<<:\n",
  "<<: [1]\n",
  "b: &b 1\nc: {<<: *b}\n",
  // Anchors.
  "a: &x 1\nb: *x\nc: &x 2\nd: *x\n",
  "a: *x\n",
  "a: &x [*x]\n",
  "&x a: 1\nb: *x\n",
  "a: &x\nb: *x\n",
  "? &x a\n: *x\n",
  "a: &b.c 1\n",
  // Indentation.
  "a:\n- 1\n- - 2\n  - 3\nb:\n  - c: 1\n    d: 2\n",
  "a: {\n  b: 1,\n}\n",
  'a: {\n"b": 1,\n  "c": [\n2,\n3\n]\n}\n',
  "a: [1,# c\n  2]# d\nb: {c: 'd'}# e\nf: 'g'# h\n",
  'a: {\n\t"b": "c",\n\t"d": [\n\t\t"e"\n\t]\n}\n',
  "- a: &b True\n\n- [ \t]\n- [1,\t2]\n",
  "a: {\t'b\tc': 1,\t\td: 2\t}\n",
  'a: "b\nc"\nd: 1\n',
  "a:\n  b: 'c\n\n d'\n",
  "a: b\n c\n\n d\n",
  "a: |\n  b\n   c\n\n  d\n\ne: >\n  f\n  g\n\n   h\n\n  i\n",
  "a: |-\n  b\n\n\nc: |+\n  d\n\n\ne: >-\n  f\n",
  "a: |2\n   b\n  c\n",
  "a: |\n\n\n  b\n",
  "a: >\n",
  "a:\n\t- b\n",
  "a: b: c\n",
  "a: [b\n",
  "a: 'b\n",
  "a: b\n  c: d\n",
  "a:\n  b: 1\n c: 2\n",
  "- a\nb: 1\n",
  "a: @b\n",
  "a: `b\n",
  "a: %b\n",
  "a: 'b' c\n",
  "a: \u0007\n",
  'a: "\\q"\n',
  'a: "b \\\n   c"\n',
  'a: "\\ud800"\n',
  // Line breaks of YAML 1.1.
  "a: 1\u0085b: 2\n",
  'a: "b\u2028c"\n',
  "a: 'b\u0085  c'\n",
  // Flow collections.
  "[a, 'b', \"c\", [d], {e: f}, g: h, i: ]\n",
  "{a, b: , 'c':1, \"d\":[2], e: {}}\n",
  "[a b, c: d e, {f g: h}]\n",
  "[? a : b]\n",
  "[http://a/b:c, a:b]\n",
  "[a, , b]\n",
  "{? a, b}\n",
  "? - a\n: b\n",
  "? |\n  a\n: b\n",
  "a:\n  ? b\n  : c\n  ? d\n",
];

/** The texts, some of which are in two lists. */
export const CASES: readonly Request[] = [
  ...SCALARS.map((text) => first(`a: ${text}\n`)),
  ...NOT_FINITE.map((text) => first(`a: ${text}\n`)),
  first("a: .inf\na: 1\n"),
  ...TAGGED.map((text) => first(`a: ${text}\n`)),
  ...KEYS.map((text) => first(text.startsWith("?") ? `${text}: 1\n` : `${text}: 1\n`)),
  ...KEYS.map((text) => first(`{${text.replace(/^\? a\n$/, "? a ")}: 1}\n`)),
  ...DOCUMENTS.map(documents),
  ...FIRST.map(first),
];
