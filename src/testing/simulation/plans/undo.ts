import type { Client } from "@kubeloop/controller/client";
import { isNotFound, type KubeObject, type Resource } from "@kubeloop/controller/types";
import { FOREIGN_MARK } from "../record/mod.ts";
import type { ApiServer } from "../../api_server/mod.ts";
import { callOf, type Step, type StepTarget } from "./steps.ts";

/**
 * Returns a function that undoes a step which is about to be done: it restores the object of the step to its present
 * state, apart from the status. Returns undefined for a step that cannot be undone.
 */
export function undoStep(
  { finalizers = [], kind, target }: Step<unknown>,
  server: ApiServer,
  client: Client,
): (() => Promise<void>) | undefined {
  if (kind !== "write" || target === undefined) return undefined;
  const { name, namespace } = target;
  const resource = target.resource as Resource;
  const call = callOf(target);
  const before = server.get(resource, name, namespace);
  return async () => {
    if (before === undefined) {
      if (finalizers.length > 0) await removeFinalizers(target, finalizers, client);
      await client.delete(resource, name, call).catch((error) => {
        if (!isNotFound(error)) throw error;
      });
      return;
    }
    let now: KubeObject;
    try {
      now = await client.get(resource, name, call);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await client.create(resource, wanted(before, { name }) as never, call);
      return;
    }
    if (now.metadata.deletionTimestamp !== undefined) {
      throw new Error(`${name} is still being deleted`);
    }
    await client.update(resource, wanted(before, now.metadata) as never, call);
  };
}

/** Removes the finalizers that a step has given its object, as the user who has added them would. */
async function removeFinalizers(
  target: StepTarget,
  given: readonly string[],
  client: Client,
): Promise<void> {
  const { name } = target;
  const resource = target.resource as Resource;
  const call = callOf(target);
  const now = await client.get(resource, name, call).catch((error) => {
    if (!isNotFound(error)) throw error;
  });
  if (now === undefined) return;
  const { finalizers = [], resourceVersion } = now.metadata;
  const rest = finalizers.filter((finalizer) => !given.includes(finalizer));
  await client.patch(resource, name, { metadata: { resourceVersion, finalizers: rest } }, call);
}

/**
 * Returns the desired state of an object, without the status. Entries that another client has added since stay.
 */
function wanted(object: KubeObject, now: KubeObject["metadata"]): KubeObject {
  const { metadata, status: _, ...rest } = object as KubeObject & { status?: unknown };
  const { annotations: __, labels: ___, ...kept } = now;
  const annotations = withForeignMark(metadata.annotations, now.annotations);
  const labels = withForeignMark(metadata.labels, now.labels);
  return {
    ...rest,
    metadata: { ...kept, ...(labels && { labels }), ...(annotations && { annotations }) },
  };
}

function withForeignMark(
  before: Record<string, string> | undefined,
  now: Record<string, string> | undefined,
): Record<string, string> | undefined {
  const added = now?.[FOREIGN_MARK];
  return added === undefined ? before : { ...before, [FOREIGN_MARK]: added };
}
