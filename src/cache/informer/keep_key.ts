import type { KubeObject } from "../../types/mod.ts";
import type { TransformFunc } from "../queue/mod.ts";

/**
 * A transform that leaves each object under its name and namespace, whatever `transform` does. An object that is stored under
 * another key could never be deleted, and the next list would delete it although the server has it.
 *
 * @param onChange Called with the key of each object whose name or namespace was changed and is restored.
 */
export function keepKey<T extends KubeObject>(
  transform: TransformFunc<T>,
  onChange: (key: string) => void,
): TransformFunc<T> {
  return (obj) => {
    // Read first: the transform may change the object that it is given.
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
