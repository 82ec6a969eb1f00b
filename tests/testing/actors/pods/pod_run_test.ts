import { assertEquals } from "@std/assert";
import type { PodLife } from "../../../../src/testing/actors/pods/pod_life.ts";
import { PodRun, type PodRunOptions } from "../../../../src/testing/actors/pods/pod_run.ts";

const SIDECAR = { name: "side", image: "i", restartPolicy: "Always" };
const INIT = { name: "init", image: "i" };
const MAIN = { name: "main", image: "i" };

/** A Pod whose containers need 100 ms to start and 2 s to stop. */
function pod(
  spec: object,
  lives: readonly PodLife[] = [],
  { status = {}, ...rest }: Partial<PodRunOptions> & { readonly status?: object } = {},
): PodRun {
  const object = { metadata: { name: "p", namespace: "n", uid: "u" }, spec, status };
  return new PodRun(object as never, 0, {
    startDelayMs: 100,
    readyDelayMs: 0,
    stopDelayMs: 2000,
    outcome: undefined,
    lives,
    meanTimeToCrashMs: Infinity,
    logs: undefined,
    random: { next: () => 0.5 },
    ...rest,
  });
}

function states(run: PodRun): string {
  return run.all.map(({ name, state }) => `${name} ${state}`).join(", ");
}

/** Lets the containers run until `untilMs`. Returns the times at which a state changes, with the states. */
function play(run: PodRun, untilMs = 100_000, fromMs = 0): string[] {
  const seen: string[] = [];
  let last = "";
  for (let atMs: number | undefined = fromMs; atMs !== undefined && atMs <= untilMs;) {
    const nextMs: number | undefined = run.advance(atMs);
    if (states(run) !== last) seen.push(`${atMs} ${states(run)}`);
    last = states(run);
    if (nextMs === undefined) seen.push(run.isOver ? "over" : "at rest");
    atMs = nextMs;
  }
  return seen;
}

Deno.test("PodRun runs its init containers one after another, and then the others at the same time", () => {
  const second = { ...INIT, name: "second" };
  const other = { ...MAIN, name: "other" };
  const run = pod({ initContainers: [INIT, second], containers: [MAIN, other] });
  assertEquals([run.uid, run.isInitialized(0), run.isOver], ["u", false, false]);
  assertEquals(play(run), [
    "0 init waiting, second waiting, main waiting, other waiting",
    "100 init over, second waiting, main waiting, other waiting",
    "200 init over, second over, main waiting, other waiting",
    "300 init over, second over, main running, other running",
    "at rest",
  ]);
  assertEquals([199, 200].map((ms) => run.isInitialized(ms)), [false, true]);
  const quick = pod({ initContainers: [INIT], containers: [MAIN] }, [], { startDelayMs: 0 });
  assertEquals(play(quick), ["0 init over, main running", "at rest"]);
  const plain = pod({ containers: [MAIN] });
  assertEquals([plain.isInitialized(0), play(plain)], [true, [
    "0 main waiting",
    "100 main running",
    "at rest",
  ]]);
});

Deno.test("PodRun may look late, and starts each container when it was due", () => {
  const run = pod({ initContainers: [SIDECAR, INIT], containers: [MAIN] });
  assertEquals([run.advance(60_000), states(run)], [
    undefined,
    "side running, init over, main running",
  ]);
  assertEquals(run.all.map(({ startedAtMs }) => startedAtMs), [100, 200, 300]);
});

