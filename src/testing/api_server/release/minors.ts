import { type KubernetesMinor, MINORS } from "../schema/generated/mod.ts";

/** The minor versions that the server knows, the oldest first. */
export const MINOR_VERSIONS: readonly KubernetesMinor[] = Object.keys(MINORS) as KubernetesMinor[];

/** Reports whether the server knows a minor version. */
export function isMinor(text: string): text is KubernetesMinor {
  return Object.hasOwn(MINORS, text);
}
