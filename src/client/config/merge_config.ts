import { sourcesOf, withSources } from "./sources.ts";
import type { PartialConfig } from "./config.ts";

type Draft = { -readonly [K in keyof PartialConfig]: PartialConfig[K] };

/** The fields with the credentials of the client and with the user that it impersonates. */
const IDENTITY = [
  "token",
  "tokenFile",
  "username",
  "password",
  "exec",
  "certData",
  "certFile",
  "keyData",
  "keyFile",
  "impersonate",
] as const;

/** Reports whether `config` contains credentials. */
export function hasCredentials(config: PartialConfig): boolean {
  const { token, tokenFile, username, exec, certData, certFile } = config;
  return (token ?? tokenFile ?? username ?? exec ?? certData ?? certFile) !== undefined;
}

/** Merges two configurations. Fields of `given` that are not undefined take precedence over the fields of `found`. */
export function mergeConfig(found: PartialConfig, given: PartialConfig): PartialConfig {
  const base: Draft = { ...found };
  // Credentials are replaced as a whole: a token of one user must not be sent with a certificate of another.
  if (hasCredentials(given)) { for (const key of IDENTITY) delete base[key]; }
  const givenCa = (given.caData ?? given.caFile) !== undefined;
  if (givenCa || given.insecureSkipTlsVerify) {
    delete base.caData;
    delete base.caFile;
    delete base.insecureSkipTlsVerify;
  }
  const sources = { ...sourcesOf(base) };
  if (givenCa) delete sources.ca;
  if (hasCredentials(given)) {
    for (const part of ["token", "basic", "exec", "cert", "key"] as const) delete sources[part];
  }
  if (given.proxyUrl !== undefined) delete sources.proxy;
  if (given.tlsServerName !== undefined) delete sources.serverName;
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return withSources({ ...base, ...Object.fromEntries(entries) }, {
    ...sources,
    ...sourcesOf(given),
  });
}
