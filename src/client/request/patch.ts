/** One operation of a JSON patch (RFC 6902). Paths are JSON pointers: `/metadata/labels/app`, `~1` for a slash. */
export type JsonPatchOperation =
  | {
    /** Adds or replaces; requires the value to be there, for `test`. */
    readonly op: "add" | "replace" | "test";
    /** Where. */
    readonly path: string;
    /** What. */
    readonly value: unknown;
  }
  | {
    /** Removes what is at `path`. */
    readonly op: "remove";
    /** Where. */
    readonly path: string;
  }
  | {
    /** Moves or copies to `path`. */
    readonly op: "move" | "copy";
    /** From where. */
    readonly from: string;
    /** Where to. */
    readonly path: string;
  };

/** A patch: operations for the type `json`, a part of the object for all others. */
export type Patch = readonly JsonPatchOperation[] | Readonly<Record<string, unknown>> | object;

/** The content type of each type of patch; the server answers 415 to any other. */
export const PATCH_CONTENT_TYPES: Readonly<
  Record<"merge" | "json" | "strategic" | "apply", string>
> = {
  merge: "application/merge-patch+json",
  json: "application/json-patch+json",
  strategic: "application/strategic-merge-patch+json",
  // JSON is YAML, and servers older than 1.34 know only this spelling.
  apply: "application/apply-patch+yaml",
};
