/** @jsxImportSource preact */
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { FindingView } from "../../mod.ts";
import { Chip, visible } from "../kit/mod.ts";
import { type Attempt, PlanSwitches, type RunAgain } from "./plan_switches.tsx";
import { RunPlayer } from "./run_player.tsx";
import { withoutCallers } from "./words.ts";

/** The properties of {@linkcode Finding}. */
export interface FindingProps {
  readonly finding: FindingView;
  /** The page, whose arrow keys go from row to row; undefined if the finding is only a part of it. */
  readonly page: Document | undefined;
  readonly runAgain?: RunAgain | undefined;
}

/** A plan that ended wrong: the errors, the cause, the faults, and the run. */
export function Finding({ finding, page, runAgain }: FindingProps): VNode {
  const [attempt, setAttempt] = useState<Attempt>();
  useEffect(() => setAttempt(undefined), [finding]);
  const { runs } = finding;
  return (
    <>
      <Verdict finding={finding} />
      <div class="facts">
        <section class="card">
          <h2>Why it went wrong</h2>
          <ol class="cause">
            {finding.cause.map((sentence) => (
              <li key={sentence} title={visible(sentence)}>{visible(withoutCallers(sentence))}</li>
            ))}
          </ol>
        </section>
        <section class="card">
          <PlanSwitches finding={finding} runAgain={runAgain} onResult={setAttempt} />
          {attempt !== undefined && <Outcome attempt={attempt} />}
        </section>
      </div>
      <section>
        {runs.map((run, index) => (
          <RunPlayer key={index} run={run} page={index === 0 ? page : undefined} />
        ))}
        {runs.length === 0 && (
          <p class="empty">
            The run of this finding was left out, to bound the size of this report. Its plan can be
            run again.
          </p>
        )}
      </section>
      {attempt?.result?.finding?.runs.map((run, index) => (
        <section key={index} class="again">
          <h2>The run without what was switched off</h2>
          <RunPlayer run={run} />
        </section>
      ))}
    </>
  );
}

function Verdict({ finding }: { finding: FindingView }): VNode {
  return (
    <div class="verdicts">
      {finding.wrong.map(({ message, oracle }) => (
        <p key={message} class="verdict">
          <b>{visible(oracle)}</b> {visible(message)}
        </p>
      ))}
    </div>
  );
}

/** The result of a run with fewer faults. */
function Outcome({ attempt: { error, off, result } }: { attempt: Attempt }): VNode {
  const without = `Without ${off.map((fault) => `“${visible(fault)}”`).join(" and ")}`;
  return (
    <div class="outcome" role="status">
      {error !== undefined && <p class="red-text">{visible(error)}</p>}
      {result !== undefined && (
        <>
          <p>
            {result.finding === undefined
              ? <Chip tone="green">nothing is wrong</Chip>
              : <Chip tone="red">it is still wrong</Chip>} {without}
            {result.finding === undefined ? ", the run ends as it should." : ":"}
          </p>
          {result.finding !== undefined && <Verdict finding={result.finding} />}
          {result.misfits.map((misfit) => <p key={misfit} class="soft">{visible(misfit)}</p>)}
        </>
      )}
    </div>
  );
}
