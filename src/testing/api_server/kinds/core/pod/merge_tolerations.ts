import { getOwn, getString, jsonEqual, type JsonObject } from "../../../values/mod.ts";

/** Merges two lists of tolerations. Drops each toleration that another one includes. */
export function mergeTolerations(
  first: readonly JsonObject[],
  second: readonly JsonObject[],
): JsonObject[] {
  const all = [...first, ...second];
  const merged: JsonObject[] = [];
  for (const [index, one] of all.entries()) {
    if (merged.some((other) => includes(other, one))) continue;
    // Of two that are equal, the first one stays.
    const later = all.slice(index + 1);
    if (later.some((other) => !jsonEqual(other, one) && includes(other, one))) continue;
    merged.push(one);
  }
  return merged;
}

/** Reports whether `wide` tolerates all taints that `one` tolerates. */
function includes(wide: JsonObject, one: JsonObject): boolean {
  if (jsonEqual(wide, one)) return true;
  const text = (toleration: JsonObject, field: string) => getString(toleration, field);
  const all = text(wide, "operator") === "Exists";
  if (text(one, "key") !== text(wide, "key") && (text(wide, "key") !== "" || !all)) return false;
  if (text(one, "effect") !== text(wide, "effect") && text(wide, "effect") !== "") return false;
  const seconds = getOwn(wide, "tolerationSeconds");
  if (text(wide, "effect") === "NoExecute" && seconds !== undefined) {
    const own = getOwn(one, "tolerationSeconds");
    if (own === undefined || Number(own) > Number(seconds)) return false;
  }
  if (all) return true;
  return text(one, "operator") !== "Exists" && text(one, "value") === text(wide, "value");
}
