import type { Client } from "@kubeloop/controller/client";
import type { KubeObject, Resource } from "@kubeloop/controller/types";
import type { StepTarget } from "./steps.ts";

/** Gives an object the fields of another one, apart from the metadata and the status, as a user who applies a file. */
export async function setWishes(
  client: Client,
  { name, namespace, resource }: StepTarget,
  wanted: Readonly<Record<string, unknown>>,
): Promise<void> {
  const call = namespace === "" ? {} : { namespace };
  const { metadata } = await client.get(resource as Resource, name, call);
  const { apiVersion: _, kind: __, metadata: ___, status: ____, ...fields } = wanted;
  await client.update(resource as Resource, { ...fields, metadata } as KubeObject, call);
}
