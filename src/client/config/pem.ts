/** A block of PEM text, such as a certificate or a key. */
export interface PemBlock {
  /** The words after BEGIN, such as `CERTIFICATE`. */
  readonly label: string;
  /** The block as PEM text, without headers and spaces. */
  readonly text: string;
  /** Whether the block is an encrypted key in OpenSSL's own format. */
  readonly isEncrypted: boolean;
}

/** The length of a line of base64, as in RFC 7468. */
const LINE_LENGTH = 64;

/**
 * Returns the blocks in PEM text. A file may contain several, and other text around them: the kubelet writes its certificate
 * and its key into one file, and OpenSSL writes the subject before each certificate.
 */
export function pemBlocks(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  let label: string | undefined;
  let body = "";
  let isEncrypted = false;
  for (const line of text.split("\n")) {
    const trimmed = line.trim();
    const begun = between(trimmed, "-----BEGIN ", "-----");
    if (begun !== undefined) {
      label = begun;
      body = "";
      isEncrypted = false;
    } else if (label === undefined) {
      continue;
    } else if (between(trimmed, "-----END ", "-----") === label) {
      blocks.push({ label, text: blockOf(label, body), isEncrypted });
      label = undefined;
    } else if (trimmed.includes(":")) {
      // A header. The only one in use says that a key is encrypted.
      isEncrypted ||= trimmed.includes("ENCRYPTED");
    } else {
      body += trimmed;
    }
  }
  return blocks;
}

/** Reports whether a block is a private key, encrypted or not. */
export function isPrivateKey({ label }: PemBlock): boolean {
  return label === "PRIVATE KEY" || label.endsWith(" PRIVATE KEY");
}

/** Reports whether a block is a certificate, perhaps with the uses for which OpenSSL trusts it. */
export function isCertificate({ label }: PemBlock): boolean {
  return label === "CERTIFICATE" || label === "TRUSTED CERTIFICATE";
}

function between(line: string, start: string, end: string): string | undefined {
  return line.startsWith(start) && line.endsWith(end) && line.length >= start.length + end.length
    ? line.slice(start.length, -end.length)
    : undefined;
}

function blockOf(label: string, body: string): string {
  const lines: string[] = [];
  for (let at = 0; at < body.length; at += LINE_LENGTH) {
    lines.push(body.slice(at, at + LINE_LENGTH));
  }
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}
