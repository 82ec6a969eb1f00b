/** @jsxImportSource preact */
import type { VNode } from "preact";
import { Chip, duration, plural, visible } from "../../../src/see/page/kit/mod.ts";
import { Finding } from "../../../src/see/page/report/finding.tsx";
import type { RunAgain } from "../../../src/see/page/report/plan_switches.tsx";
import type { SimulationResult } from "../protocol.ts";
import type { SimulationState } from "./use_simulation.ts";

/** The properties of {@linkcode SimulationView}. */
export interface SimulationViewProps {
  readonly state: SimulationState;
  /** The explanation of the bug of the example; undefined for a program of the user. */
  readonly hint: string | undefined;
  /** Replaces the program by the repaired one; undefined if there is none. */
  readonly onRepair: (() => void) | undefined;
  readonly onSimulate: () => void;
  /** Runs a plan of the last simulation again. */
  readonly check: RunAgain;
}

/** The result of a simulation: the first bug, or the faults that were tried. */
export function SimulationView(props: SimulationViewProps): VNode {
  const { onSimulate, state } = props;
  switch (state.is) {
    case "idle":
      return (
        <div class="empty">
          <p>
            A simulation runs your operator on a virtual clock, again and again, each time with
            something else gone wrong: a crash between two writes, a lost answer, a stale cache.
          </p>
          <p>
            <button type="button" class="primary" onClick={onSimulate}>Find a bug</button>
          </p>
        </div>
      );
    case "running":
      return (
        <p class="summary" role="status">
          <span class="spinner" aria-hidden="true" /> {plural(state.progress.plans, "plan")} tried …
        </p>
      );
    case "failed":
      return <p class="problem" role="alert">{visible(state.message)}</p>;
    case "done": {
      const { plans, report, tookMs } = state.result;
      const [finding] = report.findings;
      return finding === undefined
        ? (
          <div role="status">
            <h3 class="title green-text">No bug in {plural(plans, "plan")}</h3>
            <p class="soft">
              in {duration(tookMs)}. These kinds of faults were tried:{" "}
              {report.coverage.map(({ fault }) => visible(fault)).join(", ")}.
            </p>
          </div>
        )
        : <FindingView {...props} finding={finding} result={state.result} />;
    }
  }
}

interface FindingViewProps extends SimulationViewProps {
  readonly finding: SimulationResult["report"]["findings"][number];
  readonly result: SimulationResult;
}

function FindingView({ check, finding, hint, onRepair, result }: FindingViewProps): VNode {
  return (
    <article class="finding">
      <p class="summary" role="status">
        <Chip tone="red">a bug</Chip>
        {result.plans === 0 ? "in the run without faults" : `in plan ${result.plans}`}, after{" "}
        {duration(result.tookMs)}
      </p>
      <h3 class="title red-text">{visible(finding.wrong[0]?.message ?? "")}</h3>
      {hint !== undefined && (
        <div class="hint">
          <p>{hint}</p>
          {onRepair !== undefined && (
            <button type="button" class="primary" onClick={onRepair}>Show the repair</button>
          )}
        </div>
      )}
      <Finding finding={finding} page={undefined} runAgain={check} />
    </article>
  );
}
