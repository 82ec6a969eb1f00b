/** Parts of a configuration whose origin an error message should tell. */
export type Sourced = "ca" | "cert" | "key" | "token" | "basic" | "exec" | "proxy" | "serverName";

/** Where parts of a configuration come from, in words: `client-key of user "u" in kubeconfig "/kc"`. */
export type Sources = Readonly<Partial<Record<Sourced, string>>>;

// A symbol: copied along by `{ ...config }`, and yet no part of the data. Shared by copies of this package.
const SOURCES = Symbol.for("@kubeloop/controller/config-sources");

/** What is known of where `config` comes from. */
export function sourcesOf(config: object): Sources {
  return (config as { readonly [SOURCES]?: Sources })[SOURCES] ?? {};
}

/** `config`, knowing where its parts come from. */
export function withSources<T extends object>(config: T, sources: Sources): T {
  return { ...config, [SOURCES]: sources };
}
