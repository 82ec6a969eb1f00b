import { assertEquals, assertThrows } from "@std/assert";
import { VirtualClock } from "../../../src/testing/mod.ts";
import { FaultBook } from "../../../src/testing/simulation/plans/mod.ts";
import { History } from "../../../src/testing/simulation/record/mod.ts";
import { type ProcessEnv, Processes } from "../../../src/testing/simulation/world/mod.ts";
import { Verdict } from "../../../src/testing/simulation/judge/mod.ts";

/** Processes without a world around them. */
function setup() {
  const clock = new VirtualClock();
  const now = () => clock.now();
  const history = new History(now);
  const verdict = new Verdict(history, now);
  const book = new FaultBook([], history, now);
  let failed = 0;
  const identities: string[] = [];
  const processes = new Processes<undefined>({
    clock,
    history,
    book,
    verdict,
    environment: (_, { name, identity }) => {
      identities.push(`${name} as ${identity}`);
      return { random: name } as never;
    },
    failed: () => void failed++,
    ambient: () => ({ used: () => {}, works: () => {} }),
  });
  const told = () =>
    history.moments.splice(0).map((moment) =>
      `${moment.atMs} ${moment.kind} ${"process" in moment ? moment.process : ""} ${
        "text" in moment ? moment.text : ""
      }`
    );
  return { book, clock, failures: () => failed, identities, processes, told, verdict };
}

/** Runs for ever, and notes each second. */
function ticking(ticks: number[]) {
  return ({ clock }: ProcessEnv<undefined>): Promise<void> => {
    const tick = () => {
      ticks.push(clock.now());
      clock.setTimer(tick, 1000);
    };
    clock.setTimer(tick, 1000);
    return new Promise(() => {});
  };
}

Deno.test("Processes start a process, and start it again a second after it was killed", async () => {
  const { book, clock, identities, processes, told } = setup();
  const ticks: number[] = [];
  const envs: ProcessEnv<undefined>[] = [];
  processes.add("p", (env) => {
    envs.push(env);
    return ticking(ticks)(env);
  });
  assertEquals([processes.names, processes.has("p"), processes.has("q")], [["p"], true, false]);
  await clock.advance(2500);
  assertEquals([ticks.splice(0), processes.areRunning], [[1000, 2000], true]);
  processes.kill("p");
  processes.kill("p");
  processes.kill("q");
  assertEquals([processes.areRunning, book.untilMs, book.taken.size], [false, 3500, 0]);
  await clock.advance(999);
  assertEquals([processes.areRunning, ticks], [false, []]);
  await clock.advance(1001);
  assertEquals([processes.areRunning, ticks], [true, [4500]]);
  assertEquals(told(), [
    "0 process p starts",
    "2500 process p is killed",
    "3500 process p starts again",
  ]);
  assertEquals(identities, ["p as p/1", "p as p/2"]);
  assertEquals(
    envs.map(({ identity, name, random, signal }) => [name, identity, random, signal.aborted]),
    [["p", "p/1", "p", false], ["p", "p/2", "p", false]] as never,
  );
});

Deno.test("Processes pause a process, and resume it unless it has died meanwhile", async () => {
  const { clock, processes, told } = setup();
  const ticks: number[] = [];
  processes.add("p", ticking(ticks));
  processes.pause("p", 2500);
  processes.pause("q", 1);
  await clock.advance(2499);
  assertEquals([ticks, processes.areRunning], [[], true]);
  await clock.advance(1);
  assertEquals(ticks.splice(0), [2500]);
  assertEquals(told(), [
    "0 process p starts",
    "0 process p stands still for 2.5 s",
    "2500 process p goes on",
  ]);
  processes.pause("p", 5000);
  processes.kill("p");
  await clock.advance(5000);
  assertEquals(told(), [
    "2500 process p stands still for 5 s",
    "2500 process p is killed",
    "3500 process p starts again",
  ]);
});

Deno.test("Processes start a process that fails again, later each time, seven times in all", async () => {
  const { clock, failures, processes, told, verdict } = setup();
  processes.add("p", () => {
    throw new Error("no");
  });
  await clock.settle();
  assertEquals([processes.areRunning, failures()], [false, 1]);
  await clock.advance(310_000);
  assertEquals([processes.areRunning, failures()], [false, 6]);
  await clock.advance(3_600_000);
  // The delay doubles from ten seconds on, and is five minutes at most.
  const times = [0, 10, 30, 70, 150, 310, 610].map((seconds) => seconds * 1000);
  const lives = times.flatMap((atMs, i) => [
    `${atMs} process p ${i === 0 ? "starts" : "starts again"}`,
    `${atMs} process p fails: no`,
  ]);
  assertEquals(told(), [...lives, "610000 wrong  p fails again and again: no"]);
  assertEquals(verdict.wrong, [
    { oracle: "process", message: "p fails again and again: no", atMs: 610_000 },
  ]);
  // A process that has failed for good does not count as missing.
  assertEquals([processes.areRunning, failures()], [true, 7]);
});

