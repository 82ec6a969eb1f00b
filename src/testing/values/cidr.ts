import { ipv4Parts, isIpAddress, withoutLeadingZeros } from "@kubeloop/controller/internal/values";

/** The error message for a string that is not a block of IP addresses. */
export const NO_CIDR = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

/** A block of IP addresses, as in `10.0.0.0/8`. */
export interface Cidr {
  /** The address before the slash, as a number. */
  readonly address: bigint;
  /** The number of bits that all addresses of the block share. */
  readonly prefix: number;
  /** The number of bits of an address: 32 or 128. */
  readonly bits: 32 | 128;
}

/** Parses a block of IP addresses; undefined if the text is none. */
export function parseCidr(text: string): Cidr | undefined {
  const [ip = "", length = "", ...rest] = text.split("/");
  const address = ipNumber(ip);
  if (rest.length > 0 || address === undefined || !/^[0-9]{1,3}$/.test(length)) return undefined;
  const bits = ip.includes(":") ? 128 : 32;
  const prefix = Number(length);
  return prefix > bits ? undefined : { address, prefix, bits };
}

/** Parses a block as old fields of the API accept it: the numbers of an IPv4 address may have leading zeros. */
export function parseLegacyCidr(text: string): Cidr | undefined {
  const [ip = "", ...rest] = text.split("/");
  return parseCidr([withoutLeadingZeros(ip), ...rest].join("/"));
}

/** Returns the first address of a block, as a number. */
export function firstAddress({ address, prefix, bits }: Cidr): bigint {
  const rest = BigInt(bits - prefix);
  return (address >> rest) << rest;
}

/** Reports whether a block lies in another and is smaller. */
export function isInside(inner: Cidr, outer: Cidr): boolean {
  if (inner.bits !== outer.bits || inner.prefix <= outer.prefix) return false;
  return firstAddress({ ...inner, prefix: outer.prefix }) === firstAddress(outer);
}

/** Returns an IP address as a number; undefined if the text is none. */
export function ipNumber(text: string): bigint | undefined {
  const parts = ipv4Parts(text);
  if (parts !== undefined) return parts.reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);
  if (!isIpAddress(text)) return undefined;
  return ipv6Groups(text).reduce((sum, group) => (sum << 16n) | BigInt(group), 0n);
}

/** Returns an IP address in its canonical form; undefined if the text is none. */
export function canonicalIp(text: string): string | undefined {
  if (ipv4Parts(text) !== undefined) return text;
  return isIpAddress(text) ? new URL(`http://[${text}]/`).hostname.slice(1, -1) : undefined;
}

/** Returns the eight groups of an IPv6 address. */
function ipv6Groups(text: string): number[] {
  const [head = "", tail] = canonicalIp(text)!.split("::");
  const numbers = (part: string) =>
    part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16));
  const left = numbers(head);
  const right = numbers(tail ?? "");
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}

/** Returns an address that {@linkcode ipNumber} returned as text. */
export function ipText(address: bigint, bits: 32 | 128): string {
  const width = bits === 32 ? 8 : 16;
  const parts: string[] = [];
  for (let shift = bits - width; shift >= 0; shift -= width) {
    const part = (address >> BigInt(shift)) & BigInt((1 << width) - 1);
    parts.push(bits === 32 ? String(part) : part.toString(16));
  }
  return bits === 32 ? parts.join(".") : canonicalIp(parts.join(":"))!;
}