Deno.test("PodRun stops its sidecars when the other containers have ended", () => {
  const exits = [{ afterMs: 50, exitCode: 0 }];
  const run = pod(
    { initContainers: [SIDECAR, INIT], containers: [MAIN], restartPolicy: "Never" },
    [{ container: "main", exits }],
  );
  assertEquals(play(run), [
    "0 side waiting, init waiting, main waiting",
    "100 side running, init waiting, main waiting",
    "200 side running, init over, main waiting",
    "300 side running, init over, main running",
    "350 side running, init over, main over",
    "2350 side over, init over, main over",
    "over",
  ]);
  assertEquals(run.inits.map(({ isSidecar }) => isSidecar), [true, false]);
  assertEquals(run.all.map(({ overAtMs }) => overAtMs), [2350, 200, 350]);
  // A sidecar is killed after the grace period of the Pod.
  const short = pod({
    initContainers: [SIDECAR],
    containers: [MAIN],
    restartPolicy: "Never",
    terminationGracePeriodSeconds: 1,
  }, [{ container: "main", exits }]);
  assertEquals(play(short).slice(-2), ["1250 side over, main over", "over"]);
  assertEquals(short.inits[0]?.run.lastRun?.exitCode, 137);
  const slow = pod({ initContainers: [SIDECAR], containers: [MAIN], restartPolicy: "Never" }, [
    { container: "main", exits },
    { container: "side", stopAfterMs: 90_000 },
  ]);
  assertEquals(play(slow).slice(-2), ["30250 side over, main over", "over"]);
});

Deno.test("PodRun ends with an init container that fails for good, and repeats it under another policy", () => {
  const exits = [{ afterMs: 0, exitCode: 3 }];
  const spec = { initContainers: [SIDECAR, INIT], containers: [MAIN] };
  const lives = [{ container: "init", exits }];
  const failed = pod({ ...spec, restartPolicy: "Never" }, lives);
  assertEquals(play(failed), [
    "0 side waiting, init waiting, main waiting",
    "100 side running, init waiting, main waiting",
    "200 side running, init over, main over",
    "over",
  ]);
  assertEquals([failed.hasFailedInit, failed.isOver, failed.isInitialized(9999)], [
    true,
    true,
    false,
  ]);
  failed.advance(2200);
  assertEquals(states(failed), "side over, init over, main over");
  for (const restartPolicy of ["Always", "OnFailure", undefined]) {
    const run = pod({ ...spec, ...(restartPolicy && { restartPolicy }) }, lives);
    assertEquals(play(run).slice(2), [
      "200 side running, init restarting, main waiting",
      "300 side running, init over, main waiting",
      "400 side running, init over, main running",
      "at rest",
    ]);
    assertEquals([run.hasFailedInit, run.inits[1]?.run.restarts], [false, 1]);
  }
});

Deno.test("PodRun stops all containers when its deadline is over", () => {
  const run = pod({ containers: [MAIN], activeDeadlineSeconds: 5 });
  assertEquals(run.advance(100), 5000);
  assertEquals([run.advance(4999), run.hasExceededDeadline], [5000, false]);
  assertEquals([run.advance(5000), run.hasExceededDeadline], [7000, true]);
  assertEquals([run.advance(7000), states(run), run.isOver], [undefined, "main over", true]);
  // A Pod that is stopping, or has ended, has no deadline.
  const stopping = pod({ containers: [MAIN], activeDeadlineSeconds: 5 });
  stopping.advance(100);
  stopping.stop(4500, 30_000);
  assertEquals([stopping.advance(4500), stopping.advance(5500)], [6500, 6500]);
  assertEquals([stopping.advance(6500), stopping.hasExceededDeadline], [undefined, false]);
  const ended = pod({ containers: [MAIN], restartPolicy: "Never", activeDeadlineSeconds: 5 }, [
    { exits: [{ afterMs: 0, exitCode: 0 }] },
  ]);
  assertEquals([ended.advance(100), ended.advance(6000), ended.hasExceededDeadline], [
    undefined,
    undefined,
    false,
  ]);
});

Deno.test("PodRun tells all containers to stop, whether they have started or not", () => {
  const spec = { initContainers: [SIDECAR, INIT, { ...INIT, name: "last" }], containers: [MAIN] };
  const early = pod({ ...spec, initContainers: [INIT, { ...INIT, name: "last" }] });
  early.advance(50);
  early.stop(50, 30_000);
  assertEquals(play(early, 9999, 50), ["50 init over, last over, main over", "over"]);
  // A sidecar that has not started does not delay the end of the others.
  const startupProbe = { failureThreshold: 99 };
  const held = pod({ ...spec, initContainers: [{ ...SIDECAR, startupProbe }, INIT] }, [
    { container: "side", probes: { startup: [{}] } },
  ]);
  held.advance(150);
  held.stop(150, 30_000);
  held.advance(150);
  assertEquals(states(held), "side running, init over, main over");
  const killed = pod(spec);
  play(killed);
  killed.stop(1000, 500);
  assertEquals(play(killed, 9999, 1000), [
    "1000 side running, init over, last over, main running",
    "1500 side over, init over, last over, main over",
    "over",
  ]);
  assertEquals(killed.all.map(({ lastRun }) => lastRun?.exitCode), [137, 0, 0, 137]);
});

