import { assertEquals, assertThrows } from "@std/assert";
import {
  der,
  derTime,
  derValues,
  objectId,
  pem,
  sequence,
  time,
  unpem,
  unsigned,
  utf8,
} from "../../src/serving/der.ts";
import { createCertificate, readCertificate } from "../../src/serving/mod.ts";

const NOW_MS = Date.UTC(2026, 0, 1);

const bytes = (...list: number[]) => Uint8Array.from(list);
const ascii = (text: string) => new TextEncoder().encode(text);

Deno.test("der() writes the length in as few bytes as it needs, and derValues() reads it", () => {
  for (
    const [length, head] of [
      [0, [4, 0]],
      [127, [4, 127]],
      [128, [4, 0x81, 128]],
      [255, [4, 0x81, 255]],
      [256, [4, 0x82, 1, 0]],
      [65_535, [4, 0x82, 255, 255]],
      [65_536, [4, 0x83, 1, 0, 0]],
    ] as const
  ) {
    const content = new Uint8Array(length).fill(7);
    const value = der(4, content);
    assertEquals([...value.subarray(0, head.length)], [...head]);
    assertEquals(value.length, head.length + length);
    const last = derValues(bytes(5, 0, ...value)).at(-1)!;
    assertEquals(last, { tag: 4, bytes: value, content });
  }
});

Deno.test("derValues() refuses lengths that certificates do not have", () => {
  const rest = new Array<number>(300).fill(0);
  for (
    const value of [
      [0x30],
      // Without a length, up to an end mark.
      [0x30, 0x80, ...rest],
      [0x30, 0x84, 0, 0, 0, 1, 5],
      [0x30, 0x82, 1],
      [0x30, 0x81, 2, 5],
      [0x30, 2, 5],
      [5, 0, 0x30],
    ]
  ) {
    assertThrows(() => derValues(bytes(...value)), TypeError, "cannot be read: it is not DER");
  }
});

Deno.test("unsigned() keeps only a leading zero that makes the number positive", () => {
  for (
    const [number, content] of [
      [[0, 0, 5], [5]],
      [[0], [0]],
      [[0, 0], [0]],
      [[0x7f], [0x7f]],
      [[0x80], [0, 0x80]],
      [[0, 0x81, 0], [0, 0x81, 0]],
    ] as const
  ) {
    assertEquals([...unsigned(bytes(...number))], [2, content.length, ...content]);
  }
});

Deno.test("objectId() writes each number in groups of 7 bits", () => {
  assertEquals([...objectId("2.5.4.3")], [6, 3, 85, 4, 3]);
  const groups = [42, 127, 0x81, 0, 0x86, 0x48, 0x81, 0x80, 0];
  assertEquals([...objectId("1.2.127.128.840.16384")], [6, groups.length, ...groups]);
});

Deno.test("time() and derTime() change from two digits of the year to four with 2050", () => {
  for (
    const [ms, tag, text] of [
      [Date.UTC(2000, 0, 2, 3, 4, 5), 0x17, "000102030405Z"],
      [Date.UTC(2049, 11, 31, 23, 59, 59), 0x17, "491231235959Z"],
      [Date.UTC(2050, 0, 1), 0x18, "20500101000000Z"],
    ] as const
  ) {
    const value = time(ms);
    assertEquals(value, der(tag, ascii(text)));
    assertEquals(derTime(derValues(value)[0]!), ms);
  }
  const utcTime = (text: string) => derTime(derValues(der(0x17, ascii(text)))[0]!);
  assertEquals(utcTime("500101000000Z"), Date.UTC(1950, 0, 1));
  assertThrows(() => utcTime("5001010000Z"), TypeError, "not DER");
});

Deno.test("pem() breaks lines after 64 characters, and unpem() reads the first block of a label", () => {
  const content = new Uint8Array(50).fill(0xff);
  const text = pem("A", content);
  const lines = ["-----BEGIN A-----", "/".repeat(64), "//8=", "-----END A-----", ""];
  assertEquals(text, lines.join("\n"));
  const other = pem("B", bytes(1));
  assertEquals(unpem("A", other + text + pem("A", bytes(2))), content);
  for (
    const damaged of [
      // An end without a beginning, after what could be base64.
      `${"A".repeat(40)}-----END A-----`,
      `-----BEGIN A-----\n${"A".repeat(40)}\n`,
      `-----END A-----${"A".repeat(40)}-----BEGIN A-----\n`,
      text.replace("//8=", "/*8="),
      other,
    ]
  ) {
    assertThrows(() => unpem("A", damaged), TypeError, "Expected a PEM block A: found none");
  }
});

/** Returns a certificate of `fields`, without a signature. */
function unsignedCertificate(...fields: Uint8Array[]): string {
  return pem("CERTIFICATE", sequence(sequence(...fields)));
}

const VERSION = der(0xa0, unsigned(Uint8Array.of(2)));
const FIELDS = [
  unsigned(Uint8Array.of(7)),
  sequence(objectId("1.2.3")),
  sequence(utf8("issuer")),
  sequence(time(NOW_MS), time(NOW_MS + 1000)),
  sequence(utf8("subject")),
  sequence(utf8("key")),
];

Deno.test("readCertificate() reads a certificate without a version and without extensions", () => {
  // The first of these has no value, and the second not even a name.
  const empty = der(0xa3, sequence(sequence(objectId("2.5.29.14")), sequence()));
  for (const fields of [FIELDS, [VERSION, ...FIELDS], [VERSION, ...FIELDS, empty]]) {
    assertEquals(readCertificate(unsignedCertificate(...fields)), {
      notBeforeMs: NOW_MS,
      notAfterMs: NOW_MS + 1000,
      subject: sequence(utf8("subject")),
      issuer: sequence(utf8("issuer")),
      subjectKeyId: "",
      authorityKeyId: "",
      alternativeNames: "",
    });
  }
});

Deno.test("readCertificate() refuses a certificate that has too few parts", () => {
  const problem = "The certificate cannot be read: it is not X.509";
  for (let count = 0; count < FIELDS.length; count++) {
    const text = unsignedCertificate(VERSION, ...FIELDS.slice(0, count));
    assertThrows(() => readCertificate(text), TypeError, problem);
  }
  const withoutEnd = FIELDS.with(3, sequence(time(NOW_MS)));
  assertThrows(() => readCertificate(unsignedCertificate(...withoutEnd)), TypeError, problem);
  assertThrows(() => readCertificate(pem("CERTIFICATE", sequence())), TypeError, problem);
});

Deno.test("createCertificate() writes version 3, and a serial number of its own", async () => {
  const serials = new Set<string>();
  for (let i = 0; i < 3; i++) {
    const { cert } = await createCertificate({ commonName: "a", nowMs: NOW_MS, validMs: 1000 });
    const [outer] = derValues(unpem("CERTIFICATE", cert));
    const [body] = derValues(outer!.content);
    const [version, serial] = derValues(body!.content);
    assertEquals(version!.bytes, der(0xa0, unsigned(bytes(2))));
    // Clients take up to 20 bytes.
    assertEquals([serial!.tag, serial!.content.length <= 17], [2, true]);
    serials.add(serial!.content.join());
  }
  assertEquals(serials.size, 3);
});
