import { visibleText } from "../../base/mod.ts";

/** The maximum length of a shown value, in characters. No name of Kubernetes and few paths are longer. */
const MAX_SHOWN_LENGTH = 300;

/** The signs of keys, certificates and tokens that are not as random as {@linkcode isRandom} wants. */
const SIGNS: readonly RegExp[] = [
  // PEM, also in base64, and whatever has several lines.
  /-----|LS0tLS|[\p{Cc}\u2028\u2029]/u,
  // The beginnings of a JWT, and of the tokens of some services.
  /(?:^|[^A-Za-z0-9])(?:eyJ|sha256~|ya29\.|gh[a-z]_|github_pat_|glpat-|xox[a-z]-|AKIA|k8s-aws-v1\.)/,
  // A bootstrap token.
  /(?:^|[^a-z0-9])[a-z0-9]{6}\.[a-z0-9]{16}(?:$|[^a-z0-9])/,
  // A password in front of a host.
  /:[^/@\s:]+@/,
  // "token=…" and "--password …".
  /(?:token|secret|passw(?:or)?d|bearer|api-?key)\s?[=:]\s?[^\s]/i,
  /(?:-(?:token|secret|passw(?:or)?d|api-?key)|bearer|basic)\s[^\s]/i,
];

/** The extensions of files that configurations refer to. A token does not end with one. */
const EXTENSION =
  /\.(?:cert?|cfg|conf|config|cr[lt]|csr|der|exe|json|jwt|key|kubeconfig|pem|pub|sh|txt|token|ya?ml)$/i;

/**
 * Reports whether `text` may be a key, a certificate, a token or a password, or contain one: that is what people put into
 * the wrong field.
 */
function looksSecret(text: string): boolean {
  return text.length > MAX_SHOWN_LENGTH || SIGNS.some((sign) => sign.test(text)) ||
    text.split(/[^A-Za-z0-9+]/).some(isRandom) || text.split(/[^\da-f-]/i).some(isUuid) ||
    text.split(/[^\w+-]/).some(isMixed);
}

/** Reports whether a run of hexadecimal digits and hyphens contains a UUID, which some servers take for a token. */
function isUuid(run: string): boolean {
  return run.split("-").map(({ length }) => length).join("-").includes("8-4-4-4-1");
}

/** Words without spaces, as in `clusterUser`, `JohnAppleseed`, `prodcluster2026`, `MyAKSCluster01`, `ClusterProdEU2`. */
const WORDS = /^[A-Za-z]?[a-z]*(?:[A-Z][a-z]{2,})*(?:[A-Z]{2,4}(?:[A-Z][a-z]{2,})*)?\d{0,8}$/;

/** A time, as tools write it into names: `20260101T101112Z`. */
const TIME = /^\d{8}T\d{4,6}Z?$/;

/** Reports whether a word is longer than the words of names, and mixes letters and digits as no name does. */
function isRandom(word: string): boolean {
  if (word.length >= 40) return true;
  const [lower, upper, digit] = [/[a-z]/.test(word), /[A-Z]/.test(word), /\d/.test(word)];
  const kinds = Number(lower) + Number(upper) + Number(digit);
  if (kinds < 2 || WORDS.test(word) || TIME.test(word)) return false;
  // Some systems name temporary folders by 16 hexadecimal digits.
  return word.length >= (kinds === 3 ? 12 : upper ? 16 : 20);
}

/**
 * Reports whether capitals, other letters and digits take turns as they do in base64, which may contain the separators of
 * names. A capital that begins a word does not count.
 */
function isMixed(run: string): boolean {
  if (run.length < 10 || !/[a-z]/.test(run) || !/[A-Z]/.test(run) || !/\d/.test(run)) return false;
  const turns = run.match(/[a-z](?=[A-Z\d])|[A-Z](?=\d)|\d(?=[A-Za-z])/g) ?? [];
  return turns.length >= run.length / 4;
}

/** Reports whether {@linkcode showText} shows `text`. */
export function isShown(text: string): boolean {
  return !looksSecret(text);
}

/** Returns `text` in quotes for an error message, or only its length if it may be a secret. */
export function showText(text: string): string {
  return looksSecret(text)
    ? `(${text.length} characters that are not shown, because they look like a secret)`
    : visibleText(JSON.stringify(text), Infinity);
}

/**
 * Returns `path` in quotes for an error message. What looks like a secret is left out: a token may be in the variable of a
 * path, or joined to the folder of a kubeconfig.
 */
export function showPath(path: string): string {
  if (!looksSecret(path) || isKnownFile(path)) return `"${visibleText(path, Infinity)}"`;
  const folder = plainFolder(path);
  return folder === ""
    ? showText(path)
    : `"${folder}…" (the rest is not shown, because it looks like a secret)`;
}

/**
 * Returns the path of a file that holds a credential, in quotes for an error message. A password may be where this path
 * belongs, so that a name such as `hunter2` is left out, too. Names of several words, or with a known extension, are shown.
 */
export function showCredentialPath(path: string): string {
  const { folder, name } = partsOf(path);
  const isWord = EXTENSION.test(name) || /[-_. ]/.test(name) || !/\d/.test(name) ||
    !/[A-Za-z]/.test(name);
  return isWord || looksSecret(path)
    ? showPath(path)
    : `"${folder}…" (the name is not shown, because it looks like a secret)`;
}

function partsOf(path: string): { readonly folder: string; readonly name: string } {
  const end = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1;
  return { folder: path.slice(0, end), name: path.slice(end) };
}

/** The beginning of an absolute path, or of one in the home or the current folder. */
const START = /^(?:~?[\\/]|\.{1,2}[\\/]|[A-Za-z]:[\\/])/;

/**
 * Reports whether a path is that of a kubeconfig, a token or a certificate below folders whose names may be random: build
 * servers, package managers and `mktemp` make such folders. A secret in place of a path has no such end.
 */
function isKnownFile(path: string): boolean {
  const { folder, name } = partsOf(path);
  return path.length <= MAX_SHOWN_LENGTH && START.test(path) &&
    (EXTENSION.test(name) || /^[\w.-]*config$|^token$/i.test(name)) && !looksSecret(name) &&
    !SIGNS.some((sign) => sign.test(path)) &&
    folder.split(/[\\/]/).every((part) => part.length <= 64);
}

/** Returns the folders at the beginning of an absolute path whose names are words; empty if there are none. */
function plainFolder(path: string): string {
  const start = START.exec(path)?.[0] ?? "";
  let end = start.length;
  for (const [part] of path.slice(start.length).matchAll(/[^\\/]*[\\/]/gy)) {
    if (!/^\.?[A-Za-z][a-z]{1,20}(?:[-_. ][A-Za-z][a-z]{0,20}){0,3}[\\/]$/.test(part)) break;
    end += part.length;
  }
  return end === start.length ? "" : path.slice(0, end);
}
