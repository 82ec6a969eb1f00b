import { type Clock, LinkedAbort } from "../../../src/base/mod.ts";
import type { Draw } from "./draw.ts";
import type { DrillPlan } from "./plan.ts";
import { TestedQueue } from "./tested_queue.ts";

/** The options and callbacks of the drill of a queue. */
export interface DrillContext {
  readonly clock: Clock;
  readonly draw: Draw;
  readonly signal: AbortSignal;
  /** Whether the process never stands still. */
  readonly isPunctual: boolean;
  readonly wrong: (text: string) => void;
  readonly sleep: (ms: number) => Promise<void>;
}

const KEYS = ["k1", "k2", "k3"];
/** Longer than it takes to work on all keys. */
const PATIENCE_MS = 5_000;

/** Works on a queue with several workers, while items are added in all ways. Each must be handed out, once at a time. */
export async function runDrill(
  { operations, workers }: DrillPlan,
  { clock, draw, isPunctual, signal, sleep, wrong }: DrillContext,
): Promise<void> {
  const queue = new TestedQueue("the drilled queue", PATIENCE_MS, { clock, wrong, isPunctual });
  const working = Array.from({ length: workers }, () => work(queue, { clock, draw, sleep }));
  for (let i = 0; i < operations && !signal.aborted; i++) {
    operate(queue, draw);
    if (draw.chance(0.6)) await sleep(draw.time(5_000));
  }
  if (!signal.aborted) await sleep(queue.restAtMs - clock.now());
  const late = queue.overdue();
  if (!signal.aborted && late !== "") wrong(late);
  const drains = draw.chance(0.5);
  if (drains) await queue.shutDownWithDrain();
  else queue.shutDown();
  await Promise.all(working);
  if (!signal.aborted) {
    await new Promise<void>((resolve) =>
      signal.addEventListener("abort", () => resolve(), { once: true })
    );
  }
}

function operate(queue: TestedQueue, draw: Draw): void {
  const key = draw.pick(KEYS);
  switch (draw.int(0, 4)) {
    case 0:
    case 1:
      return queue.add(key);
    case 2:
      return queue.addAfter(key, draw.pick([0, 1, 100, 3_000]));
    case 3:
      return queue.addRateLimited(key);
    default:
      return queue.forget(key);
  }
}

async function work(
  queue: TestedQueue,
  { clock, draw, sleep }: Pick<DrillContext, "clock" | "draw" | "sleep">,
): Promise<void> {
  while (true) {
    // A worker that does not want to wait for long must not lose an item.
    const patience = new LinkedAbort();
    const timer = clock.setTimer(
      () => patience.abort(new Error("The worker has waited long enough")),
      draw.pick([1, 1_000, 60_000]),
    );
    let key: string | undefined;
    try {
      const next = await queue.get({ signal: patience.signal });
      if (next.shutdown) return;
      key = next.item;
    } catch {
      continue;
    } finally {
      timer.cancel();
      patience.release();
    }
    await sleep(draw.time(1_000));
    queue.done(key);
  }
}
