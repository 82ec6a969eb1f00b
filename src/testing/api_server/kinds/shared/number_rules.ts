import type { NumberRules } from "@kubeloop/controller/internal/structural";
import type { Release } from "../../release/mod.ts";

/** Returns the rules for the numbers of custom resources in a release. */
export function numberRules(release: Release): NumberRules {
  return { inRange: release.has({ since: "1.36" }), rounded: release.has({ since: "1.37" }) };
}
