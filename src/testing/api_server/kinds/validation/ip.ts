import { canonicalIp, ipNumber, isInside, isLegacyIpAddress, parseCidr } from "../../values/mod.ts";

/** The blocks in which the address of an endpoint may not be, and how errors call them. */
const RESERVED: readonly (readonly [text: string, blocks: readonly string[]])[] = [
  ["may not be in the loopback range (127.0.0.0/8, ::1/128)", ["127.0.0.0/8", "::1/128"]],
  ["may not be in the link-local range (169.254.0.0/16, fe80::/10)", [
    "169.254.0.0/16",
    "fe80::/10",
  ]],
  ["may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)", [
    "224.0.0.0/24",
    "ff02::/16",
  ]],
];

/** Returns why an address cannot be that of an endpoint. */
export function endpointIpErrors(address: string): string[] {
  const plain = withoutZeros(address);
  const number = ipNumber(plain);
  if (number === undefined) return [];
  const bits = plain.includes(":") ? 128 : 32;
  const errors = number === 0n ? [`may not be unspecified (${plain})`] : [];
  const one = { address: number, prefix: bits, bits } as const;
  for (const [text, blocks] of RESERVED) {
    const inside = blocks.some((block) => {
      const cidr = parseCidr(block)!;
      return cidr.bits === bits &&
        (cidr.prefix === bits ? cidr.address === number : isInside(one, cidr));
    });
    if (inside) errors.push(text);
  }
  return errors;
}

/** Returns an IPv4 address without leading zeros. */
function withoutZeros(address: string): string {
  if (address.includes(":")) return address;
  return address.split(".").map((part) => String(Number(part))).join(".");
}

/** Returns the warning for an IP address that a later version will refuse. */
export function legacyIpWarnings(address: string, field: string): string[] {
  const plain = withoutZeros(address);
  if (!isLegacyIpAddress(address)) return [];
  if (address !== plain) {
    const use = `use "${plain}"`;
    return [
      `${field}: non-standard IP address "${address}" will be considered invalid in a future Kubernetes release: ${use}`,
    ];
  }
  const canonical = canonicalIp(address);
  if (canonical === undefined || canonical === address) return [];
  return [
    `${field}: IPv6 address "${address}" should be in RFC 5952 canonical format ("${canonical}")`,
  ];
}
