import { assert, assertEquals, assertThrows } from "@std/assert";
import { StateLock } from "../../../src/testing/serve/state_lock.ts";

async function inFolder(test: (lock: string, folder: string) => Promise<void> | void) {
  const folder = await Deno.makeTempDir({ prefix: "kubeloop-lock-" });
  try {
    await test(`${folder}/state.lock`, folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function names(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

Deno.test("StateLock.take() refuses a lock that is held, and names the process and the file", () =>
  inFolder((path, folder) => {
    const lock = StateLock.take(path);
    const error = assertThrows(() => StateLock.take(path), Error, "The state is in use by");
    assert(error.message.includes(path));
    assertEquals(names(folder), ["state.lock"]);
    lock.release();
    assertEquals(names(folder), []);
    StateLock.take(path).release();
  }));

Deno.test("StateLock.take() takes over a lock whose process is gone, also with the process ID of a living one", () =>
  inFolder((path, folder) => {
    for (
      const text of [
        "",
        "{",
        `{"pid":${Deno.pid},"by":"process","id":"1"}\n`,
        '{"pid":1,"by":"file lock","id":"1"}\n',
        '{"pid":4194300,"by":"process","id":"1"}\n',
      ]
    ) {
      Deno.writeTextFileSync(path, text);
      const lock = StateLock.take(path);
      assertEquals(names(folder), ["state.lock"]);
      assertThrows(() => StateLock.take(path), Error, "in use");
      lock.release();
      assertEquals(names(folder), []);
    }
  }));

Deno.test("StateLock.take() refuses the lock of a living process on another runtime", () =>
  inFolder((path) => {
    const text = '{"pid":1,"by":"process","id":"1"}\n';
    Deno.writeTextFileSync(path, text);
    assertThrows(() => StateLock.take(path), Error, "in use by process 1");
    assertEquals(Deno.readTextFileSync(path), text);
  }));

Deno.test("StateLock.release() leaves the lock of another server", () =>
  inFolder((path) => {
    const lock = StateLock.take(path);
    Deno.removeSync(path);
    const other = StateLock.take(path);
    lock.release();
    assertThrows(() => StateLock.take(path), Error, "in use");
    other.release();
  }));

Deno.test("StateLock.take() follows no link", () =>
  inFolder((path, folder) => {
    Deno.writeTextFileSync(`${folder}/victim`, "precious\n");
    Deno.symlinkSync(`${folder}/victim`, path);
    assertThrows(() => StateLock.take(path), Error, "it is no file");
    assertEquals(Deno.readTextFileSync(`${folder}/victim`), "precious\n");
  }));
