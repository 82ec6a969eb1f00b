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
import { established } from "@kubeloop/controller/client";

/** Applies `definition` and resolves when the server serves its resource. */
export async function ensureDefinition(
  client: Client,
  definition: ApplyConfiguration<CustomResourceDefinition>,
  signal: AbortSignal,
): Promise<void> {
  const { metadata } = await client.apply(CustomResourceDefinitions, definition, {
    fieldManager: "kubeloop-example",
    force: true,
    signal,
  });
  await client.waitFor(CustomResourceDefinitions, metadata.name, established, { signal });
}
