import { sourcesOf, withSources } from "./sources.ts";
import type { PartialConfig } from "./config.ts";

type Draft = { -readonly [K in keyof PartialConfig]: PartialConfig[K] };

/** What says who the client is, and as whom it acts. */
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

/** Whether `config` says who the client is. */
export function hasCredentials(config: PartialConfig): boolean {
  const { token, tokenFile, username, exec, certData, certFile } = config;
  return (token ?? tokenFile ?? username ?? exec ?? certData ?? certFile) !== undefined;
}

/** `given` over `found`; what is undefined is not given. */
export function mergeConfig(found: PartialConfig, given: PartialConfig): PartialConfig {
  const base: Draft = { ...found };
  // One identity, not a token of one and a certificate of another.
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
