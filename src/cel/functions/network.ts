import { ipv4Parts, quote } from "../../values/mod.ts";
import { CIDR, IP } from "../types/mod.ts";
import { CelError, type Opaque } from "../values/mod.ts";
import { define, type Overload } from "./overload.ts";

/** An IP address. */
class IpValue implements Opaque {
  readonly opaque = IP;
  readonly bytes: readonly number[];

  constructor(bytes: readonly number[]) {
    this.bytes = bytes;
  }

  get size(): number {
    return this.bytes.length;
  }

  equals(other: Opaque): boolean {
    return other instanceof IpValue && String(this) === String(other);
  }

  toString(): string {
    return this.bytes.length === 4 ? this.bytes.join(".") : showIpv6(this.bytes);
  }
}

/** A network. */
class CidrValue implements Opaque {
  readonly opaque = CIDR;
  readonly address: IpValue;
  readonly bits: number;

  constructor(address: IpValue, bits: number) {
    this.address = address;
    this.bits = bits;
  }

  get size(): number {
    return this.address.size;
  }

  equals(other: Opaque): boolean {
    return other instanceof CidrValue && String(this) === String(other);
  }

  toString(): string {
    return `${this.address}/${this.bits}`;
  }

  masked(): CidrValue {
    const bytes = this.address.bytes.map((byte, index) => {
      const kept = Math.min(8, Math.max(0, this.bits - index * 8));
      return byte & (0xff << (8 - kept)) & 0xff;
    });
    return new CidrValue(new IpValue(bytes), this.bits);
  }

  contains(ip: IpValue): boolean {
    return ip.size === this.size &&
      new CidrValue(ip, this.bits).masked().address.equals(this.masked().address);
  }
}

function showIpv6(bytes: readonly number[]): string {
  const groups = Array.from({ length: 8 }, (_, at) => (bytes[at * 2]! << 8) | bytes[at * 2 + 1]!);
  let best = { start: -1, size: 1 };
  for (let start = 0; start < 8; start++) {
    let size = 0;
    while (start + size < 8 && groups[start + size] === 0) size++;
    if (size > best.size) best = { start, size };
  }
  const hex = (part: readonly number[]) => part.map((group) => group.toString(16)).join(":");
  if (best.start < 0) return hex(groups);
  return `${hex(groups.slice(0, best.start))}::${hex(groups.slice(best.start + best.size))}`;
}

function ipv6Bytes(text: string): number[] | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const bytes = halves.map((half, index) => groupBytes(half, index === halves.length - 1));
  const [head, tail] = bytes;
  if (head === undefined || (halves.length === 2 && tail === undefined)) return undefined;
  if (halves.length === 1) return head.length === 16 ? head : undefined;
  const missing = 16 - head.length - tail!.length;
  return missing < 2 ? undefined : [...head, ...new Array<number>(missing).fill(0), ...tail!];
}

function groupBytes(text: string, last: boolean): number[] | undefined {
  if (text === "") return [];
  const groups = text.split(":");
  const bytes: number[] = [];
  for (const [index, group] of groups.entries()) {
    const ipv4 = last && index === groups.length - 1 ? ipv4Parts(group) : undefined;
    if (ipv4 !== undefined) bytes.push(...ipv4);
    else if (/^[0-9a-fA-F]{1,4}$/.test(group)) {
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 255);
    } else return undefined;
  }
  return bytes;
}

/** Parses an address; returns the address or the error. */
function parseAddress(text: string): IpValue | string {
  const bytes = text.includes(":") ? ipv6Bytes(text) : ipv4Parts(text);
  return bytes === undefined ? `ParseAddr(${quote(text)}): unable to parse IP` : new IpValue(bytes);
}

function isMapped({ bytes }: IpValue): boolean {
  return bytes.length === 16 && bytes.slice(0, 10).every((byte) => byte === 0) &&
    bytes[10] === 255 && bytes[11] === 255;
}

/** Parses an address; returns the address or the error. */
function readIp(text: string): IpValue | string {
  const zone = text.indexOf("%");
  const found = parseAddress(zone > 0 && text.includes(":") ? text.slice(0, zone) : text);
  if (typeof found === "string") {
    return `IP Address ${quote(text)} parse error during conversion from string: ${found}`;
  }
  if (zone > 0) return `IP address ${quote(text)} with zone value is not allowed`;
  return isMapped(found) ? `IPv4-mapped IPv6 address ${quote(text)} is not allowed` : found;
}

