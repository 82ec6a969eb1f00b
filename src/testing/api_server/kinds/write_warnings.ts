import type { KubeObject } from "@kubeloop/controller/types";
import type { KindInfo } from "../schema/mod.ts";
import type { JsonObject } from "../../values/mod.ts";
import type { Release } from "../release/mod.ts";
import { recordOf } from "./record_of.ts";

const STANDARD_FINALIZERS: readonly string[] = ["foregroundDeletion", "orphan", "kubernetes"];

/** Returns the warnings for a valid object that is about to be stored. `old` is absent on a create. */
export function writeWarnings(
  kind: KindInfo,
  next: KubeObject,
  old: KubeObject | undefined,
  subresource: string,
): string[] {
  const { warnings, statusWarnings } = recordOf(kind);
  const json = next as unknown as JsonObject;
  if (kind.custom !== undefined && subresource !== "status") return finalizerWarnings(next, old);
  const found = subresource === "status"
    ? statusWarnings?.(json)
    : warnings?.(json, old as unknown as JsonObject | undefined, kind.release);
  return addressTexts(found ?? [], kind.release);
}

/** Returns warnings with the text that they have about addresses in old forms. */
function addressTexts(warnings: readonly string[], release: Release): string[] {
  if (!release.has({ since: "1.36" })) return [...warnings];
  return warnings.map((text) =>
    text.replace("will be considered invalid in a future Kubernetes release", "is invalid")
  );
}

/**
 * Returns a warning for each new finalizer of a custom resource without a domain. Built-in resources refuse such names.
 */
function finalizerWarnings(next: KubeObject, old?: KubeObject): string[] {
  const known = [...STANDARD_FINALIZERS, ...(old?.metadata.finalizers ?? [])];
  return (next.metadata.finalizers ?? [])
    .filter((name) => !name.includes("/") && !known.includes(name))
    .map((name) => {
      const path = name.includes(".") ? " including a path (/)" : "";
      return `metadata.finalizers: ${JSON.stringify(name)}: prefer a domain-qualified finalizer ` +
        `name${path} to avoid accidental conflicts with other finalizer writers`;
    });
}
