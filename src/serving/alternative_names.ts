import { der } from "./der.ts";

const encoder = new TextEncoder();

/**
 * Encodes host names and IP addresses as the alternative names of a certificate.
 *
 * @param hosts The names and addresses. IPv6 addresses may be in brackets.
 * @throws {TypeError} If one of them is neither.
 */
export function alternativeNames(hosts: readonly string[]): Uint8Array[] {
  const plain = hosts.map((host) => host.replace(/^\[(.*)\]$/, "$1"));
  return [...new Set(plain)].map((name) => {
    if (/^[0-9]+(\.[0-9]+){3}$/.test(name)) {
      return der(0x87, Uint8Array.from(name.split(".").map(Number)));
    }
    if (name.includes(":")) return der(0x87, ipv6(name));
    if (/^[*A-Za-z0-9_][-.A-Za-z0-9_]*$/.test(name)) return der(0x82, encoder.encode(name));
    throw new TypeError(
      `Cannot certify ${JSON.stringify(name)}: expected a host name or an IP address`,
    );
  });
}

/** Returns the 16 bytes of an IPv6 address; `::` abbreviates zeros. */
function ipv6(address: string): Uint8Array {
  const [head, tail] = address.split("::");
  const groups = (text: string) =>
    text === "" ? [] : text.split(":").map((one) => parseInt(one, 16));
  const left = groups(head!);
  const right = groups(tail ?? "");
  const zeros = new Array<number>(Math.max(0, 8 - left.length - right.length)).fill(0);
  return Uint8Array.from(
    [...left, ...zeros, ...right].flatMap((group) => [group >> 8, group & 0xff]),
  );
}
