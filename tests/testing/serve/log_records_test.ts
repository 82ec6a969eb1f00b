import { crc32 } from "node:zlib";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { parseJson, stringifyJson } from "../../../src/base/mod.ts";
import {
  decodeRecords,
  encodeRecord,
  type LogRecord,
  reservationJson,
  writeJson,
} from "../../../src/testing/serve/log_records.ts";
import { assertProperty } from "../../support/seeded_runs.ts";

function write(n: number, object: Record<string, unknown> | null): LogRecord {
  return {
    resourceVersion: String(n),
    resource: "configmaps",
    namespace: "shop",
    name: "ä",
    object,
  };
}

const RECORDS: readonly LogRecord[] = [
  { kind: "KubeloopLog", version: 1, reserved: "10001" },
  write(2, { text: "line\nbreak and snow ☃" }),
  write(3, null),
  write(4, { text: "last" }),
];

function lineOf(record: LogRecord): Uint8Array {
  if (!("resource" in record)) return encodeRecord(reservationJson(Number(record.reserved)));
  return encodeRecord(writeJson(record, stringifyJson(record.object)));
}

function join(lines: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(lines.flatMap((line) => [...line]));
}

const LINES = RECORDS.map(lineOf);
const WHOLE = join(LINES);
/** The offset after each record. */
const ENDS = LINES.map((_, index) => join(LINES.slice(0, index + 1)).length);

Deno.test("decodeRecords() reads what encodeRecord() wrote", () => {
  assertEquals(decodeRecords(WHOLE), { records: RECORDS, length: WHOLE.length, damaged: false });
  assertEquals(decodeRecords(new Uint8Array()), { records: [], length: 0, damaged: false });
});

Deno.test("encodeRecord() makes a line that a person can read", () => {
  const text = new TextDecoder().decode(encodeRecord('{"a":"ä"}'));
  assertEquals(text, '10 282893f6 {"a":"ä"}\n');
});

Deno.test("decodeRecords() drops a record that was cut off, wherever the file ends", () => {
  for (let length = 0; length < WHOLE.length; length++) {
    const whole = ENDS.filter((end) => end <= length);
    assertEquals(decodeRecords(WHOLE.subarray(0, length)), {
      records: RECORDS.slice(0, whole.length),
      length: whole.at(-1) ?? 0,
      damaged: false,
    });
  }
});

Deno.test("decodeRecords() drops a last record with blocks that a loss of power has left empty", () => {
  const last = ENDS.at(-2)!;
  for (let from = last; from < WHOLE.length; from++) {
    for (const to of [from + 1, WHOLE.length]) {
      const bytes = WHOLE.slice();
      bytes.fill(0, from, to);
      const content = decodeRecords(bytes);
      assertEquals(content, { records: RECORDS.slice(0, 3), length: last, damaged: false });
    }
  }
});

Deno.test("decodeRecords() takes an empty block for damage if a whole record follows, however far away", () => {
  const bytes = WHOLE.slice();
  bytes.fill(0, ENDS[0]!, ENDS[0]! + 3);
  const junk = new TextEncoder().encode("junk\n\n");
  const cut = [bytes.subarray(0, ENDS[1]!), junk] as const;
  const begun = { records: RECORDS.slice(0, 1), length: ENDS[0]! };
  for (const between of [[], [junk.subarray(0, 5)], [junk]]) {
    const content = decodeRecords(join([cut[0], ...between, LINES[2]!]));
    assertEquals(content, { ...begun, damaged: true });
  }
  assertEquals(decodeRecords(join(cut)), { ...begun, damaged: false });
  const unfinished = join([...cut, LINES[2]!.subarray(0, -1)]);
  assertEquals(decodeRecords(unfinished), { ...begun, damaged: false });
});

Deno.test("decodeRecords() takes a record that is not UTF-8 for damage, whatever its checksum", () => {
  const body = Uint8Array.of(34, 0xff, 34);
  const head = new TextEncoder().encode(`3 ${crc32(body).toString(16).padStart(8, "0")} `);
  const line = join([head, body, Uint8Array.of(10)]);
  assertEquals(decodeRecords(line), { records: [], length: 0, damaged: true });
});

Deno.test("decodeRecords() finds damage at each byte, and where the damaged record starts", () => {
  for (let at = 0; at < WHOLE.length; at++) {
    for (const value of [0, 10, 32, WHOLE[at]! ^ 1, WHOLE[at]! ^ 0x80]) {
      if (WHOLE[at] === value) continue;
      const bytes = WHOLE.slice();
      bytes[at] = value;
      const content = decodeRecords(bytes);
      const before = ENDS.filter((end) => end <= at);
      assertEquals(content.records, RECORDS.slice(0, before.length), `byte ${at}`);
      assertEquals(content.length, before.at(-1) ?? 0);
      // The last record without its end, or with a zero, can be the work of a crash.
      const isLast = at >= ENDS.at(-2)!;
      const canBeCrash = isLast && (value === 0 || at === WHOLE.length - 1);
      // A zero in the record before, instead of its line break, makes one record of both.
      const joined = at === ENDS.at(-2)! - 1 && value === 0;
      assertEquals(content.damaged, !canBeCrash && !joined, `byte ${at} is ${value}`);
    }
  }
});

Deno.test("decodeRecords() reads a prefix of any records, whatever follows them", () => {
  const records = fc.array(
    fc.tuple(fc.nat(), fc.option(fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue()))),
    { maxLength: 8 },
  );
  assertProperty(
    fc.property(records, fc.uint8Array({ maxLength: 40 }), (list, rest) => {
      const written = list.map(([n, object]) =>
        write(n, parseJson(stringifyJson(object)) as Record<string, unknown> | null)
      );
      const lines = join(written.map(lineOf));
      const content = decodeRecords(join([lines, rest]));
      assertEquals(content.records, written);
      assertEquals(content.length, lines.length);
      // Without a line break, only the beginning of a record can be the rest of a write.
      if (!rest.includes(10)) {
        const beginsLikeOne = rest.length === 0 || /[1-9\0]/.test(String.fromCharCode(rest[0]!));
        assert(content.damaged || beginsLikeOne);
        assert(!content.damaged || rest.length > 0);
      }
    }),
    300,
  );
});
