/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { KnownView, RequestView, RunView, VersionView } from "../../mod.ts";
import { Chip, diffLines, visible } from "../kit/mod.ts";
import { SideBySide, type SideProps } from "./side_by_side.tsx";

/** The properties of {@linkcode StepPanel}. */
export interface StepPanelProps {
  readonly run: RunView;
  /** The index of the row. */
  readonly row: number;
}

/** One row of a run: the knowledge of the process beside the truth, the request, and the change of the stored object. */
export function StepPanel({ row: index, run }: StepPanelProps): VNode {
  const row = run.rows[index]!;
  const { knew, lane, mark, reconcile, step, text } = row;
  const who = lane === undefined ? "" : visible(run.lanes[lane]!.name);
  const bar = reconcile === undefined ? undefined : run.reconciles[reconcile];
  return (
    <div class="step-panel">
      <p class="step-text">
        {mark !== undefined && <b class="row-mark">{visible(mark)}</b>}
        {visible(text)}
      </p>
      {bar !== undefined && (
        <p class={bar.isFailed ? "red-text" : "soft"}>
          Part of a reconcile of <b>{visible(bar.key)}</b> by the controller{" "}
          {visible(bar.controller)}: {visible(bar.result)}
        </p>
      )}
      {step === undefined && knew !== undefined && <p class="amber-text">{visible(knew)}</p>}
      {step !== undefined && step.known.length > 0 && (
        <section>
          <h3>
            What {who} knew, and what was true
          </h3>
          {step.known.map((known, position) => (
            <Known
              key={`${index} ${known.object}`}
              known={known}
              who={who}
              versions={run.versions}
              isOpen={known.state === "stale" && position < OPEN}
            />
          ))}
          {step.more > 0 && <p class="soft">It had read {step.more} more, which were left out.</p>}
        </section>
      )}
      {step?.request !== undefined && (
        <Request request={step.request} who={who} isCall={row.kind === "call"} />
      )}
      {step?.change !== undefined && <Change change={step.change} versions={run.versions} />}
    </div>
  );
}

/** The number of stale objects whose difference is shown at once. */
const OPEN = 2;

const STATES = {
  stale: ["stale", "red"],
  own: ["its own write has not come back yet", "amber"],
  fresh: ["up to date", "green"],
} as const;

interface KnownProps {
  readonly known: KnownView;
  readonly who: string;
  readonly versions: readonly VersionView[];
  readonly isOpen: boolean;
}

function Known({ isOpen, known, versions, who }: KnownProps): VNode {
  const { knew, object, place, state, was } = known;
  const [word, tone] = STATES[state];
  const own = knew === undefined ? undefined : versions[knew];
  const truth = was === undefined ? undefined : versions[was];
  const isAbsent = isGone(own) && isGone(truth);
  return (
    <details class={`known ${state}`} open={isOpen}>
      <summary>
        <b>{visible(object)}</b> <Chip tone={tone}>{isAbsent ? "not there" : word}</Chip>
        {place !== undefined && <Place verb="read" place={place} />}
      </summary>
      {state === "fresh" ? !isAbsent && <SingleVersion version={truth ?? own!} /> : (
        <SideBySide
          left={sideOf(`${who} knew`, own, `${who} did not know of it`)}
          right={sideOf("was true", truth, "it was not there")}
        />
      )}
    </details>
  );
}

/** The line of the program; its callers are in the tooltip. */
function Place({ place, verb }: { place: string; verb: string }): VNode {
  const [line = ""] = place.split(", from ", 1);
  return <span class="soft place" title={visible(place)}>{verb} at {visible(line)}</span>;
}

function isGone(version: VersionView | undefined): boolean {
  return version === undefined || version.isGone;
}

function sideOf(title: string, version: VersionView | undefined, empty: string): SideProps {
  const why = version === undefined
    ? empty
    : version.isGone
    ? "it was deleted"
    : "the content was left out";
  return {
    title: (
      <>
        {title} <span class="soft">{version === undefined ? "" : described(version)}</span>
      </>
    ),
    value: version?.value,
    empty: why,
  };
}

function described({ by, number, time }: VersionView): string {
  return time === undefined
    ? `version ${number}`
    : `version ${number}, by ${visible(by!)} at ${time}`;
}

function SingleVersion({ version }: { version: VersionView }): VNode {
  return (
    <>
      <p class="soft">{described(version)}</p>
      {version.value === undefined
        ? <p class="soft">The content was left out.</p>
        : <Value value={version.value} label={visible(version.object)} />}
    </>
  );
}

/** A JSON value as lines. */
function Value({ label, value }: { value: unknown; label: string }): VNode {
  return (
    <div class="diff-lines" role="group" aria-label={label} tabIndex={0}>
      {diffLines(undefined, value).map(({ depth, text }, index) => (
        <div key={index} class="diff-line">
          <code style={{ paddingLeft: `${depth * 1.1}em` }}>{visible(text)}</code>
        </div>
      ))}
    </div>
  );
}

function Request(
  { isCall, request, who }: { isCall: boolean; request: RequestView; who: string },
): VNode {
  const { answer, body, isFailed, place, text } = request;
  return (
    <section>
      <h3>{isCall ? `What ${who} called` : `What ${who} sent`}</h3>
      <p>
        <code>{visible(text)}</code>{" "}
        {answer !== "" && <Chip tone={isFailed ? "red" : "green"}>{visible(answer)}</Chip>}
      </p>
      {place !== undefined && <Place verb={isCall ? "called" : "sent"} place={place} />}
      {body !== undefined && <Value value={body} label="The body of the request" />}
    </section>
  );
}

function Change(
  { change, versions }: {
    change: { readonly before?: number | undefined; readonly after: number };
    versions: readonly VersionView[];
  },
): VNode {
  const before = change.before === undefined ? undefined : versions[change.before];
  const after = versions[change.after]!;
  return (
    <section>
      <h3>What that changed in {visible(after.object)}</h3>
      <SideBySide
        left={sideOf("before", before, "it was not there")}
        right={sideOf("after", after, "it was not there")}
      />
    </section>
  );
}
