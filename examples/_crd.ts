/**
 * Creates a CustomResourceDefinition and waits until the server serves it.
 *
 * @module
 */

import {
  type ApplyConfiguration,
  type Client,
  type CustomResourceDefinition,
  CustomResourceDefinitions,
} from "@kubeloop/controller";
import { pause } from "./_pod_life.ts";

/** Applies `definition` and resolves when the server serves its resource. */
export async function ensureDefinition(
  client: Client,
  definition: ApplyConfiguration<CustomResourceDefinition>,
  signal: AbortSignal,
): Promise<void> {
  const applied = await client.apply(CustomResourceDefinitions, definition, {
    fieldManager: "kubeloop-example",
    force: true,
    signal,
  });
  const { name } = applied.metadata;
  let current = applied;
  while (!isEstablished(current)) {
    await pause(100, signal);
    current = await client.get(CustomResourceDefinitions, name, { signal });
  }
}

function isEstablished({ status }: CustomResourceDefinition): boolean {
  return status?.conditions?.some(({ type, status }) =>
    type === "Established" && status === "True"
  ) ?? false;
}
