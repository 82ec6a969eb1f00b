import { givenObjects } from "./knowledge.ts";
import { keyOf } from "./identify.ts";
import type { Moment } from "./history.ts";
import type { RunRecord } from "./run.ts";

/** Returns what happened in a run, in words, one line for each thing that matters. */
export function storyOf({ history, writers }: RunRecord): string[] {
  return history.moments.flatMap((moment) => {
    const text = lineOf(moment, writers);
    return text === undefined ? [] : [`${timeOf(moment.atMs)} ${text}`];
  });
}

function timeOf(ms: number): string {
  return `${(ms / 1000).toFixed(3).padStart(9)} s`;
}

function lineOf(moment: Moment, writers: ReadonlyMap<number, string>): string | undefined {
  switch (moment.kind) {
    case "step":
      return `# step ${moment.index + 1}: ${moment.text}`;
    case "fault":
      return `! ${moment.text}`;
    case "wrong":
      return `X ${moment.text}`;
    case "process":
      return `${moment.process} ${moment.text}`;
    case "log":
      return `${moment.process} logs: ${moment.text}`;
    case "cloud":
      return moment.text;
    case "committed": {
      const { name, namespace, resource, resourceVersion, type } = moment.write;
      const verb = { ADDED: "creates", MODIFIED: "changes", DELETED: "deletes" }[type];
      const by = writers.get(Number(resourceVersion)) ?? "the cluster";
      return `version ${resourceVersion}: ${by} ${verb} ${resource} ${keyOf(namespace, name)}`;
    }
    case "answered":
      if (moment.write.status < 400) return undefined;
      return `[${moment.write.id}] is answered with ${moment.write.status}`;
    case "seen": {
      const seen = givenObjects(moment).filter(({ type }) => type !== "BOOKMARK");
      if (seen.length === 0) return undefined;
      return seen.map(({ type, object: { metadata } }) =>
        `${moment.process} sees ${type} ${moment.resource} ${
          keyOf(metadata.namespace ?? "", metadata.name ?? "")
        } at version ${metadata.resourceVersion}`
      ).join("; ");
    }
    default:
      return undefined;
  }
}
