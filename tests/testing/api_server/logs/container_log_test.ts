import { assertEquals } from "@std/assert";
import { ContainerLog } from "../../../../src/testing/api_server/logs/container_log.ts";

const PIECE_BYTES = 16 * 1024;

function entriesOf(log: ContainerLog): { readonly text: string; readonly isStart: boolean }[] {
  const entries = [];
  for (let position = log.start; position < log.end; position++) {
    const { bytes, isStart } = log.at(position);
    entries.push({ text: new TextDecoder().decode(bytes), isStart });
  }
  return entries;
}

function write(log: ContainerLog, text: string): void {
  log.write(new TextEncoder().encode(text), 0);
}

Deno.test("ContainerLog writes a long line in pieces, which no piece goes beyond", () => {
  const log = new ContainerLog(1_000_000);
  write(log, "a".repeat(PIECE_BYTES - 1));
  assertEquals(entriesOf(log), [], "a piece that may still grow");
  write(log, "b");
  const first = { text: "a".repeat(PIECE_BYTES - 1) + "b", isStart: true };
  assertEquals(entriesOf(log), [first]);
  write(log, "c".repeat(2 * PIECE_BYTES));
  write(log, "\nd\n");
  assertEquals(entriesOf(log), [
    first,
    { text: "c".repeat(PIECE_BYTES), isStart: false },
    { text: "c".repeat(PIECE_BYTES), isStart: false },
    { text: "\n", isStart: false },
    { text: "d\n", isStart: true },
  ]);
  assertEquals(log.tail(1), 4);
  assertEquals(log.tail(2), 0, "a line begins with its first piece");
});

Deno.test("ContainerLog drops the oldest lines down to half of its limit", () => {
  const log = new ContainerLog(20);
  for (const name of ["a", "b", "c", "d", "e"]) write(log, `${name}23\n`);
  assertEquals([log.start, log.end], [0, 5], "the limit itself is no reason to drop anything");
  write(log, "f23\n");
  assertEquals([log.start, log.end], [4, 6]);
  assertEquals(entriesOf(log).map(({ text }) => text), ["e23\n", "f23\n"]);
});

Deno.test("ContainerLog keeps its last line, however long it is", () => {
  const log = new ContainerLog(4);
  write(log, "a\n");
  write(log, "longer than the limit\n");
  assertEquals(entriesOf(log).map(({ text }) => text), ["longer than the limit\n"]);
  write(log, "b\n");
  assertEquals(entriesOf(log).map(({ text }) => text), ["b\n"]);
});
