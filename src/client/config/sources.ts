/** The parts of a configuration whose source is recorded for error messages. */
export type Sourced = "ca" | "cert" | "key" | "token" | "basic" | "exec" | "proxy" | "serverName";

/** The sources of the parts of a configuration, in words: `client-key of user "u" in kubeconfig "/kc"`. */
export type Sources = Readonly<Partial<Record<Sourced, string>>>;

// `{ ...config }` copies a symbol key, but JSON and `Object.keys` ignore it. Copies of this package share the symbol.
const SOURCES = Symbol.for("@kubeloop/controller/config-sources");

/** Returns the recorded sources of `config`; empty if none are recorded. */
export function sourcesOf(config: object): Sources {
  return (config as { readonly [SOURCES]?: Sources })[SOURCES] ?? {};
}

/** Returns a copy of `config` that records the sources of its parts. */
export function withSources<T extends object>(config: T, sources: Sources): T {
  return { ...config, [SOURCES]: sources };
}
