import { assertEquals, assertThrows } from "@std/assert";
import { MessageQueue } from "../../../../src/testing/api_server/programs/message_queue.ts";
import {
  findProgram,
  OpenStreams,
  type PodProgram,
  requirePrograms,
} from "../../../../src/testing/api_server/programs/mod.ts";

const bytes = (length: number) => new Uint8Array(length);
const LIMIT = 256 * 1024;

/** Reports whether a promise has been resolved, after everything that is due has run. */
async function isDone(promise: Promise<unknown>): Promise<boolean> {
  let done = false;
  promise.then(() => done = true);
  for (let i = 0; i < 10; i++) await Promise.resolve();
  return done;
}

Deno.test("MessageQueue makes a writer wait while it holds 256 KiB", async () => {
  const queue = new MessageQueue<Uint8Array>();
  assertEquals(await isDone(queue.push(bytes(LIMIT - 1))), true);
  const full = queue.push(bytes(1));
  assertEquals(await isDone(full), false);
  const reader = queue[Symbol.asyncIterator]();
  assertEquals((await reader.next()).value?.length, LIMIT - 1);
  assertEquals(await isDone(full), true);
  assertEquals((await reader.next()).value?.length, 1);
});

Deno.test("MessageQueue lets a writer wait until it holds less than 256 KiB", async () => {
  const queue = new MessageQueue<Uint8Array>();
  assertEquals(await isDone(queue.push(bytes(1))), true);
  const full = queue.push(bytes(LIMIT));
  const reader = queue[Symbol.asyncIterator]();
  await reader.next();
  assertEquals(await isDone(full), false);
  await reader.next();
  assertEquals(await isDone(full), true);
});

Deno.test("MessageQueue counts an item that is not bytes as 64 bytes", async () => {
  const queue = new MessageQueue<object>();
  for (let i = 0; i < LIMIT / 64 - 1; i++) assertEquals(queue.push({}) instanceof Promise, true);
  assertEquals(await isDone(queue.push({})), false);
});

Deno.test("MessageQueue ends after its items, or without them", async () => {
  const ended = new MessageQueue<Uint8Array>();
  await ended.push(bytes(1));
  ended.end();
  await ended.push(bytes(2));
  const lengths: number[] = [];
  for await (const item of ended) lengths.push(item.length);
  assertEquals(lengths, [1]);

  const dropped = new MessageQueue<Uint8Array>();
  const waiting = dropped.push(bytes(LIMIT));
  dropped.drop();
  assertEquals(await isDone(waiting), true);
  assertEquals((await dropped[Symbol.asyncIterator]().next()).done, true);

  const left = new MessageQueue<Uint8Array>();
  const blocked = left.push(bytes(2 * LIMIT));
  for await (const _ of left) break;
  assertEquals(await isDone(blocked), true);
  assertEquals(await isDone(left.push(bytes(LIMIT))), true);
});

Deno.test("MessageQueue wakes up a reader that waits", async () => {
  const queue = new MessageQueue<Uint8Array>();
  const reader = queue[Symbol.asyncIterator]();
  const next = reader.next();
  assertEquals(await isDone(next), false);
  await queue.push(bytes(3));
  assertEquals((await next).value?.length, 3);
  const last = reader.next();
  queue.end();
  assertEquals((await last).done, true);
});

Deno.test("OpenStreams breaks the streams that are open", () => {
  const streams = new OpenStreams();
  const broken: string[] = [];
  const forget = streams.add(({ message }) => broken.push(`a ${message}`));
  streams.add(({ message }) => broken.push(`b ${message}`));
  assertEquals(streams.size, 2);
  forget();
  assertEquals(streams.size, 1);
  streams.end(new Error("gone"));
  assertEquals(broken, ["b gone"]);
});

Deno.test("requirePrograms() accepts only lists of programs", () => {
  assertEquals(requirePrograms(undefined), []);
  const programs = [{ exec: () => 0, ports: { 80: () => {} } }, { ports: () => {} }];
  assertEquals(requirePrograms(programs), programs);
  for (const wrong of [{}, "x", [null], ["x"]]) {
    assertThrows(
      () => requirePrograms(wrong as unknown as PodProgram[]),
      TypeError,
      "Invalid programs: expected an array of objects with exec, attach or ports",
    );
  }
  for (const wrong of [{ exec: "ls" }, { attach: 1 }, { ports: { 80: "x" } }]) {
    assertThrows(() => requirePrograms([wrong as unknown as PodProgram]), TypeError);
  }
});

Deno.test("findProgram() takes the first that fits the Pod and the container", () => {
  const exec = () => 0;
  const pod = { metadata: { name: "p", namespace: "n", labels: { app: "a" } } };
  const find = (program: PodProgram, container?: string) =>
    findProgram([program], pod, "exec", container) !== undefined;
  for (
    const [program, container, expected] of [
      [{ exec }, "c", true],
      [{ attach: () => {} }, "c", false],
      [{ exec, namespace: "n", name: "p", container: "c" }, "c", true],
      [{ exec, namespace: "m" }, "c", false],
      [{ exec, name: "q" }, "c", false],
      [{ exec, container: "d" }, "c", false],
      [{ exec, container: "d" }, undefined, true],
      [{ exec, labels: { app: "a" } }, "c", true],
      [{ exec, labels: { app: "b" } }, "c", false],
      [{ exec, labels: { other: "a" } }, "c", false],
    ] satisfies [PodProgram, string | undefined, boolean][]
  ) assertEquals(find(program, container), expected, JSON.stringify(program));
  const [first, second] = [{ exec }, { exec }];
  assertEquals(findProgram([first, second], pod, "exec") === first, true);
});
