import type { Act, Chronicle } from "./chronicle.ts";
import { isCompared } from "../record/mod.ts";
import { describeChange } from "./object_diff.ts";

/** The first differences between the acts of two runs. */
export interface Divergence {
  /** The first write, or call of the external world, that the run without faults does not make. */
  readonly extra: Act | undefined;
  /** The first write or call that only the run without faults makes. */
  readonly missing: Act | undefined;
}

/**
 * Compares the acts of the processes in two runs. Only writes that changed something count. The life or replica that
 * makes them and the number of tries may differ.
 */
export function divergenceOf(run: Chronicle, reference: Chronicle): Divergence {
  return { extra: firstOnlyIn(run, reference), missing: firstOnlyIn(reference, run) };
}

/** Returns the first act of `run` that `other` has less often. */
function firstOnlyIn(run: Chronicle, other: Chronicle): Act | undefined {
  const left = new Map<string, number>();
  for (const act of other.acts) {
    const name = signatureOf(act);
    if (name !== undefined) left.set(name, (left.get(name) ?? 0) + 1);
  }
  for (const act of run.acts) {
    const name = signatureOf(act);
    if (name === undefined) continue;
    const count = left.get(name) ?? 0;
    if (count === 0) return act;
    left.set(name, count - 1);
  }
  return undefined;
}

/** UIDs, times and numbers of requests. */
const NOT_THE_SAME = [
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{21}/g,
  /\d{4}-\d\d-\d\dT[\d:.]+Z/g,
  /#\d+$/,
];

function withoutWhatDiffers(text: string): string {
  return NOT_THE_SAME.reduce((left, pattern) => left.replace(pattern, ""), text);
}

/** Returns a comparable description of an act; undefined if it has changed nothing. */
function signatureOf({ id, process, version, write }: Act): string | undefined {
  if (write === undefined) {
    return withoutWhatDiffers(id.slice(process.length)).trim();
  }
  if (version === undefined || !isCompared(version.write.resource)) return undefined;
  const object = version.write.object();
  const { generateName, name = "" } = object.metadata;
  const key = generateName === undefined
    ? version.object
    : version.object.replace(name, `${generateName}*`);
  const previous = version.write.previous();
  const change = version.write.type === "MODIFIED" && previous !== undefined
    ? describeChange(previous, object)
    : "";
  return `${version.write.type} ${key} ${withoutWhatDiffers(change)}`;
}
