/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import type { KeyView } from "../../mod.ts";

/** The meaning of a colour: blue runs, green is good, amber waits, red fails, grey rests. */
export type Tone = "blue" | "green" | "amber" | "red" | "grey";

/** A word with the colour of its meaning. */
export function Chip({ children, tone }: { tone: Tone; children: ComponentChildren }): VNode {
  return <span class={`chip ${tone}`}>{children}</span>;
}

const RESULTS: Readonly<Record<KeyView["result"], readonly [word: string, tone: Tone]>> = {
  running: ["running", "blue"],
  queued: ["queued", "grey"],
  idle: ["idle", "grey"],
  success: ["success", "green"],
  requeue: ["asked to run again", "grey"],
  requeue_after: ["runs again later", "green"],
  error: ["failed", "red"],
  terminal: ["failed for good", "red"],
  paused: ["paused", "amber"],
  superseded: ["superseded", "grey"],
  aborted: ["aborted", "grey"],
};

/** Returns the colour of a result. */
export function resultTone(result: KeyView["result"]): Tone {
  return RESULTS[result]?.[1] ?? "grey";
}

/** The result of a reconcile. */
export function Result({ result }: { result: KeyView["result"] }): VNode {
  return <Chip tone={resultTone(result)}>{RESULTS[result]?.[0] ?? String(result)}</Chip>;
}
