/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import { duration } from "./format.ts";
import type { Wait } from "./waits.ts";

const WORDS: Readonly<Record<Wait["kind"], string>> = {
  backoff: "backoff after a failure",
  gate: "until the caches held what was written",
  delay: "delay that was asked for",
  queue: "in the queue",
  run: "running",
};

/** The properties of {@linkcode WaitBar}. */
export interface WaitBarProps {
  readonly waits: readonly Wait[];
  readonly isMarked?: boolean | undefined;
  /** A remark below the bar. */
  readonly children?: ComponentChildren;
}

/** The waits before a reconcile and the reconcile itself as a bar, with a legend that names each. */
export function WaitBar({ children, isMarked = false, waits }: WaitBarProps): VNode {
  return (
    <div class={`part${isMarked ? " marked" : ""}`} data-marked={isMarked || undefined}>
      <span class="part-name">Time</span>
      <div class="waits">
        <div class="wait-bar" aria-hidden="true">
          {/* A root keeps a run of milliseconds visible beside a wait of minutes. */}
          {waits.map(({ kind, ms }) => (
            <span key={kind} class={`wait ${kind}`} style={{ flexGrow: Math.sqrt(ms) + 0.5 }} />
          ))}
        </div>
        <ul class="wait-legend">
          {waits.map(({ kind, ms }) => (
            <li key={kind}>
              <span class={`wait ${kind}`} aria-hidden="true" />
              <b>{duration(ms)}</b> {WORDS[kind]}
            </li>
          ))}
        </ul>
        {children}
      </div>
    </div>
  );
}
