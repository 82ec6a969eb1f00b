import { requireSync } from "../../base/mod.ts";
import type { KubeObject } from "../../types/mod.ts";
import type { TransformFunc } from "../queue/mod.ts";

/** Receives the failures of a transform. */
export interface TransformTrouble {
  /** Called with the key of each object whose name or namespace was changed. Both are restored. */
  readonly onChange: (key: string) => void;
  /** Called with the key of each object whose transform failed. */
  readonly onFailure: (key: string, error: unknown) => void;
}

/**
 * Wraps a transform so that each object keeps its name and namespace, whatever `transform` does. An object that is
 * stored under another key could never be deleted by an event, and the next list would delete it although the server
 * has it.
 *
 * If the transform fails, the object is kept unchanged. Otherwise the cache would report that it does not exist.
 */
export function keepKey<T extends KubeObject>(
  transform: TransformFunc<T>,
  { onChange, onFailure }: TransformTrouble,
): TransformFunc<T> {
  return (obj) => {
    // Read before the call, since the transform may change the object in place.
    const { namespace, name } = obj.metadata;
    const key = namespace ? `${namespace}/${name}` : `${name}`;
    let transformed = obj;
    try {
      transformed = requireSync("transform", transform(obj));
    } catch (error) {
      onFailure(key, error);
    }
    const metadata = transformed?.metadata;
    if (metadata?.name === name && metadata?.namespace === namespace) return transformed;
    onChange(key);
    const { namespace: _, ...rest } = metadata ?? obj.metadata;
    return {
      ...(transformed ?? obj),
      metadata: { ...rest, ...(namespace === undefined ? {} : { namespace }), name },
    } as T;
  };
}
