const PART = /^(?:0|[1-9][0-9]{0,2})$/;

/** The error message for a string that is not an IP address. */
export const NO_IP_ADDRESS = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";

/** Returns the four numbers of an IPv4 address; undefined if `text` is not an IPv4 address. */
export function ipv4Parts(text: string): number[] | undefined {
  const parts = text.split(".");
  const valid = parts.length === 4 && parts.every((part) => PART.test(part) && Number(part) < 256);
  return valid ? parts.map(Number) : undefined;
}

/** Reports whether `text` is an IPv4 or IPv6 address. */
export function isIpAddress(text: string): boolean {
  return ipv4Parts(text) !== undefined || (text.includes(":") && isIpv6(text));
}

/**
 * Reports whether `text` is an IP address as old fields of the API accept it: the numbers of an IPv4 address may have
 * leading zeros.
 */
export function isLegacyIpAddress(text: string): boolean {
  return isIpAddress(withoutLeadingZeros(text));
}

/** Returns the text of an IPv4 address without leading zeros of its numbers, and any other text unchanged. */
export function withoutLeadingZeros(text: string): string {
  if (text.includes(":")) return text;
  return text.split(".").map((part) => /^0+$/.test(part) ? "0" : part.replace(/^0+/, "")).join(".");
}

function isIpv6(text: string): boolean {
  // An address with a zone, such as fe80::1%eth0, is not valid.
  return !/[^0-9a-fA-F:.]/.test(text) && URL.canParse(`http://[${text}]/`);
}
