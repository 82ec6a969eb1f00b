import { bits, der, objectId, pem, sequence, unsigned, utcTime, utf8 } from "./der.ts";

const HOUR_MS = 3_600_000;

/** The validity of a certificate: one year, longer than any throw-away cluster runs. */
const VALID_MS = 365 * 24 * HOUR_MS;

const ECDSA_WITH_SHA256 = sequence(objectId("1.2.840.10045.4.3.2"));

const encoder = new TextEncoder();

/** A certificate and its private key, as PEM. */
export interface SelfSigned {
  /** The certificate. A client that trusts it needs no other certificate. */
  readonly cert: string;
  /** The private key. */
  readonly key: string;
}

/** Creates a self-signed certificate for a server on this machine that is also called by the names `hosts`. */
export async function selfSigned(hosts: readonly string[], nowMs: number): Promise<SelfSigned> {
  const { publicKey, privateKey } = await crypto.subtle.generateKey(
    { name: "ECDSA", namedCurve: "P-256" },
    true,
    ["sign", "verify"],
  );
  const spki = new Uint8Array(await crypto.subtle.exportKey("spki", publicKey));
  const name = sequence(der(0x31, sequence(objectId("2.5.4.3"), utf8("kubeloop"))));
  const body = sequence(
    der(0xa0, der(0x02, Uint8Array.of(2))),
    unsigned(crypto.getRandomValues(new Uint8Array(16))),
    ECDSA_WITH_SHA256,
    name,
    // Valid from one hour ago, for clients whose clock is slow.
    sequence(utcTime(nowMs - HOUR_MS), utcTime(nowMs + VALID_MS)),
    name,
    spki,
    der(0xa3, sequence(...extensions(hosts))),
  );
  const signature = new Uint8Array(
    await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, privateKey, bytesOf(body)),
  );
  const half = signature.length / 2;
  const signed = sequence(
    body,
    ECDSA_WITH_SHA256,
    bits(sequence(unsigned(signature.subarray(0, half)), unsigned(signature.subarray(half)))),
  );
  const key = new Uint8Array(await crypto.subtle.exportKey("pkcs8", privateKey));
  return { cert: pem("CERTIFICATE", signed), key: pem("PRIVATE KEY", key) };
}

/** The extensions. The certificate is not a CA, because some clients reject a CA as a server certificate. */
function extensions(hosts: readonly string[]): Uint8Array[] {
  const octets = (value: Uint8Array) => der(0x04, value);
  const serverAuth = sequence(objectId("1.3.6.1.5.5.7.3.1"));
  return [
    sequence(objectId("2.5.29.37"), octets(serverAuth)),
    sequence(objectId("2.5.29.17"), octets(sequence(...alternativeNames(hosts)))),
  ];
}

function alternativeNames(hosts: readonly string[]): Uint8Array[] {
  const plain = hosts.map((host) => host.replace(/^\[(.*)\]$/, "$1"));
  const names = new Set(["localhost", "127.0.0.1", "::1", ...plain]);
  return [...names].map((name) => {
    if (/^[0-9]+(\.[0-9]+){3}$/.test(name)) {
      return der(0x87, Uint8Array.from(name.split(".").map(Number)));
    }
    return name.includes(":") ? der(0x87, ipv6(name)) : der(0x82, encoder.encode(name));
  });
}

/** Returns the 16 bytes of an IPv6 address; `::` stands for the missing zeros. */
function ipv6(address: string): Uint8Array {
  const [head = "", tail] = address.split("::");
  const groups = (text: string) =>
    text === "" ? [] : text.split(":").map((one) => parseInt(one, 16));
  const left = groups(head);
  const right = groups(tail ?? "");
  const zeros = new Array<number>(Math.max(0, 8 - left.length - right.length)).fill(0);
  return Uint8Array.from(
    [...left, ...zeros, ...right].flatMap((group) => [group >> 8, group & 0xff]),
  );
}

/** Copies the bytes into an ArrayBuffer of their own, the type that Web Crypto accepts. */
function bytesOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
