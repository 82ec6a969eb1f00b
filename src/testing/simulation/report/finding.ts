import type { FindingView } from "@kubeloop/controller/internal/see";
import { type Cause, causeOf, type Compared } from "./cause.ts";
import { describeFault, type Plan } from "../plans/mod.ts";
import { replayCommand } from "./replay.ts";
import type { RunRecord, Wrong } from "../judge/mod.ts";
import { storyOf } from "./story.ts";
import { runView } from "./run_view.ts";
import { type StoryLine, storyLines } from "./story_lines.ts";

/** The parts of a finding. */
export interface FindingParts extends Compared {
  /** The smallest plan. */
  readonly plan: Plan;
  /** The plan that was found first. */
  readonly shrunkFrom: Plan;
}

/** A finding as JSON. */
export interface FindingJson {
  /** The smallest plan that was found. */
  readonly plan: Plan;
  /** The plan that was found first. */
  readonly shrunkFrom: Plan;
  /** The number of plans that show this bug. */
  readonly plans: number;
  /** The command line prefix that runs only this plan. */
  readonly replay: string;
  /** The errors, in the order of their times. */
  readonly wrong: readonly Wrong[];
  /** The faults in words. */
  readonly faults: readonly string[];
  /** The cause, in sentences. */
  readonly cause: readonly string[];
  /** The story, line by line. */
  readonly story: readonly Omit<StoryLine, "key" | "isFocus">[];
  /** The story of the run without faults, if an order decides and either run may be right. */
  readonly otherStory?: FindingJson["story"] | undefined;
  /** The hash of the trace, which is the same on every runtime. */
  readonly trace: string;
}

/** The maximum number of lines of the story in JSON. */
const MAX_JSON_LINES = 500;

/** A plan that ends wrong. */
export class Finding {
  /** The smallest plan that was found. */
  readonly plan: Plan;
  /** Its run. */
  readonly record: RunRecord;
  /** The plan that was found first. */
  readonly shrunkFrom: Plan;
  /** The number of plans that show this bug. */
  plans = 1;
  readonly #compared: Compared;
  #cause: Cause | undefined;

  /** Creates a finding. {@linkcode Simulation.explore} does. */
  constructor({ plan, shrunkFrom, ...compared }: FindingParts) {
    this.plan = plan;
    this.record = compared.record;
    this.shrunkFrom = shrunkFrom;
    this.#compared = compared;
  }

  /** The errors, in the order of their times. */
  get wrong(): readonly Wrong[] {
    return this.record.wrong.toSorted((a, b) => a.atMs - b.atMs);
  }

  /** The cause in sentences: the wrong write, the knowledge of its process, and the newest versions. */
  get cause(): readonly string[] {
    return this.#why().sentences;
  }

  /** Returns the story in words, one line for each event that matters. */
  story(): string[] {
    return storyOf(this.#why());
  }

  /** Returns the finding in words: the errors, the plan, the cause, the story, and the command to replay it. */
  toString(): string {
    const lines = this.wrong.map(({ message, oracle }) => `WRONG (${oracle}): ${message}`);
    const { faults, seed, without = [] } = this.plan;
    if (faults.length === 0) lines.push("It happens without any fault.");
    for (const fault of faults) lines.push(`Fault: ${describeFault(fault)}`);
    if (without.length > 0) {
      lines.push(`Left out, as it happens without: ${describeSteps(without)}`);
    }
    lines.push(`Seed: ${seed}`);
    if (this.plans > 1) lines.push(`Plans that show it: ${this.plans}`);
    if (this.cause.length > 0) lines.push("", "Why:", ...this.cause.map((text) => `- ${text}`));
    const { other } = this.#why();
    if (other === undefined) lines.push("", "Story:", ...this.story());
    else {
      lines.push("", `Story ${other.here}:`, ...this.story());
      lines.push("", `Story ${other.there}:`, ...storyOf(other.cause));
    }
    lines.push("", `Replay: ${replayCommand(this.plan)}`);
    return lines.join("\n");
  }

  /**
   * Returns the finding as a page shows it: the run row by row, with what each process knew and what was true. Without
   * runs, it is small.
   *
   * @internal
   */
  view(hasRuns = true): FindingView {
    const { plan, plans, wrong } = this;
    const { faults, without = [] } = plan;
    const cause = this.#why();
    const { other } = cause;
    return {
      wrong: wrong.map(({ message, oracle }) => ({ oracle, message })),
      plans,
      plan,
      faults: faults.map(describeFault),
      ...(without.length > 0 && { without: describeSteps(without) }),
      cause: cause.sentences,
      runs: !hasRuns
        ? []
        : other === undefined
        ? [runView(cause)]
        : [runView(cause, other.here), runView(other.cause, other.there)],
    };
  }

  /** Returns the finding as JSON values. */
  toJSON(): FindingJson {
    const { plan, plans, record, shrunkFrom } = this;
    const { other } = this.#why();
    return {
      plan,
      shrunkFrom,
      plans,
      replay: replayCommand(plan),
      wrong: this.wrong,
      faults: plan.faults.map(describeFault),
      cause: this.cause,
      story: jsonOf(this.#why()),
      ...(other && { otherStory: jsonOf(other.cause) }),
      trace: record.history.hash(),
    };
  }

  #why(): Cause {
    return this.#cause ??= causeOf(this.#compared);
  }
}

function jsonOf(cause: Cause): FindingJson["story"] {
  return storyLines(cause).slice(-MAX_JSON_LINES).map(
    ({ act: _, at: __, isFocus: ___, key: ____, version: _____, ...line }) => line,
  );
}

function describeSteps(steps: readonly number[]): string {
  return `step${steps.length === 1 ? "" : "s"} ${steps.map((step) => step + 1).join(", ")}`;
}
