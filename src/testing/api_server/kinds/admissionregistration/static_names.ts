import {
  type FieldError,
  getString,
  invalidValue,
  type JsonObject,
  quote,
} from "../../../values/mod.ts";
import type { Release, Span } from "../../release/mod.ts";
import type { KindChange } from "../record/mod.ts";

/** The end of the names of objects that a server reads from files. */
const SUFFIX = ".static.k8s.io";

const REASON = `names ending with ${
  quote(SUFFIX)
} are reserved for static manifest-based configurations and cannot be managed via the API`;

/** Servers in which such a name of a new object is an error, and not only a warning. */
const REFUSED: Span = { since: "1.36", gate: "ManifestBasedAdmissionControlConfig" };

/** The changes of kinds whose objects a server can also read from files. */
export const STATIC_NAMES: readonly KindChange[] = [
  { since: "1.36", warnings: staticNameWarnings },
  { ...REFUSED, validateCreate },
];

/** Returns the warnings for a name that is reserved for objects from files. `old` is absent on a create. */
export function staticNameWarnings(
  object: JsonObject,
  old: JsonObject | undefined,
  release: Release,
): string[] {
  if (old === undefined && release.has(REFUSED)) return [];
  return getString(object, "metadata", "name").endsWith(SUFFIX) ? [`metadata.name: ${REASON}`] : [];
}

function validateCreate(object: JsonObject): FieldError[] {
  const name = getString(object, "metadata", "name");
  return name.endsWith(SUFFIX) ? [invalidValue("metadata.name", name, REASON)] : [];
}
