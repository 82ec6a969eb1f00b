/** @jsxImportSource preact */
import type { VNode } from "preact";
import { Chip, duration, plural, visible } from "../../../src/see/page/kit/mod.ts";
import type { SimulationResult } from "../protocol.ts";
import type { SimulationState } from "./use_simulation.ts";

type Finding = SimulationResult["report"]["findings"][number];

/** The properties of {@linkcode SimulationView}. */
export interface SimulationViewProps {
  readonly state: SimulationState;
  /** The explanation of the bug of the example; undefined for a program of the user. */
  readonly hint: string | undefined;
  /** Replaces the program by the repaired one; undefined if there is none. */
  readonly onRepair: (() => void) | undefined;
  readonly onSimulate: () => void;
}

/** What a simulation has found. */
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
      const { report, tookMs } = state.result;
      const [finding] = report.findings;
      return finding === undefined
        ? (
          <div role="status">
            <h3 class="verdict green-text">No bug in {plural(report.plans, "plan")}</h3>
            <p class="soft">
              in {duration(tookMs)}. Each kind of fault was tried:{" "}
              {Object.keys(report.faults).map(visible).join(", ")}.
            </p>
          </div>
        )
        : <FindingView {...props} finding={finding} result={state.result} />;
    }
  }
}

interface FindingViewProps extends SimulationViewProps {
  readonly finding: Finding;
  readonly result: SimulationResult;
}

function FindingView({ finding, hint, onRepair, result }: FindingViewProps): VNode {
  const { cause, faults, story, wrong } = finding;
  const { report, tookMs } = result;
  return (
    <article class="finding">
      <p class="summary" role="status">
        <Chip tone="red">A bug</Chip> after {plural(report.plans, "plan")}, in {duration(tookMs)}
      </p>
      <h3 class="verdict red-text">{visible(wrong[0]?.message ?? "The run ended wrong")}</h3>
      <p>
        {faults.length === 0
          ? "It happens without any fault."
          : <>When {faults.map((fault) => <b key={fault}>{visible(readable(fault))}</b>)}.</>}
      </p>
      {hint !== undefined && (
        <div class="hint">
          <p>{hint}</p>
          {onRepair !== undefined && (
            <button type="button" class="primary" onClick={onRepair}>Show the repair</button>
          )}
        </div>
      )}
      <h4>What happened</h4>
      <ol class="story-lines">
        {story.map((line, index) => (
          <li key={index} class={`${line.kind}${line.mark === undefined ? "" : " wrong"}`}>
            <span class="at">{(line.atMs / 1000).toFixed(2)} s</span>
            <span class="line-text">
              {visible(readable(line.text))}
              {line.mark !== undefined && <span class="remark">{visible(line.mark)}</span>}
              {line.knew !== undefined && <span class="remark">{visible(line.knew)}</span>}
            </span>
          </li>
        ))}
      </ol>
      <details>
        <summary>Why, in detail</summary>
        <ul class="cause">
          {cause.map((sentence) => <li key={sentence}>{visible(readable(sentence))}</li>)}
        </ul>
        <p class="soft">
          <code>{visible(finding.replay)}</code>
        </p>
      </details>
    </article>
  );
}

/** Returns a text with lines of the editor in place of files. */
function readable(text: string): string {
  return text.replace(/playground\/program\.ts:(\d+)/g, "line $1");
}