Deno.test("Processes do not notice that a process fails after it was killed", async () => {
  const { clock, failures, processes, told } = setup();
  const { promise, reject } = Promise.withResolvers<void>();
  let lives = 0;
  processes.add("p", () => lives++ === 0 ? promise : new Promise(() => {}));
  processes.kill("p");
  reject(new Error("too late"));
  await clock.advance(20_000);
  assertEquals([failures(), lives], [0, 2]);
  assertEquals(told().length, 3);
});

Deno.test("Processes start nothing after the end", async () => {
  const { clock, processes, told } = setup();
  const ticks: number[] = [];
  processes.add("p", ticking(ticks));
  processes.add("q", ticking([]));
  processes.kill("q");
  processes.end();
  await clock.advance(10_000);
  assertEquals([ticks, told().length], [[], 3]);
});

Deno.test("Processes put what a process logs into the story, without what is said twice", async () => {
  const { clock, processes, told } = setup();
  processes.add("p", ({ logger }) => {
    logger.debug("not", "this");
    logger.info("a", "b", "a");
    logger.warn("bad: reason", new Error("reason"));
    logger.error("worse", new Error("reason"), 5);
    logger.info("");
    return new Promise(() => {});
  });
  await clock.settle();
  assertEquals(told(), [
    "0 process p starts",
    "0 log p a b",
    "0 log p bad: reason",
    "0 log p worse reason 5",
    "0 log p ",
  ]);
});

Deno.test("Processes start a process again that has returned and waits for nothing, ever later", async () => {
  const { clock, processes, told } = setup();
  processes.add("p", ({ clock }) => void clock.setTimer(() => {}, 1000));
  await clock.advance(32_000);
  assertEquals(told(), [
    "0 process p starts",
    "1000 process p has ended by itself",
    "11000 process p starts again",
    "12000 process p has ended by itself",
    "32000 process p starts again",
  ]);
  // It is done each time, so nothing waits for it.
  await clock.advance(2000);
  assertEquals(processes.areRunning, true);
});

Deno.test("Processes ask a process to stop, and start it again once it has", async () => {
  const { book, clock, processes, told } = setup();
  processes.add("p", ({ clock, signal }) =>
    new Promise<void>((resolve, reject) => {
      const timer = clock.setTimer(() => {}, 900_000);
      signal.addEventListener("abort", () => {
        timer.cancel();
        clock.setTimer(clock.now() > 5000 ? () => reject(signal.reason) : resolve, 2000);
      });
    }));
  await clock.advance(1000);
  processes.stop("p", 30_000);
  processes.stop("p", 30_000);
  assertEquals(book.untilMs, 32_000);
  await clock.advance(4000);
  assertEquals(told(), [
    "0 process p starts",
    "1000 process p is asked to stop",
    "3000 process p has stopped",
    "4000 process p starts again",
  ]);
  // It stops with the reason of its signal, which is not a failure.
  await clock.advance(1000);
  processes.stop("p", 30_000);
  await clock.advance(3000);
  assertEquals(told(), [
    "6000 process p is asked to stop",
    "8000 process p has stopped",
    "9000 process p starts again",
  ]);
});

Deno.test("Processes kill a process that does not stop in time, and replace it by another version", async () => {
  const { clock, processes, told } = setup();
  const ticks: number[] = [];
  const other: string[] = [];
  processes.add("p", ticking(ticks));
  await clock.advance(500);
  processes.replace("p", ({ clock, identity }) => {
    other.push(identity);
    return ticking([])({ clock } as ProcessEnv<undefined>);
  }, 2000);
  await clock.advance(10_000);
  assertEquals([ticks, other], [[1000, 2000], ["p/2"]]);
  assertEquals(told(), [
    "0 process p starts",
    "500 process p is replaced by another version",
    "500 process p is asked to stop",
    "2500 process p is killed",
    "3500 process p starts again",
  ]);
  assertThrows(
    () => processes.replace("q", () => {}, 0),
    RangeError,
    "No process is named q; there are p",
  );
});
