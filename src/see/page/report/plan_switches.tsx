/** @jsxImportSource preact */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { FindingView, PlanView, RunAgainView } from "../../mod.ts";
import { plural, visible } from "../kit/mod.ts";
import { replayOf } from "./words.ts";

/** Runs a plan again. */
export type RunAgain = (plan: PlanView) => Promise<RunAgainView>;

/** The result of a plan with fewer faults, or the error of the attempt. */
export interface Attempt {
  /** The faults that were switched off, in words. */
  readonly off: readonly string[];
  readonly result?: RunAgainView | undefined;
  readonly error?: string | undefined;
}

/** The properties of {@linkcode PlanSwitches}. */
export interface PlanSwitchesProps {
  readonly finding: FindingView;
  /** Runs a plan again; undefined if the page has no process that could. */
  readonly runAgain?: RunAgain | undefined;
  readonly onResult: (attempt: Attempt | undefined) => void;
}

/** The faults of a plan as switches, and the way to run it again without some of them. */
export function PlanSwitches({ finding, onResult, runAgain }: PlanSwitchesProps): VNode {
  const { faults, plan, without } = finding;
  const [off, setOff] = useState<ReadonlySet<number>>(new Set());
  const [isRunning, setRunning] = useState(false);
  const kept = { ...plan, faults: plan.faults.filter((_, index) => !off.has(index)) };
  const flip = (index: number) => setOff(off.symmetricDifference(new Set([index])));
  const run = async () => {
    setRunning(true);
    onResult(undefined);
    const names = faults.filter((_, index) => off.has(index));
    try {
      onResult({ off: names, result: await runAgain!(kept) });
    } catch (error) {
      onResult({ off: names, error: error instanceof Error ? error.message : String(error) });
    }
    setRunning(false);
  };
  return (
    <div class="plan">
      <h2>Faults of the plan</h2>
      {faults.length === 0 && <p>No fault: it happens without any.</p>}
      <ul class="switches">
        {faults.map((fault, index) => (
          <li key={index}>
            <label class={off.has(index) ? "off" : undefined}>
              <input
                type="checkbox"
                role="switch"
                checked={!off.has(index)}
                onChange={() => flip(index)}
              />
              <span>{visible(fault)}</span>
            </label>
          </li>
        ))}
      </ul>
      <p class="soft">
        Seed {plan.seed}
        {without !== undefined && `, without ${visible(without)}, as it happens without`}
        {finding.plans > 1 && `. ${plural(finding.plans, "plan")} show this bug`}
      </p>
      {runAgain !== undefined && faults.length > 0 && (
        <button type="button" disabled={isRunning || off.size === 0} onClick={run}>
          {isRunning
            ? "Running …"
            : off.size === 0
            ? "Switch a fault off to run again without it"
            : `Run again without ${plural(off.size, "fault")}`}
        </button>
      )}
      {runAgain === undefined && (
        <>
          <p class="soft">
            {off.size === 0
              ? "Run it again with"
              : `Run it again without ${plural(off.size, "fault")}, with`}
            {" this before the test command:"}
          </p>
          <pre tabIndex={0}>{visible(replayOf(kept))}</pre>
        </>
      )}
    </div>
  );
}
