import {
  byteLength,
  cIdentifier,
  dnsLabel,
  dnsSubdomain,
  type FieldError,
  invalidValue,
  qualifiedName,
  tooLong,
} from "../../../values/mod.ts";

/** Returns the errors of a text that does not have the format, as in `k8s-short-name`; none for an unknown format. */
export function formatErrors(format: string, text: string, field: string): FieldError[] {
  const check = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  return check?.(text, field) ?? [];
}

type Check = (text: string, field: string) => FieldError[];

const FORMATS: Readonly<Record<string, Check>> = {
  "k8s-short-name": byReasons(dnsLabel),
  "k8s-long-name": byReasons(dnsSubdomain),
  "k8s-long-name-caseless": byReasons(caselessSubdomain),
  "k8s-label-key": byReasons(qualifiedName),
  "k8s-prefixed-label-key": byReasons(prefixedKey),
  "k8s-uuid": byReasons(uuid),
  "k8s-resource-pool-name": poolName,
  "k8s-extended-resource-name": byReasons(extendedName),
  "k8s-resource-fully-qualified-name": fullName,
};

function byReasons(reasons: (text: string) => string[]): Check {
  return (text, field) => reasons(text).map((reason) => invalidValue(field, text, reason));
}

function caselessSubdomain(text: string): string[] {
  // The message has the pattern for lower case letters all the same.
  return dnsSubdomain(text.toLowerCase()).map((reason) =>
    reason.replace(
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric",
      "an RFC 1123 subdomain must consist of alphanumeric",
    ).replace("'example.com'", "'Example.com'")
  );
}

function prefixedKey(text: string): string[] {
  return text.includes("/") ? qualifiedName(text) : [
    'a valid label key must be a domain-prefixed path (such as "acme.io/foo")',
    ...qualifiedName(text),
  ];
}

function uuid(text: string): string[] {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text)
    ? []
    : ["must be a lowercase UUID in 8-4-4-4-12 format"];
}

const MAX_POOL_NAME = 253;

function poolName(text: string, field: string): FieldError[] {
  const parts = text.split("/").flatMap((part, index) => {
    const reasons = part === "" ? ["must not be empty"] : dnsSubdomain(part);
    return reasons.map((reason) => invalidValue(field, text, `segment ${index}: ${reason}`));
  });
  return byteLength(text) > MAX_POOL_NAME ? [tooLong(field, MAX_POOL_NAME), ...parts] : parts;
}

function extendedName(text: string): string[] {
  const reasons: string[] = [];
  if (!text.includes("/")) {
    reasons.push("a name must be a domain-prefixed path, such as 'example.com/my-prop'");
  } else if (text.includes("kubernetes.io/")) reasons.push('must not have "kubernetes.io/" domain');
  if (text.startsWith("requests.")) reasons.push('must not have "requests." prefix');
  return [...reasons, ...qualifiedName(`requests.${text}`)];
}

const MAX_DOMAIN = 63;
const MAX_IDENTIFIER = 32;

function fullName(text: string, field: string): FieldError[] {
  const parts = text.split("/");
  const errors: FieldError[] = [];
  const refuse = (value: string, reason: string) => errors.push(invalidValue(field, value, reason));
  const [domain, name] = parts.length === 1 ? [undefined, parts[0]!] : [parts[0]!, parts[1]!];
  if (domain === "") refuse("", "prefix must not be empty");
  else if (domain !== undefined) {
    if (byteLength(domain) > MAX_DOMAIN) errors.push(tooLong(field, MAX_DOMAIN));
    for (const reason of dnsSubdomain(domain)) refuse(domain, `prefix: ${reason}`);
  }
  if (name === "" && domain !== undefined) refuse("", "name must not be empty");
  else {
    if (byteLength(name) > MAX_IDENTIFIER) errors.push(tooLong(field, MAX_IDENTIFIER));
    for (const reason of cIdentifier(name)) refuse(name, reason);
  }
  if (domain === undefined) {
    refuse(text, "a fully qualified name must be a domain and a name separated by a slash");
  }
  return errors;
}
