/** The oldest major version of Node that has everything that the library uses. */
const MIN_NODE = 22;

/** The part of the global scope of Node that is used. */
interface NodeScope {
  readonly process?: { readonly versions?: { readonly node?: string } };
}

/**
 * Refuses versions of Node that are too old. Otherwise, whatever first needs something that they lack would fail, with an
 * error that does not say why.
 *
 * @throws {Error} If `scope` is that of Node below 22.
 */
export function requireRuntime(scope: object = globalThis): void {
  // Deno loads what it has of Node when it reads `process`, which takes longer than loading the library.
  if ("Deno" in scope || "Bun" in scope) return;
  const version = (scope as NodeScope).process?.versions?.node;
  // Bundlers may give a page a `process` without the version of Node.
  if (version === undefined || !(Number.parseInt(version) < MIN_NODE)) return;
  throw new Error(`kubeloop needs Node ${MIN_NODE} or later: this is Node ${version}`);
}
