import { isCompared, type Journal, keyOf, objectName, unnumbered } from "../record/mod.ts";
import type { Wrong } from "./verdict.ts";

/** The number of failures of one kind that are an error. */
const IN_VAIN = 3;

/** The answers that no repetition changes. */
const REFUSALS: ReadonlySet<number> = new Set([400, 403, 422]);

/** Something that a run without faults has left undone, and that its processes do not mend. */
export interface Undone extends Pick<Wrong, "message" | "object" | "oracle"> {
  /** The process that should do it. */
  readonly process: string;
}

/**
 * Returns what the processes of a run without faults never bring to an end, although nothing has changed since `sinceMs`: a
 * deletion that waits for a finalizer of theirs, a write that is refused each time, a resource that is not served.
 */
export function undoneIn(
  journal: Journal,
  sinceMs: number,
  isProcess: (name: string) => boolean,
): readonly Undone[] {
  return [...heldObjects(journal, isProcess), ...failuresSince(journal, sinceMs)];
}

function* heldObjects(journal: Journal, isProcess: (name: string) => boolean): Iterable<Undone> {
  for (const write of journal.objects.values()) {
    const { deletionTimestamp, finalizers = [] } = write.object().metadata;
    if (deletionTimestamp === undefined || !isCompared(write.resource)) continue;
    for (const finalizer of finalizers) {
      const added = journal.commits.find(({ write: one }) =>
        one.uid === write.uid && one.object().metadata.finalizers?.includes(finalizer)
      );
      const by = added === undefined ? undefined : journal.writerOf(added.write);
      if (by === undefined || !isProcess(by)) continue;
      const object = objectName(write);
      yield {
        oracle: "liveness",
        message:
          `The deletion of ${object} never ends: ${by} has added the finalizer ${finalizer}, and does not remove it`,
        object,
        process: by,
      };
    }
  }
}

function* failuresSince({ history }: Journal, sinceMs: number): Iterable<Undone> {
  // Retries come less and less often, so that those before count as well.
  const failures = new Map<string, { count: number; lastMs: number; undone: Undone }>();
  for (const moment of history.moments) {
    const add = (what: string, undone: Undone) => {
      const count = (failures.get(what)?.count ?? 0) + 1;
      failures.set(what, { count, lastMs: moment.atMs, undone });
    };
    if (moment.kind === "answered") {
      const { id, name, namespace, process, resource, status } = moment.write;
      const what = unnumbered(id);
      if (!REFUSALS.has(status)) failures.delete(what);
      else {
        add(what, {
          oracle: "process",
          message: `${process} never gets further: [${what}] is answered with ${status} each time`,
          object: `${resource} ${keyOf(namespace, name)}`,
          process,
        });
      }
    } else if (moment.kind === "read" && (moment.verb === "list" || moment.verb === "watch")) {
      const { process, resource, status } = moment;
      const what = `${process} lists ${resource}`;
      if (status !== 404) failures.delete(what);
      else {
        add(what, {
          oracle: "process",
          message:
            `${what} again and again, and the API server does not serve them. If the workload creates none, name the resource in \`resources\``,
          process,
        });
      }
    }
  }
  for (const { count, lastMs, undone } of failures.values()) {
    if (count >= IN_VAIN && lastMs >= sinceMs) yield undone;
  }
}
