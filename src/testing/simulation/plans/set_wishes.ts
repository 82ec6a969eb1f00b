import type { Client } from "@kubeloop/controller/client";
import type { KubeObject, Resource } from "@kubeloop/controller/types";
import { callOf, type StepTarget } from "./steps.ts";

/** Gives an object the fields of another one, apart from the metadata and the status, as a user who applies a file. */
export async function setWishes(
  client: Client,
  target: StepTarget,
  wanted: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { name, resource } = target;
  const call = callOf(target);
  const { metadata } = await client.get(resource as Resource, name, call);
  const { apiVersion: _, kind: __, metadata: ___, status: ____, ...fields } = wanted;
  await client.update(resource as Resource, { ...fields, metadata } as KubeObject, call);
}
