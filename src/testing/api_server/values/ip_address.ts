const PART = /^(?:0|[1-9][0-9]{0,2})$/;

/** What is said of a text that should be an IP address. */
export const NO_IP_ADDRESS = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";

/** The four numbers of an IPv4 address; undefined when it is none. */
export function ipv4Parts(text: string): number[] | undefined {
  const parts = text.split(".");
  const valid = parts.length === 4 && parts.every((part) => PART.test(part) && Number(part) < 256);
  return valid ? parts.map(Number) : undefined;
}

/** Whether `text` is an IP address of either family. */
export function isIpAddress(text: string): boolean {
  return ipv4Parts(text) !== undefined || (text.includes(":") && isIpv6(text));
}

function isIpv6(text: string): boolean {
  // A zone, as in fe80::1%eth0, is no part of an address.
  return !/[^0-9a-fA-F:.]/.test(text) && URL.canParse(`http://[${text}]/`);
}
