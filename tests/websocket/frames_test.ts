import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  acceptKey,
  encodeFrame,
  FrameParser,
  OPCODES,
  WebSocketError,
} from "../../src/websocket/mod.ts";
import { assertProperty } from "../support/seeded_runs.ts";

const MASK = Uint8Array.of(0x37, 0xfa, 0x21, 0x3d);

Deno.test("encodeFrame() writes the examples of RFC 6455", () => {
  assertEquals(Object.values(OPCODES), [0, 1, 2, 8, 9, 10]);
  const hello = new TextEncoder().encode("Hello");
  assertEquals([...encodeFrame(OPCODES.text, hello)], [0x81, 5, ...hello]);
  assertEquals(
    [...encodeFrame(OPCODES.text, hello, { mask: MASK })],
    [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58],
  );
  assertEquals([...encodeFrame(OPCODES.binary, new Uint8Array(256)).subarray(0, 4)], [
    0x82,
    0x7e,
    1,
    0,
  ]);
  assertEquals(
    [...encodeFrame(OPCODES.binary, new Uint8Array(65_536)).subarray(0, 10)],
    [0x82, 0x7f, 0, 0, 0, 0, 0, 1, 0, 0],
  );
});

Deno.test("acceptKey() answers the example of RFC 6455", async () => {
  assertEquals(await acceptKey("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
});

Deno.test("FrameParser reads what encodeFrame() wrote, however it is cut", () => {
  const frame = fc.record({
    opcode: fc.constantFrom(OPCODES.binary, OPCODES.text, OPCODES.continuation),
    final: fc.boolean(),
    payload: fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.constantFrom(125, 126, 127, 65_535, 65_536).map((length) =>
        new Uint8Array(length).fill(7)
      ),
    ),
  });
  assertProperty(fc.property(
    fc.array(frame, { maxLength: 5 }),
    fc.array(fc.integer({ min: 1, max: 70_000 }), { minLength: 1 }),
    fc.boolean(),
    (frames, cuts, masked) => {
      const bytes = frames.map(({ opcode, final, payload }) =>
        encodeFrame(opcode, payload, { final, ...(masked ? { mask: MASK } : {}) })
      );
      const wire = new Uint8Array(bytes.flatMap((one) => [...one]));
      const parser = new FrameParser({ masked, maxPayloadBytes: 100_000 });
      const read = [];
      for (let at = 0, turn = 0; at < wire.length; turn++) {
        const size = cuts[turn % cuts.length]!;
        read.push(...parser.push(wire.slice(at, at + size)));
        at += size;
      }
      assertEquals(read, frames);
    },
  ));
});

Deno.test("FrameParser refuses what the protocol forbids", () => {
  const refuses = (bytes: number[], masked: boolean, message: string) => {
    const { code, name } = assertThrows(
      () => new FrameParser({ masked, maxPayloadBytes: 100 }).push(Uint8Array.from(bytes)),
      WebSocketError,
      message,
    );
    const expected = message.includes("limit") ? 1009 : 1002;
    assertEquals([code, name], [expected, "WebSocketError"]);
  };
  refuses([0x83, 0], false, "unknown kind");
  refuses([0xc2, 0], false, "unknown kind");
  refuses([0x09, 0], false, "in parts");
  refuses([0x08, 0], false, "in parts");
  refuses([0x89, 126], false, "too long");
  refuses([0x82, 0x81], false, "is masked");
  refuses([0x82, 1], true, "not masked");
  refuses([0x82, 101], false, "101 bytes, the limit is 100");
  refuses([0x82, 127, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], false, "the limit is 100");
  const longest = (opcode: number, length: number) => {
    const parser = new FrameParser({ masked: false, maxPayloadBytes: length });
    return parser.push(encodeFrame(opcode, new Uint8Array(length))).length;
  };
  assertEquals([longest(OPCODES.ping, 125), longest(OPCODES.binary, 100)], [1, 1]);
});