/** Parses a network; returns the network or the error. */
function readCidr(text: string): CidrValue | string {
  const wrong = (why: string) =>
    `network address parse error during conversion from string: netip.ParsePrefix(${
      quote(text)
    }): ${why}`;
  const slash = text.lastIndexOf("/");
  if (slash < 0) return wrong("no '/'");
  const address = parseAddress(text.slice(0, slash));
  if (typeof address === "string") return wrong(address);
  const bits = text.slice(slash + 1);
  if (!/^(0|[1-9]\d*)$/.test(bits)) return wrong(`bad bits after slash: ${quote(bits)}`);
  if (Number(bits) > address.size * 8) return wrong("prefix length out of range");
  if (isMapped(address)) return `IPv4-mapped IPv6 address ${quote(text)} is not allowed`;
  return new CidrValue(address, Number(bits));
}

function toIp(text: string): IpValue {
  const found = readIp(text);
  if (typeof found === "string") throw new CelError(found);
  return found;
}

function toCidr(text: string): CidrValue {
  const found = readCidr(text);
  if (typeof found !== "string") return found;
  throw new CelError(`network address parse error during conversion from string: ${found}`);
}

const isUnspecified = ({ bytes }: IpValue) => bytes.every((byte) => byte === 0);
const isLoopback = ({ bytes }: IpValue) =>
  bytes.length === 4
    ? bytes[0] === 127
    : bytes[15] === 1 && bytes.slice(0, 15).every((byte) => byte === 0);
const isLinkLocal = ({ bytes }: IpValue) =>
  bytes.length === 4
    ? bytes[0] === 169 && bytes[1] === 254
    : bytes[0] === 0xfe && (bytes[1]! & 0xc0) === 0x80;
const isMulticast = ({ bytes }: IpValue) =>
  bytes.length === 4 ? (bytes[0]! & 0xf0) === 0xe0 : bytes[0] === 0xff;
const isLinkLocalMulticast = ({ bytes }: IpValue) =>
  bytes.length === 4
    ? bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0
    : bytes[0] === 0xff && (bytes[1]! & 0x0f) === 2;
const isGlobal = (ip: IpValue) =>
  String(ip) !== "255.255.255.255" && !isUnspecified(ip) && !isLoopback(ip) &&
  !isMulticast(ip) && !isLinkLocal(ip);

function containsCidr(outer: CidrValue, inner: CidrValue): boolean {
  return outer.bits <= inner.bits && outer.contains(inner.address);
}

/** The functions of IP addresses and networks. */
export const NETWORKS: readonly Overload[] = [
  define("ip", "string_to_ip", "string -> IP", toIp),
  define("family", "ip_family", "IP. -> int", (ip: IpValue) => ip.size === 4 ? 4n : 6n),
  define(
    "ip.isCanonical",
    "ip_is_canonical",
    "string -> bool",
    (text: string) => String(toIp(text)) === text,
  ),
  define("isUnspecified", "ip_is_unspecified", "IP. -> bool", isUnspecified),
  define("isLoopback", "ip_is_loopback", "IP. -> bool", isLoopback),
  define(
    "isLinkLocalMulticast",
    "ip_is_link_local_multicast",
    "IP. -> bool",
    isLinkLocalMulticast,
  ),
  define("isLinkLocalUnicast", "ip_is_link_local_unicast", "IP. -> bool", isLinkLocal),
  define("isGlobalUnicast", "ip_is_global_unicast", "IP. -> bool", isGlobal),
  define("isIP", "is_ip", "string -> bool", (text: string) => typeof readIp(text) !== "string"),
  define("string", "ip_to_string", "IP -> string", String),
  define("cidr", "string_to_cidr", "string -> CIDR", toCidr),
  define(
    "containsIP",
    "cidr_contains_ip_string",
    "CIDR.string -> bool",
    (cidr: CidrValue, text: string) => cidr.contains(toIp(text)),
  ),
  define(
    "containsIP",
    "cidr_contains_ip_ip",
    "CIDR.IP -> bool",
    (cidr: CidrValue, ip: IpValue) => cidr.contains(ip),
  ),
  define(
    "containsCIDR",
    "cidr_contains_cidr_string",
    "CIDR.string -> bool",
    (cidr: CidrValue, text: string) => containsCidr(cidr, toCidr(text)),
  ),
  define("containsCIDR", "cidr_contains_cidr", "CIDR.CIDR -> bool", containsCidr),
  define("ip", "cidr_ip", "CIDR. -> IP", ({ address }: CidrValue) => address),
  define(
    "prefixLength",
    "cidr_prefix_length",
    "CIDR. -> int",
    ({ bits }: CidrValue) => BigInt(bits),
  ),
  define("masked", "cidr_masked", "CIDR. -> CIDR", (cidr: CidrValue) => cidr.masked()),
  define(
    "isCIDR",
    "is_cidr",
    "string -> bool",
    (text: string) => typeof readCidr(text) !== "string",
  ),
  define("string", "cidr_to_string", "CIDR -> string", String),
];
