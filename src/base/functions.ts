/**
 * Refuses values that are not functions, which plain JavaScript may pass.
 *
 * @param functions Functions by name; undefined ones pass.
 * @throws {TypeError} If one of them is something else. The message names it.
 */
export function requireFunctions(functions: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(functions)) {
    if (value === undefined || typeof value === "function") continue;
    throw new TypeError(`${name} must be a function: received ${kindOf(value)}`);
  }
}

/**
 * Refuses an object that lacks methods.
 *
 * @param what The expected object, for the message, as in `"a lister-watcher, such as client.listerWatcher(Pods)"`.
 * @param value The object.
 * @param methods The names of the methods that it must have.
 * @throws {TypeError} If the value is not such an object.
 */
export function requireMethods(what: string, value: unknown, ...methods: readonly string[]): void {
  const object = value as Readonly<Record<string, unknown>> | null | undefined;
  for (const method of methods) {
    if (typeof object?.[method] === "function") continue;
    const lack = typeof value === "object" && value !== null
      ? `an object without ${method}()`
      : kindOf(value);
    throw new TypeError(`Expected ${what}: received ${lack}`);
  }
}

/** Names the type of a value. */
function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  return Array.isArray(value) ? "an array" : `a value of type ${typeof value}`;
}
