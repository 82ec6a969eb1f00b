import { assertEquals, assertThrows } from "@std/assert";
import { EventStreamParser, type StreamEvent } from "../../../src/see/page/live/event_stream.ts";

const STREAM =
  ': hello\n\nevent: state\ndata: {"a":1}\n\ndata:one\r\ndata: two\r\n\r\nid: 7\rdata\r\revent: x\n\n';
const EVENTS: StreamEvent[] = [
  { name: "state", data: '{"a":1}' },
  { name: "message", data: "one\ntwo" },
  { name: "message", data: "" },
];

Deno.test("EventStreamParser parses a stream that is cut at any place", () => {
  for (let first = 0; first <= STREAM.length; first++) {
    const parser = new EventStreamParser();
    const cut = [STREAM.slice(0, first), STREAM.slice(first, first + 1), STREAM.slice(first + 1)];
    assertEquals(cut.flatMap((chunk) => parser.push(chunk)), EVENTS, `cut at ${first}`);
  }
});

Deno.test("EventStreamParser returns no event before its end", () => {
  const parser = new EventStreamParser();
  assertEquals(parser.push("data: a\n"), []);
  assertEquals(parser.push("\n"), [{ name: "message", data: "a" }]);
});

Deno.test("EventStreamParser refuses an event without an end", () => {
  const parser = new EventStreamParser();
  const line = `data: ${"x".repeat(1_000_000)}\n`;
  assertThrows(
    () => {
      for (let count = 0; count < 20; count++) parser.push(line);
    },
    RangeError,
    "longer than",
  );
});
