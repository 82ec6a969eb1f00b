import { bits, der, objectId, pem, sequence, unsigned, utcTime, utf8 } from "./der.ts";

const HOUR_MS = 3_600_000;

/** A year is more than any throw-away cluster lives. */
const VALID_MS = 365 * 24 * HOUR_MS;

const ECDSA_WITH_SHA256 = sequence(objectId("1.2.840.10045.4.3.2"));

const encoder = new TextEncoder();

/** A certificate and its key, PEM. */
export interface SelfSigned {
  /** The certificate; those who trust it need no other. */
  readonly cert: string;
  /** The private key. */
  readonly key: string;
}

/** Makes a certificate for a server on this machine that is reached as `hostname`. */
export async function selfSigned(hostname: string, nowMs: number): Promise<SelfSigned> {
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
    // An hour's grace for clocks that are late.
    sequence(utcTime(nowMs - HOUR_MS), utcTime(nowMs + VALID_MS)),
    name,
    spki,
    der(0xa3, sequence(...extensions(hostname))),
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

/** It is no authority: some clients refuse those as servers. */
function extensions(hostname: string): Uint8Array[] {
  const octets = (value: Uint8Array) => der(0x04, value);
  const serverAuth = sequence(objectId("1.3.6.1.5.5.7.3.1"));
  return [
    sequence(objectId("2.5.29.37"), octets(serverAuth)),
    sequence(objectId("2.5.29.17"), octets(sequence(...alternativeNames(hostname)))),
  ];
}

function alternativeNames(hostname: string): Uint8Array[] {
  const names = new Set(["localhost", "127.0.0.1", "::1", hostname]);
  return [...names].map((name) => {
    if (/^[0-9]+(\.[0-9]+){3}$/.test(name)) {
      return der(0x87, Uint8Array.from(name.split(".").map(Number)));
    }
    return name.includes(":") ? der(0x87, ipv6(name)) : der(0x82, encoder.encode(name));
  });
}

/** The sixteen bytes of an address; `::` stands for as many zeros as are missing. */
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

/** A copy in a buffer of its own, which is what Web Crypto takes. */
function bytesOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
