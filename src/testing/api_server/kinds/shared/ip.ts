import {
  canonicalIp,
  firstAddress,
  getString,
  ipNumber,
  ipText,
  isInside,
  isLegacyIpAddress,
  item,
  type JsonObject,
  parseCidr,
  parseLegacyCidr,
  withoutLeadingZeros,
} from "../../../values/mod.ts";
import { objects } from "./objects.ts";

/** The blocks that must not contain the address of an endpoint, with their names in errors. */
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
  const plain = withoutLeadingZeros(address);
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

/** Returns the warning for an IP address that a later version will refuse. */
export function legacyIpWarnings(address: string, field: string): string[] {
  const plain = withoutLeadingZeros(address);
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

/** Returns the warnings for a block of addresses that a later version will refuse, or whose text is misleading. */
export function legacyCidrWarnings(text: string, field: string): string[] {
  const cidr = parseLegacyCidr(text);
  if (cidr === undefined) return [];
  const { prefix, bits } = cidr;
  const network = `${ipText(firstAddress(cidr), bits)}/${prefix}`;
  const address = ipText(cidr.address, bits);
  const warnings: string[] = [];
  if (firstAddress(cidr) !== cidr.address) {
    const should = `(should be "${network}" or "${address}/${bits}"?)`;
    warnings.push(`${field}: CIDR value "${text}" is ambiguous in this context ${should}`);
  }
  if (!isStandard(text)) {
    warnings.push(
      `${field}: non-standard CIDR value "${text}" will be considered invalid in a future Kubernetes release: use "${network}"`,
    );
  }
  if (warnings.length > 0 || bits === 32 || text === network) return warnings;
  return [
    `${field}: IPv6 CIDR value "${text}" should be in RFC 5952 canonical format ("${network}")`,
  ];
}

/** Reports whether no number of a block of addresses has leading zeros that are not allowed. */
function isStandard(text: string): boolean {
  return parseCidr(text) !== undefined && !/\/0[0-9]/.test(text);
}

/** Returns the warnings for the addresses in the status of a Service or an Ingress. */
export function balancerIpWarnings(object: JsonObject): string[] {
  return objects(object, "status", "loadBalancer", "ingress").flatMap((one, index) =>
    legacyIpWarnings(getString(one, "ip"), item("status.loadBalancer.ingress", index))
  );
}
