import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import process from "node:process";
import { VirtualClock } from "../../../src/testing/mod.ts";
import { StateLock } from "../../../src/testing/serve/state_lock.ts";

/** A folder for a lock, and a clock for its holders. */
class Folder implements Disposable {
  readonly path = mkdtempSync(`${tmpdir()}/kubeloop-lock-`);
  readonly lock = `${this.path}/state.lock`;
  readonly clock = new VirtualClock();
  readonly waits: number[] = [];

  take(signal?: AbortSignal): Promise<StateLock> {
    const { clock } = this;
    return StateLock.take(this.lock, { clock, signal, onWait: (ms) => this.waits.push(ms) });
  }

  names(): string[] {
    return readdirSync(this.path).sort();
  }

  /** Touches the lock, as a server elsewhere does. */
  touch(): void {
    const wall = new Date(statSync(this.lock).mtimeMs + 2000);
    utimesSync(this.lock, wall, wall);
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true });
  }
}

/** The lock of a process in another container, whose ID is that of a process here. */
const ELSEWHERE = `{"pid":${process.pid},"by":"process","id":"1","host":"another"}\n`;

Deno.test("StateLock.take() refuses a lock that is held, and names the process and the file", async () => {
  using folder = new Folder();
  const lock = await folder.take();
  const error = await assertRejects(() => folder.take(), Error, "The state is in use by");
  assert(error.message.includes(folder.lock));
  assertEquals(folder.names(), ["state.lock"]);
  lock.release();
  assertEquals(folder.names(), []);
  (await folder.take()).release();
  assertEquals(folder.waits, []);
});

Deno.test("StateLock.take() takes over a damaged lock at once", async () => {
  using folder = new Folder();
  for (const text of ["", "{"]) {
    writeFileSync(folder.lock, text);
    const lock = await folder.take();
    assertEquals(folder.names(), ["state.lock"]);
    await assertRejects(() => folder.take(), Error, "in use");
    lock.release();
    assertEquals(folder.names(), []);
  }
  assertEquals(folder.waits, []);
});

Deno.test("StateLock.take() refuses a lock that a server in another container touches, whatever its process ID", async () => {
  for (const pid of [process.pid, 1, 4194300]) {
    using folder = new Folder();
    const text = ELSEWHERE.replace(String(process.pid), String(pid));
    writeFileSync(folder.lock, text);
    const taking = assertRejects(() => folder.take(), Error, "The state is in use by");
    await folder.clock.advance(9000);
    assertEquals(folder.waits, [10_000]);
    folder.touch();
    await folder.clock.advance(500);
    await taking;
    assertEquals(readFileSync(folder.lock, "utf8"), text);
    assertEquals(folder.names(), ["state.lock"]);
  }
});

Deno.test("StateLock.take() takes over a lock that is not touched for ten seconds", async () => {
  using folder = new Folder();
  writeFileSync(folder.lock, ELSEWHERE);
  let lock: StateLock | undefined;
  const taking = folder.take().then((taken) => lock = taken);
  await folder.clock.advance(9900);
  assertEquals(lock, undefined);
  await folder.clock.advance(200);
  await taking;
  assertEquals(folder.names(), ["state.lock"]);
  await assertRejects(() => folder.take(), Error, "in use");
  lock?.release();
  assertEquals(folder.names(), []);
});

Deno.test("StateLock.take() lets one of several servers take over a lock of a server that is gone", async () => {
  using folder = new Folder();
  writeFileSync(folder.lock, ELSEWHERE);
  const settled = Promise.allSettled([folder.take(), folder.take(), folder.take()]);
  await folder.clock.advance(60_000);
  const taken = (await settled).flatMap((one) => one.status === "fulfilled" ? [one.value] : []);
  assertEquals(taken.length, 1);
  taken[0]?.release();
  assertEquals(folder.names(), []);
});

Deno.test("StateLock.take() stops to wait when its signal aborts", async () => {
  using folder = new Folder();
  writeFileSync(folder.lock, ELSEWHERE);
  const stop = new AbortController();
  const taking = assertRejects(() => folder.take(stop.signal), Error, "stopped");
  await folder.clock.advance(1000);
  stop.abort(new Error("stopped"));
  await taking;
  assertEquals(folder.names(), ["state.lock"]);
  assertEquals(folder.clock.pendingTimers, 0);
});

Deno.test("StateLock touches its file every two seconds, until it is released", async () => {
  using folder = new Folder();
  const lock = await folder.take();
  const times = new Set<number>();
  for (let i = 0; i < 5; i++) {
    times.add(statSync(folder.lock).mtimeMs);
    await folder.clock.advance(2000);
  }
  assertEquals(times.size, 5);
  lock.release();
  assertEquals(folder.clock.pendingTimers, 0);
});

Deno.test("StateLock.require() fails in a process that was suspended, once another server has the lock", async () => {
  using folder = new Folder();
  const lock = await folder.take();
  await folder.clock.advance(60_000);
  lock.require();
  rmSync(folder.lock);
  writeFileSync(folder.lock, ELSEWHERE);
  await folder.clock.advance(2000);
  assertThrows(() => lock.require(), Error, "Another server has taken the state over");
  lock.release();
  assertEquals(readFileSync(folder.lock, "utf8"), ELSEWHERE);
});

Deno.test("StateLock.require() looks at the file if it was not touched in time, or if told to", async () => {
  for (const look of [false, true]) {
    using folder = new Folder();
    let nowMs = 0;
    const clock = { now: () => nowMs, wallNow: () => nowMs, setTimer: () => ({ cancel() {} }) };
    const lock = await StateLock.take(folder.lock, { clock });
    writeFileSync(folder.lock, ELSEWHERE);
    lock.require();
    if (!look) nowMs += 5000;
    assertThrows(() => lock.require(look), Error, "Another server has taken the state over");
    lock.release();
  }
});

Deno.test("StateLock.release() leaves the lock of another server", async () => {
  using folder = new Folder();
  const lock = await folder.take();
  rmSync(folder.lock);
  const other = await folder.take();
  lock.release();
  await assertRejects(() => folder.take(), Error, "in use");
  other.release();
});

Deno.test("StateLock.take() follows no link", async () => {
  using folder = new Folder();
  const victim = `${folder.path}/victim`;
  writeFileSync(victim, "precious\n");
  symlinkSync(victim, folder.lock);
  await assertRejects(() => folder.take(), Error, "it is not a file");
  assertEquals(readFileSync(victim, "utf8"), "precious\n");
});

Deno.test("StateLock.take() names the file whose folder does not exist", async () => {
  using folder = new Folder();
  const error = await assertRejects(() => StateLock.take(`${folder.path}/none/state.lock`), Error);
  assert(error.message.startsWith(`Cannot create ${folder.path}/none/state.lock: its folder`));
});
