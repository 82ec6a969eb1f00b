import type { KubeObject } from "../../types/mod.ts";
import type { TransformFunc } from "../queue/mod.ts";

/**
 * Wraps a transform so that each object keeps its name and namespace, whatever `transform` does. An object that is
 * stored under another key could never be deleted by an event, and the next list would delete it although the server
 * has it.
 *
 * @param onChange Called with the key of each object whose name or namespace `transform` changed. Both are restored.
 */
export function keepKey<T extends KubeObject>(
  transform: TransformFunc<T>,
  onChange: (key: string) => void,
): TransformFunc<T> {
  return (obj) => {
    // Read before the call, since the transform may change the object in place.
    const { namespace, name } = obj.metadata;
    const transformed = transform(obj);
    const metadata = transformed?.metadata;
    if (metadata?.name === name && metadata?.namespace === namespace) return transformed;
    onChange(namespace ? `${namespace}/${name}` : `${name}`);
    const { namespace: _, ...rest } = metadata ?? obj.metadata;
    return {
      ...(transformed ?? obj),
      metadata: { ...rest, ...(namespace === undefined ? {} : { namespace }), name },
    } as T;
  };
}
