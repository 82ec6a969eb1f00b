import { assert, assertEquals } from "@std/assert";
import type { ServerRequest, ServerWrite } from "../../../src/testing/api_server/mod.ts";
import { type Recorded, WriteLog } from "../../../src/testing/see/write_log.ts";

const AUTHOR = { userAgent: "kubectl", user: "", fieldManager: "" };

function written(key: string, text = "", author = { ...AUTHOR }): Recorded {
  const write = { text } as ServerWrite;
  return { atMs: 0, resource: "pods", key, author, write, request: undefined };
}

Deno.test("WriteLog.add() drops the oldest write of an object, and the object that was not written for the longest time", () => {
  const log = new WriteLog({ objects: 2, writes: 2, characters: 1000 });
  for (const key of ["a", "b", "a", "a", "c"]) log.add(written(key));
  assertEquals(log.newest().map(([one]) => one?.key), ["c", "a"]);
  assertEquals([log.of("pods", "a").length, log.of("pods", "b").length], [2, 0]);
  assertEquals([log.size, log.dropped], [2, 2]);
});

Deno.test("WriteLog.add() keeps the texts of all writes within their limit, even if all are of one object", () => {
  const log = new WriteLog({ objects: 10, writes: 10, characters: 100 });
  for (let i = 0; i < 100; i++) {
    log.add(written(`${i % 3}`, "x".repeat(20)));
    assert(log.characters <= 100, `${log.characters}`);
  }
  assertEquals(log.newest().flat().length, 2);
  for (let i = 0; i < 10; i++) log.add(written("same", "x".repeat(20)));
  assertEquals(log.newest().map((writes) => writes.length), [2]);
  log.add(written("large", "x".repeat(1000)));
  assertEquals([log.size, log.characters], [0, 0]);
});

Deno.test("WriteLog.answer() adds the answer to the writes of its request only, once", () => {
  const log = new WriteLog({ objects: 10, writes: 10, characters: 100 });
  const [one, other] = [{ ...AUTHOR }, { ...AUTHOR }];
  for (const author of [one, other]) log.add(written("a", "", author));
  const request = { author: one, code: 200 } as unknown as ServerRequest;
  log.answer(request);
  assertEquals(log.of("pods", "a").map((entry) => entry.request === request), [true, false]);
  log.answer({ author: AUTHOR } as unknown as ServerRequest);
});

Deno.test("WriteLog.add() keeps the messages of refusals within the limit of its texts", () => {
  const log = new WriteLog({ objects: 10, writes: 10, characters: 100 });
  const request = { path: "/api/v1/pods", message: "x".repeat(28) } as unknown as ServerRequest;
  for (let i = 0; i < 10; i++) log.add({ ...written("a"), write: undefined, request });
  assertEquals([log.of("pods", "a").length, log.characters], [2, 80]);
});
