import { closestName, type Logger } from "../../base/mod.ts";
import type { KubeconfigEntry } from "./kubeconfig_entry.ts";
import { isShown } from "./shown.ts";

/** The known keys of the mappings in a kubeconfig, from client-go's `tools/clientcmd/api/v1/types.go`. */
const KNOWN_KEYS = {
  context: ["cluster", "user", "namespace", "extensions"],
  cluster: [
    "server",
    "tls-server-name",
    "insecure-skip-tls-verify",
    "certificate-authority",
    "certificate-authority-data",
    "proxy-url",
    "disable-compression",
    "extensions",
  ],
  user: [
    "client-certificate",
    "client-certificate-data",
    "client-key",
    "client-key-data",
    "token",
    "tokenFile",
    "as",
    "as-uid",
    "as-groups",
    "as-user-extra",
    "username",
    "password",
    "auth-provider",
    "exec",
    "extensions",
  ],
  exec: [
    "apiVersion",
    "command",
    "args",
    "env",
    "installHint",
    "provideClusterInfo",
    "interactiveMode",
  ],
} as const;

/** The maximum number of keys of one entry that are warned about. */
const MAX_WARNINGS = 20;

/**
 * Warns about unknown keys of an entry. Without the warning, a misspelled `token` goes unnoticed until the server
 * rejects an anonymous user. The warnings contain no values, and no keys that may be values.
 */
export function warnOfUnknownKeys(
  entry: KubeconfigEntry,
  kind: keyof typeof KNOWN_KEYS,
  logger: Logger,
): void {
  warnOfKeysBeside(entry, KNOWN_KEYS[kind], logger);
}

/** Warns about the keys of an entry that are not in `known`. */
export function warnOfKeysBeside(
  entry: KubeconfigEntry,
  known: readonly string[],
  logger: Logger,
): void {
  let warned = 0;
  for (const key of entry.keys()) {
    if (known.includes(key)) continue;
    if (warned++ === MAX_WARNINGS) {
      logger.warn(`Ignoring more unknown keys of ${entry.source("the mapping")}`);
      return;
    }
    const isName = /^[\w.-]{1,40}$/.test(key) && isShown(key);
    const what = isName
      ? `the unknown key ${entry.source(`"${key}"`)}`
      : `an unknown key of ${entry.source(`${key.length} characters`)}`;
    logger.warn(`Ignoring ${what}: ${adviceFor(isName ? key : "", known)}`);
  }
}

function adviceFor(key: string, known: readonly string[]): string {
  for (const kind of ["cluster", "user", "context"] as const) {
    const keys: readonly string[] = KNOWN_KEYS[kind];
    if (keys.includes(key)) return `it belongs to a ${kind}`;
  }
  const meant = closestName(key, known);
  return meant === undefined ? `expected one of ${known.join(", ")}` : `did you mean "${meant}"?`;
}
