import { getOwn, type JsonObject } from "../../values/mod.ts";
import { fill, objects } from "../defaults/pod_defaults.ts";

/** Sets the defaults of the resources that an admission policy or its binding matches. */
export function defaultMatchResources(match: JsonObject): void {
  fill(match, "matchPolicy", "Equivalent");
  for (const selector of ["namespaceSelector", "objectSelector"]) {
    if (getOwn(match, selector) === undefined) match[selector] = {};
  }
  for (
    const rule of [...objects(match, "resourceRules"), ...objects(match, "excludeResourceRules")]
  ) {
    fill(rule, "scope", "*");
  }
}
