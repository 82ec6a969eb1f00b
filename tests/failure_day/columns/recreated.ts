import { type Column, points, tryAll, type Variant } from "../column.ts";
import type { Day } from "../day.ts";
import { isNotFound } from "../../../src/types/mod.ts";
import type { Outcome } from "../live.ts";
import { GARBAGE_COLLECTOR, type Row, type RowObject } from "../row.ts";
import { namespace } from "../day.ts";

/** Another client deletes the object and creates a new one with the same name. */
export const recreated: Column = {
  name: "recreated",
  trouble: "its object is created again with another uid",
  try: (row, normal) => tryAll(row, variants(row, normal)),
};

function* variants(row: Row, normal: Outcome): Generator<Variant> {
  const { object } = row;
  if (object === undefined) throw new Error(`The row "${row.name}" needs an object, or a reason`);
  for (const at of points(normal.requests.length)) {
    let made: Promise<void> | undefined;
    yield {
      what: `created again before request ${at}, ${normal.requests[at]}`,
      trouble: {
        // The garbage collector deletes the dependents of the old object.
        actors: GARBAGE_COLLECTOR,
        begin: (day) =>
          void (day.wire.script = async (exchange) => {
            if (exchange.index === at) made ??= recreate(day, object);
            await made;
            return await exchange.send();
          }),
      },
      // A program that does not know the new object must not change it: a conflict, or a name of what is gone.
      expected: {
        error: /409|conflict|404|not found|uid|replaced|deleted|created again|no revision/i,
      },
    };
  }
}

function unlessGone(error: unknown): void {
  if (!isNotFound(error)) throw error;
}

async function recreate(day: Day, { resource, name, namespace: own = namespace }: RowObject) {
  const at = resource.namespaced ? { namespace: own } : {};
  const old = day.server.get(resource, name, own);
  if (old === undefined) return;
  const { uid: _, resourceVersion: __, creationTimestamp: ___, managedFields: ____, ...metadata } =
    old.metadata as unknown as Record<string, unknown>;
  // Finalizers would hold the old one back.
  if (metadata.finalizers !== undefined) {
    await day.admin.patch(resource, name, { metadata: { finalizers: null } }, at).catch(unlessGone);
  }
  await day.admin.delete(resource, name, { ...at, gracePeriodSeconds: 0 }).catch(unlessGone);
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  await day.admin.create(resource, { ...old, metadata } as never, at);
}
