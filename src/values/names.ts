// Each check in this file returns the server's error messages for a string; an empty array if the string is valid.

const LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const QUALIFIED = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const LABEL_VALUE = `(${QUALIFIED})?`;
const DNS_1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";
const CONFIG_KEY = "[-._a-zA-Z0-9]+";
const C_IDENTIFIER = "[A-Za-z_][A-Za-z0-9_]*";

const SUBDOMAIN_PATTERN = new RegExp(`^${SUBDOMAIN}$`);
const LABEL_PATTERN = new RegExp(`^${LABEL}$`);
const QUALIFIED_PATTERN = new RegExp(`^${QUALIFIED}$`);
const LABEL_VALUE_PATTERN = new RegExp(`^${LABEL_VALUE}$`);
const DNS_1035_PATTERN = new RegExp(`^${DNS_1035}$`);
const CONFIG_KEY_PATTERN = new RegExp(`^${CONFIG_KEY}$`);
const C_IDENTIFIER_PATTERN = new RegExp(`^${C_IDENTIFIER}$`);

const ASCII = /^[\0-\x7f]*$/;

const encoder = new TextEncoder();

/** Returns the number of UTF-8 bytes of a string. The server limits names, labels and annotations in bytes. */
export function byteLength(text: string): number {
  return ASCII.test(text) ? text.length : encoder.encode(text).length;
}

function maxLength(text: string, limit: number, unit = "characters"): string[] {
  return byteLength(text) > limit ? [`must be no more than ${limit} ${unit}`] : [];
}

function pattern(what: string, expression: string, ...examples: string[]): string {
  const shown = examples.map((example) => `'${example}', `).join(" or ");
  return `${what} (e.g. ${shown}regex used for validation is '${expression}')`;
}

/**
 * Validates a DNS subdomain: a name that may contain dots, as most kinds require.
 *
 * @param unit The unit that the message about a long name mentions: characters by default; bytes for label keys.
 */
export function dnsSubdomain(text: string, unit?: string): string[] {
  const errors = maxLength(text, 253, unit);
  if (!SUBDOMAIN_PATTERN.test(text)) {
    errors.push(
      pattern(
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
        SUBDOMAIN,
        "example.com",
      ),
    );
  }
  return errors;
}

const SEARCH_LABEL = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const SEARCH = `${SEARCH_LABEL}(\\.${SEARCH_LABEL})*`;
const SEARCH_LABEL_PATTERN = /^_?[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$/;

/** Validates a domain in which names are looked up: a DNS subdomain that may have underscores. */
export function dnsSearchDomain(text: string): string[] {
  const errors = maxLength(text, 253);
  if (text.split(".").every((label) => SEARCH_LABEL_PATTERN.test(label))) return errors;
  errors.push(
    pattern(
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
      SEARCH,
      "example.com",
    ),
  );
  return errors;
}

/** Validates a DNS label: a name without dots, such as the name of a namespace or container. */
export function dnsLabel(text: string): string[] {
  const errors = maxLength(text, 63);
  if (LABEL_PATTERN.test(text)) return errors;
  errors.push(
    SUBDOMAIN_PATTERN.test(text) ? "must not contain dots" : pattern(
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
      LABEL,
      "my-name",
      "123-abc",
    ),
  );
  return errors;
}

/** Validates a DNS-1035 label: a name without dots that begins with a letter, such as the name of a Service. */
export function dns1035Label(text: string): string[] {
  const errors = maxLength(text, 63);
  if (!DNS_1035_PATTERN.test(text)) {
    errors.push(
      pattern(
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
        DNS_1035,
        "my-name",
        "abc-123",
      ),
    );
  }
  return errors;
}

/** Validates a name that must only fit into one segment of a URL path, such as the name of an RBAC object. */
export function pathSegmentName(text: string): string[] {
  if (text === "." || text === "..") return [`may not be '${text}'`];
  return ["/", "%"].filter((char) => text.includes(char)).map((char) =>
    `may not contain '${char}'`
  );
}

/** Validates a qualified name, `name` or `prefix/name`: a label key, an annotation key or a finalizer. */
export function qualifiedName(text: string): string[] {
  const parts = text.split("/");
  const shape = pattern(
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    QUALIFIED,
    "MyName",
    "my.name",
    "123-abc",
  );
  if (parts.length > 2) {
    return [
      `a valid label key ${shape} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const errors: string[] = [];
  if (parts.length === 2) {
    const prefix = parts[0]!;
    const wrong = prefix === "" ? ["must be non-empty"] : dnsSubdomain(prefix, "bytes");
    errors.push(...wrong.map((text) => `prefix part ${text}`));
  }
  const name = parts[parts.length - 1]!;
  if (name === "") errors.push("name part must be non-empty");
  errors.push(...maxLength(name, 63, "bytes").map((text) => `name part ${text}`));
  if (!QUALIFIED_PATTERN.test(name)) errors.push(`name part ${shape}`);
  return errors;
}

/** Validates the value of a label. */
export function labelValue(text: string): string[] {
  const errors = maxLength(text, 63, "bytes");
  if (!LABEL_VALUE_PATTERN.test(text)) {
    errors.push(
      pattern(
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
        LABEL_VALUE,
        "MyValue",
        "my_value",
        "12345",
      ),
    );
  }
  return errors;
}

/** Validates a key of a ConfigMap or Secret. */
export function configMapKey(text: string): string[] {
  const errors = maxLength(text, 253);
  if (!CONFIG_KEY_PATTERN.test(text)) {
    errors.push(
      pattern(
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
        CONFIG_KEY,
        "key.name",
        "KEY_NAME",
        "key-name",
      ),
    );
  }
  return errors.concat(changesDirectory(text));
}

/** Validates the name of an environment variable. */
export function envVarName(text: string): string[] {
  const errors = /^[ -<>-~]+$/.test(text) ? [] : [
    "a valid environment variable name must consist only of printable ASCII characters other than '='",
  ];
  return errors.concat(changesDirectory(text));
}

function changesDirectory(text: string): string[] {
  if (text === ".") return ["must not be '.'"];
  if (text === "..") return ["must not be '..'"];
  return text.startsWith("..") ? ["must not start with '..'"] : [];
}

/** Validates the number of a port. */
export function portNumber(port: number): string[] {
  return port >= 1 && port <= 65_535 ? [] : ["must be between 1 and 65535, inclusive"];
}

/** Validates an identifier of the language C, as the names of attributes of devices are. */
export function cIdentifier(text: string): string[] {
  if (C_IDENTIFIER_PATTERN.test(text)) return [];
  return [
    pattern(
      "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
      C_IDENTIFIER,
      "my_name",
      "MY_NAME",
      "MyName",
    ),
  ];
}

/** Validates the name of a port. */
export function portName(text: string): string[] {
  const errors = maxLength(text, 15);
  if (!/^[-a-z0-9]+$/.test(text)) {
    errors.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  }
  if (!/[a-z]/.test(text)) errors.push("must contain at least one letter (a-z)");
  if (text.includes("--")) errors.push("must not contain consecutive hyphens");
  if (text.startsWith("-") || text.endsWith("-")) {
    errors.push("must not begin or end with a hyphen");
  }
  return errors;
}

/**
 * Returns a `generateName` prefix in a form that can be validated as a name.
 *
 * A prefix may end in a dash, a name may not: the dash and the character before it are replaced by `a`.
 */
export function maskTrailingDash(text: string): string {
  return text.length > 1 && text.endsWith("-") ? `${text.slice(0, -2)}a` : text;
}
