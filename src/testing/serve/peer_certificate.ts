import { formatTime } from "@kubeloop/controller/types";
import { isIP } from "node:net";
import { connect } from "node:tls";

/** The parts of a server's certificate that Go checks before it looks for the authority. */
export interface PeerCertificate {
  /** The names, as in `DNS:a.example, IP Address:10.0.0.1`; absent without names. */
  readonly subjectaltname?: string | undefined;
  readonly valid_from: string;
  readonly valid_to: string;
}

const UNKNOWN = "certificate signed by unknown authority";

/** How long the server may take to show its certificate, in milliseconds. */
const TIMEOUT_MS = 2_000;

/** Returns the certificate of a server, without trusting it; undefined if it shows none. */
export function peerCertificate({ hostname, port }: URL): Promise<PeerCertificate | undefined> {
  const { promise, resolve } = Promise.withResolvers<PeerCertificate | undefined>();
  const host = withoutBrackets(hostname);
  const servername = isIP(host) === 0 ? host : "";
  const socket = connect(
    { host, port: Number(port || 443), servername, rejectUnauthorized: false },
    () => {
      const certificate = socket.getPeerCertificate();
      socket.destroy();
      resolve(certificate?.valid_to ? certificate : undefined);
    },
  );
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy());
  socket.on("error", () => resolve(undefined));
  socket.on("close", () => resolve(undefined));
  return promise;
}

/** Returns why Go does not trust a certificate for a host: its time, its names, and only then its authority. */
export function distrustOf(
  certificate: PeerCertificate | undefined,
  hostname: string,
  nowMs: number,
): string {
  return `tls: failed to verify certificate: x509: ${
    certificate === undefined ? UNKNOWN : problemOf(certificate, hostname, nowMs)
  }`;
}

function problemOf(
  { subjectaltname = "", valid_from: from, valid_to: to }: PeerCertificate,
  hostname: string,
  nowMs: number,
): string {
  const now = formatTime(nowMs);
  const when = "certificate has expired or is not yet valid: current time";
  if (nowMs < Date.parse(from)) return `${when} ${now} is before ${formatTime(Date.parse(from))}`;
  if (nowMs > Date.parse(to)) return `${when} ${now} is after ${formatTime(Date.parse(to))}`;
  const names = subjectaltname.split(", ");
  const having = (prefix: string) =>
    names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  const host = withoutBrackets(hostname);
  if (isIP(host) !== 0) {
    const valid = having("IP Address:");
    if (valid.includes(host)) return UNKNOWN;
    return valid.length === 0
      ? `cannot validate certificate for ${host} because it doesn't contain any IP SANs`
      : `certificate is valid for ${valid.join(", ")}, not ${host}`;
  }
  const valid = having("DNS:");
  if (valid.some((name) => fits(name.toLowerCase(), host.toLowerCase()))) return UNKNOWN;
  return valid.length === 0
    ? `certificate is not valid for any names, but wanted to match ${host}`
    : `certificate is valid for ${valid.join(", ")}, not ${host}`;
}

/** Returns the host of a URL as an address or a name: without the brackets of an IPv6 address. */
function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "");
}

/** Reports whether a name of a certificate, which may begin with a wildcard, is that of a host. */
function fits(name: string, host: string): boolean {
  if (!name.startsWith("*.")) return name === host;
  const dot = host.indexOf(".");
  return dot > 0 && host.slice(dot) === name.slice(1);
}
