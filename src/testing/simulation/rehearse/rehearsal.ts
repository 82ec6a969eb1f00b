import { shortValue } from "../report/mod.ts";
import type { RunDifferences } from "./compare_runs.ts";
import { rehearsalPage, type RehearsalTable } from "./rehearsal_page.ts";
import type { Restart } from "./restarts.ts";

/** The parts of a rehearsal. */
export interface RehearsalParts extends RunDifferences {
  /** The number of objects in the world. */
  readonly objects: number;
  /** How long each version ran, in milliseconds. */
  readonly forMs: number;
  /** The failures of the old version, with which the new one cannot be compared then. */
  readonly problemsBefore: readonly string[];
  /** Remarks, such as on what was left out. */
  readonly notes: readonly string[];
}

/** The maximum number of rows of a table in a text. */
const MAX_ROWS = 50;

/**
 * The result of {@linkcode rehearse}: the differences between the new version of an operator and the old one, which was
 * started again on the same state.
 */
export class Rehearsal implements RehearsalParts {
  /** The number of objects in the world. */
  readonly objects: number;
  /** How long each version ran, in milliseconds. */
  readonly forMs: number;
  /** The writes by kind and field. */
  readonly writes: RehearsalParts["writes"];
  /** The replaced Pods, with the fields that cause it. */
  readonly restarts: RehearsalParts["restarts"];
  /** The deleted objects by kind. */
  readonly deletions: RehearsalParts["deletions"];
  /** The writes that the server refuses, such as applies that conflict with another field manager. */
  readonly refusals: RehearsalParts["refusals"];
  /** The fields whose managers change. */
  readonly ownership: RehearsalParts["ownership"];
  /** All requests by verb and resource. */
  readonly requests: RehearsalParts["requests"];
  /** The failures of the new version itself. */
  readonly problems: RehearsalParts["problems"];
  /** The failures of the old version, with which the new one cannot be compared then. */
  readonly problemsBefore: RehearsalParts["problemsBefore"];
  /** Remarks, such as on what was left out. They are not differences. */
  readonly notes: readonly string[];

  /** Creates the result. */
  constructor(parts: RehearsalParts) {
    this.objects = parts.objects;
    this.forMs = parts.forMs;
    this.writes = parts.writes;
    this.restarts = parts.restarts;
    this.deletions = parts.deletions;
    this.refusals = parts.refusals;
    this.ownership = parts.ownership;
    this.requests = parts.requests;
    this.problems = parts.problems;
    this.problemsBefore = parts.problemsBefore;
    this.notes = parts.notes;
  }

  /** Whether the new version does the same as the old one. */
  get isSame(): boolean {
    return this.tables().length === 0;
  }

  /** Returns the differences in words, by kind of difference. */
  tables(): readonly RehearsalTable[] {
    const all: readonly RehearsalTable[] = [
      {
        title: "Failures of the old version, so that nothing can be compared",
        rows: this.problemsBefore,
      },
      { title: "Failures of the new version", rows: this.problems },
      { title: "Pods that restart", rows: this.restarts.map(restartText) },
      {
        title: "Deletions",
        rows: this.deletions.map(({ after, before, example, resource }) =>
          `${resource}: ${counts(before, after)}, as ${example}`
        ),
      },
      {
        title: "Refused writes",
        rows: this.refusals.map(({ after, before, example, message, resource, status, verb }) =>
          `${verb} ${resource}: ${counts(before, after)}, as ${example}: ${status} ${message}`
        ),
      },
      {
        title: "Field managers that change",
        rows: this.ownership.map(({ example, field, from, objects, resource, to }) =>
          `${resource} ${field}: ${from} → ${to} (${plural(objects, "object")}, as ${example})`
        ),
      },
      {
        title: "Writes",
        rows: this.writes.map(
          ({ after, before, example, field, from, objects, resource, to, verb }) => {
            const what = field === "" ? "" : ` ${field}: ${shortValue(from)} → ${shortValue(to)}`;
            const where = objects === 1 ? example : `${objects} objects, as ${example}`;
            return `${verb} ${resource}${what} (${counts(before, after)}; ${where})`;
          },
        ),
      },
      {
        title: "Requests",
        rows: this.requests.filter(({ differs }) => differs).map(
          ({ after, before, resource, verb }) => `${verb} ${resource}: ${before} → ${after}`,
        ),
      },
    ];
    return all.filter(({ rows }) => rows.length > 0);
  }

  /** Returns the report as text. */
  toString(): string {
    const lines = [this.summary()];
    for (const { rows, title } of this.tables()) {
      lines.push("", `${title}:`, ...rows.slice(0, MAX_ROWS).map((row) => `- ${row}`));
      if (rows.length > MAX_ROWS) lines.push(`- … and ${rows.length - MAX_ROWS} more`);
    }
    if (this.notes.length > 0) lines.push("", ...this.notes.map((note) => `Note: ${note}`));
    return lines.join("\n");
  }

  /** Returns the result in one sentence. */
  summary(): string {
    const where = `in a world of ${plural(this.objects, "object")}, within ${time(this.forMs)}`;
    if (this.problemsBefore.length > 0) return `The old version fails ${where}.`;
    if (this.isSame) return `The upgrade changes nothing ${where}.`;
    const pods = this.restarts.reduce(
      (sum, one) => one.how === "on delete" ? sum : sum + one.pods,
      0,
    );
    const restarts = pods === 0 ? "restarts no Pod" : `restarts ${plural(pods, "Pod")}`;
    return `The upgrade ${restarts} ${where}.`;
  }

  /** Returns the result as data. */
  toJSON(): RehearsalParts & { readonly isSame: boolean } {
    const { deletions, forMs, isSame, notes, objects, ownership, problems } = this;
    const { problemsBefore, refusals, requests, restarts, writes } = this;
    return {
      isSame,
      objects,
      forMs,
      restarts,
      deletions,
      refusals,
      ownership,
      writes,
      requests,
      problems,
      problemsBefore,
      notes,
    };
  }

  /** Returns the report as one HTML file without scripts. */
  toHtml(): string {
    return rehearsalPage(this);
  }
}

function restartText({ fields, how, owner, pods, times }: Restart): string {
  const again = times > 1 ? `, ${times} times` : "";
  const why = fields.length === 0
    ? "no field differs"
    : fields.map(({ field, from, to }) => `${field}: ${shortValue(from)} → ${shortValue(to)}`)
      .join(", ");
  const reason = {
    "rolls": "its template changes",
    "on delete": "its template changes, and takes effect once its Pods are deleted",
    "deletes Pods": "the operator deletes them",
    "deletes the owner": "the operator deletes their owner",
  }[how];
  return `${owner}: ${plural(pods, "Pod")}${again}: ${reason}: ${why}`;
}

function counts(before: number, after: number): string {
  return before === 0 ? plural(after, "time") : `${before} → ${after} times`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function time(ms: number): string {
  return ms % 3_600_000 === 0 ? plural(ms / 3_600_000, "hour") : `${Math.round(ms / 1000)} s`;
}
