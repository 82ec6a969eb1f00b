import { describeValue, visibleText } from "../../base/mod.ts";

/** The maximum length of a shown value, in characters. No name of Kubernetes and few paths are longer. */
const MAX_SHOWN_LENGTH = 300;

/** Text that is or contains a credential. */
const CREDENTIALS: readonly RegExp[] = [
  // PEM, also in base64, and all text of several lines.
  /-----|LS0tLS|[\p{Cc}\u2028\u2029]/u,
  // The beginnings of a JWT, and of the tokens of some services.
  /(?:^|[^A-Za-z0-9])(?:eyJ|sha256~|ya29\.|gh[a-z]_|github_pat_|glpat-|xox[a-z]-|AKIA|k8s-aws-v1\.)/,
  // A bootstrap token.
  /(?:^|[^a-z0-9])[a-z0-9]{6}\.[a-z0-9]{16}(?:$|[^a-z0-9])/,
  // A password in front of a host.
  /:[^/@\s:]+@/,
  // "token=…", "client-key-data: …", "--password …", "Bearer …".
  /(?:token|secret|passw(?:or)?d|bearer|api-?key|key-data)\s?[=:]\s?[^\s]/i,
  /(?:-(?:token|secret|passw(?:or)?d|api-?key)|bearer|basic)\s[^\s]/i,
];

const UUID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/i;

const WORD = /[a-z\d+]+/gi;

/** The minimum length of a word with a digit that may be random. Words of names are shorter. */
const RANDOM_LENGTH = 24;

/** The name of a kubeconfig, token, key or certificate file. Its folders may have random names. */
const FILE = /(?:^|[\\/])[\w.-]*(?:config|token|\.(?:cer|crt|json|key|pem|txt|ya?ml))$/i;

/** Reports whether {@linkcode showText} shows `text`: it is short, and no credential is in it. */
export function isShown(text: string): boolean {
  return isPlain(text) && !UUID.test(text) &&
    !text.match(WORD)?.some((word) => word.length >= RANDOM_LENGTH && /\d/.test(word));
}

function isPlain(text: string): boolean {
  return text.length <= MAX_SHOWN_LENGTH && !CREDENTIALS.some((sign) => sign.test(text));
}

/** Returns `text` in quotes for an error message, or only its length if it may be a credential in the wrong field. */
export function showText(text: string): string {
  return isShown(text)
    ? visibleText(JSON.stringify(text), Infinity)
    : `(${text.length} characters that are not shown, because they look like a secret)`;
}

/** Describes `value` like {@linkcode describeValue}, but shows strings as {@linkcode showText} does. */
export function showValue(value: unknown): string {
  return typeof value === "string" ? showText(value) : describeValue(value);
}

/** Returns `path` in quotes for an error message, or only its length if it may be a credential. */
export function showPath(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  return isShown(path) || isPlain(path) && FILE.test(path) && isShown(name)
    ? `"${visibleText(path, Infinity)}"`
    : showText(path);
}
