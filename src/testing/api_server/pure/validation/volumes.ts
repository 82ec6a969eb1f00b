import {
  child,
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  item,
  required,
} from "../field_error.ts";
import { getOwn, getString, isObject, type JsonObject } from "../json.ts";
import { dnsLabel } from "../names.ts";

/** The field without which a source of a volume says nothing. */
const NEEDED: Readonly<Record<string, string>> = {
  configMap: "name",
  secret: "secretName",
  persistentVolumeClaim: "claimName",
  hostPath: "path",
};

/** What is wrong with the volumes of a Pod. */
export function validateVolumes(volumes: readonly JsonObject[], field: string): FieldError[] {
  const names = new Set<string>();
  return volumes.flatMap((volume, index) => {
    const at = item(field, index);
    const errors: FieldError[] = [];
    const sources = Object.keys(volume).filter((key) => key !== "name" && isObject(volume[key]));
    sources.slice(1).forEach((source) =>
      errors.push(forbiddenField(child(at, source), "may not specify more than 1 volume type"))
    );
    const source = sources[0];
    const needed = source === undefined || !Object.hasOwn(NEEDED, source)
      ? undefined
      : NEEDED[source]!;
    if (source !== undefined && needed !== undefined) {
      const own = getOwn(volume, source);
      if (isObject(own) && getString(own, needed) === "") {
        errors.push(required(child(child(at, source), needed)));
      }
    }
    const name = getString(volume, "name");
    if (name === "") errors.push(required(child(at, "name")));
    else {
      const wrong = dnsLabel(name);
      errors.push(...wrong.map((text) => invalidValue(child(at, "name"), name, text)));
      if (names.has(name)) errors.push(duplicate(child(at, "name"), name));
      if (wrong.length === 0) names.add(name);
    }
    return errors;
  });
}
