import { assertEquals } from "@std/assert";
import {
  repeatedTextAt,
  textAt,
  validRepeatedTextAt,
  validTextAt,
} from "../../src/protobuf/text.ts";
import { fuzz } from "../support/seeded_runs.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

Deno.test("textAt() and repeatedTextAt() read any bytes like a TextDecoder, whatever was read before", () =>
  fuzz(60_000, (random, inputs) => {
    const below = (limit: number) => Math.floor(random.next() * limit);
    for (let input = 0; input < inputs; input++) {
      const units = Array.from({ length: 1 + below(6) }, () => "aé\ufeff\0"[below(4)]).join("");
      const bytes = encoder.encode(units);
      // A part with as many bytes as the whole has characters, which a place could confuse with it.
      for (const end of [bytes.length, units.length]) {
        const expected = decoder.decode(bytes.subarray(0, end));
        assertEquals(repeatedTextAt(bytes, 0, end), expected);
        assertEquals(textAt(bytes, 0, end), expected);
      }
    }
  }));

Deno.test("validTextAt() and validRepeatedTextAt() refuse bytes that are not UTF-8, each time", () => {
  for (let repetition = 0; repetition < 2; repetition++) {
    for (
      const [bytes, text] of [
        [[0x61, 0xff], undefined],
        [[0xc3], undefined],
        [[0xed, 0xa0, 0x80], undefined],
        [[...encoder.encode("\ufffd")], "\ufffd"],
        [[...encoder.encode("é")], "é"],
        [[0x61], "a"],
        [[], ""],
      ] as [number[], string | undefined][]
    ) {
      const encoded = Uint8Array.from(bytes);
      assertEquals(validTextAt(encoded, 0, bytes.length), text);
      assertEquals(validRepeatedTextAt(encoded, 0, bytes.length), text);
    }
  }
});
