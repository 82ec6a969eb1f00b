import { define, type Overload } from "./overload.ts";

/** Escapes a key for the path of a JSON patch. */
function escapeKey(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The function of expressions that make JSON patches. */
export const JSON_PATCHES: readonly Overload[] = [
  define("jsonpatch.escapeKey", "string_jsonpatch_escapeKey_string", "string -> string", escapeKey),
];
