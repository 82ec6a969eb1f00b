const MAX_PATH_LENGTH = 255;
const MAX_TAG_LENGTH = 128;
/** The prefix of a path without a slash. */
const OFFICIAL = "library/";
const HOST_PART = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?$/;
const IPV6 = /^\[[a-fA-F0-9:]+\]$/;
const PORT = /:[0-9]+$/;
const PATH_PART = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
const TAG = /^[a-zA-Z0-9_][a-zA-Z0-9_.-]*$/;
const IDENTIFIER = /^[a-f0-9]{64}$/;
const HEX = /^[a-f0-9]+$/;
/** The number of hexadecimal digits of a digest. */
const DIGEST_LENGTHS: ReadonlyMap<string, number> = new Map([
  ["sha256", 64],
  ["sha384", 96],
  ["sha512", 128],
]);

/**
 * Returns the tag of an image: `latest` if the image has neither a tag nor a digest, and the empty string if it has
 * only a digest or is not a reference to an image. The grammar is that of https://github.com/distribution/reference.
 */
export function imageTag(image: string): string {
  const [named = "", digest, ...more] = image.split("@");
  const colon = named.indexOf(":", named.lastIndexOf("/") + 1);
  const tag = colon < 0 ? undefined : named.slice(colon + 1);
  const isReference = isRepository(colon < 0 ? named : named.slice(0, colon)) &&
    (tag === undefined || TAG.test(tag) && tag.length <= MAX_TAG_LENGTH) &&
    (digest === undefined || isDigest(digest)) && more.length === 0 && !IDENTIFIER.test(image);
  if (!isReference) return "";
  return tag ?? (digest === undefined ? "latest" : "");
}

function isRepository(repository: string): boolean {
  const slash = repository.indexOf("/");
  const first = repository.slice(0, Math.max(slash, 0));
  const hasHost = /[.:A-Z]/.test(first) || first === "localhost";
  const path = hasHost ? repository.slice(slash + 1) : repository;
  const length = slash < 0 ? OFFICIAL.length + path.length : path.length;
  return (!hasHost || isHost(first.replace(PORT, ""))) && length <= MAX_PATH_LENGTH &&
    path.split("/").every((part) => PATH_PART.test(part));
}

function isHost(name: string): boolean {
  return IPV6.test(name) || name.split(".").every((part) => HOST_PART.test(part));
}

function isDigest(text: string): boolean {
  const [algorithm = "", hex = "", ...more] = text.split(":");
  return DIGEST_LENGTHS.get(algorithm) === hex.length && HEX.test(hex) && more.length === 0;
}
