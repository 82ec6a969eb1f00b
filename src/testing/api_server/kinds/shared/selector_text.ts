import { getObject, getOwn, getString, type Json, type JsonObject } from "../../../values/mod.ts";
import { objects } from "./objects.ts";

/** Returns a label selector as text, as in `app=web,tier in (a,b)`. */
export function selectorText(selector: JsonObject): string {
  const labels = getObject(selector, "matchLabels");
  const parts = Object.keys(labels).map((key) => ({
    key,
    text: `${key}=${getString(labels, key)}`,
  }));
  for (const expression of objects(selector, "matchExpressions")) {
    const key = getString(expression, "key");
    const values = (getOwn(expression, "values") as Json[] | undefined ?? []).map(String).sort();
    const list = `(${values.join(",")})`;
    const text = {
      In: `${key} in ${list}`,
      NotIn: `${key} notin ${list}`,
      Exists: key,
      DoesNotExist: `!${key}`,
    }[getString(expression, "operator")];
    if (text !== undefined) parts.push({ key, text });
  }
  return parts.sort((a, b) => a.key < b.key ? -1 : a.key > b.key ? 1 : 0).map((one) => one.text)
    .join(",");
}