Deno.test("PodRun crashes the containers that run, or the one of a name", () => {
  const other = { ...MAIN, name: "other" };
  const run = pod({ initContainers: [SIDECAR], containers: [MAIN, other] });
  assertEquals(run.crash(0, 1), false);
  play(run);
  const codes = () => run.all.map(({ lastRun }) => lastRun?.exitCode);
  assertEquals([run.crash(1000, 4), codes()], [true, [undefined, 4, 4]]);
  assertEquals([run.crash(1000, 5, "side"), codes()], [true, [5, 4, 4]]);
  assertEquals([run.crash(1000, 6, "none"), run.crash(1000, 6, "main")], [false, false]);
  assertEquals(play(run, 9999, 1000), [
    "1000 side restarting, main restarting, other restarting",
    "1100 side running, main running, other running",
    "at rest",
  ]);
});

Deno.test("PodRun starts its containers again after its node was down", () => {
  const run = pod({ initContainers: [SIDECAR, INIT], containers: [MAIN] });
  play(run);
  run.reboot(5000);
  assertEquals(play(run, 9999, 5000), [
    "5000 side restarting, init over, main restarting",
    "5100 side running, init over, main running",
    "at rest",
  ]);
  assertEquals(run.all.map(({ restarts }) => restarts), [1, 0, 1]);
});

Deno.test("PodRun takes up a Pod that was running: its containers are lost, its init containers have ended", () => {
  const run = pod({ initContainers: [SIDECAR, INIT], containers: [MAIN] }, [], {
    status: {
      phase: "Running",
      containerStatuses: [{ name: "main", restartCount: 4 }],
      initContainerStatuses: [{ name: "side", restartCount: 2 }],
    },
  });
  assertEquals(run.all.map(({ lastRun, restarts }) => [lastRun?.exitCode, restarts]), [
    [255, 2],
    [0, 0],
    [255, 4],
  ]);
  assertEquals(play(run), [
    "0 side restarting, init over, main restarting",
    "100 side running, init over, main running",
    "at rest",
  ]);
  assertEquals(run.all.map(({ restarts }) => restarts), [3, 0, 5]);
});

Deno.test("PodRun lets no init container crash by chance, and admits the log of its Pod", () => {
  const admitted: string[] = [];
  const written: string[] = [];
  const run = pod({ initContainers: [INIT], containers: [MAIN] }, [
    { container: "init", exits: [{ afterMs: 90_000, exitCode: 0 }] },
    { container: "main", logs: [{ text: "hello" }] },
  ], {
    meanTimeToCrashMs: 1000,
    logs: {
      admit: (key) => void admitted.push(key),
      start: (key, { container }) => void written.push(`${key} ${container} starts`),
      write: (key, { container, text }) => void written.push(`${key} ${container}: ${text.trim()}`),
      end: (key, { container }) => void written.push(`${key} ${container} ends`),
    },
  });
  assertEquals(admitted, ["n/p"]);
  // Half of the chance is used up after the natural logarithm of two times the mean.
  assertEquals(play(run, 91_000), [
    "0 init waiting, main waiting",
    "100 init running, main waiting",
    "90100 init over, main waiting",
    "90200 init over, main running",
    "90893 init over, main restarting",
    "90993 init over, main running",
  ]);
  assertEquals(written, [
    "n/p init starts",
    "n/p init ends",
    "n/p main starts",
    "n/p main: hello",
    "n/p main ends",
    "n/p main starts",
    "n/p main: hello",
  ]);
});
