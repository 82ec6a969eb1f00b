import { ByteParts, realClock } from "@kubeloop/controller/internal/base";
import { getServers } from "node:dns";
import type { IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { rootCertificates } from "node:tls";
import type { WebhookConnection, WebhookHandler } from "../api_server/mod.ts";
import { distrustOf, peerCertificate } from "./peer_certificate.ts";

/** The largest answer of a webhook, in bytes. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** The failures of a connection, as the real server words them, by the code of the runtime. */
const FAILURES: Readonly<Record<string, (host: string, port: string) => string>> = {
  ECONNREFUSED: (host, port) => `dial tcp ${host}:${port}: connect: connection refused`,
  ENOTFOUND: (host) => `dial tcp: lookup ${host}${nameServer()}: no such host`,
  "wrong version number": () => "http: server gave HTTP response to HTTPS client",
  ECONNRESET: () => "EOF",
};

/** The codes and texts by which runtimes report a certificate that they do not trust. */
const UNTRUSTED_SIGNS = [
  "CERT_",
  "INVALID_PURPOSE",
  "SELF_SIGNED",
  "UNABLE_TO_VERIFY",
  "UnknownIssuer",
  "UNABLE_TO_GET_ISSUER",
];

/**
 * Calls webhooks over HTTPS. Their certificates must be signed by the `caBundle` of their configuration or, if it has
 * none, by a public authority.
 */
export const callHttps: WebhookHandler = async (request, { caBundle }: WebhookConnection) => {
  const url = new URL(request.url);
  const body = await request.text();
  try {
    return await send(url, body, request, caBundle);
  } catch (error) {
    if (request.signal.aborted) throw error;
    const reason = isUntrusted(error)
      ? distrustOf(await peerCertificate(url), url.hostname, realClock.wallNow())
      : reasonOf(error, url);
    throw new Error(reason, { cause: error });
  }
};

function send(url: URL, body: string, request: Request, ca: string): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const outgoing = httpsRequest(url, {
    method: "POST",
    headers: {
      ...Object.fromEntries(request.headers),
      "content-length": new TextEncoder().encode(body).length,
    },
    agent: false,
    signal: request.signal,
    ca: ca === "" ? roots() : ca,
  }, (incoming) => {
    readAnswer(incoming, (error) => outgoing.destroy(error)).then(resolve, reject);
  });
  outgoing.on("error", reject);
  outgoing.end(body);
  return promise;
}

/** Reads an answer to its end, or to the point where it fails. Calls `drop` when it is too long. */
export function readAnswer(
  incoming: IncomingMessage,
  drop: (error: Error) => void,
): Promise<Response> {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const status = incoming.statusCode ?? 500;
  const headers = { "content-type": incoming.headers["content-type"] ?? "" };
  let failed = "unexpected EOF";
  const bytes = new ByteParts();
  incoming.on("data", (chunk: Uint8Array) => {
    bytes.push(chunk);
    if (bytes.length > MAX_ANSWER_BYTES) {
      failed = `the answer has more than ${MAX_ANSWER_BYTES} bytes`;
      drop(new RangeError(failed));
    }
  });
  incoming.on("error", () => {
    const body = new ReadableStream({ start: (control) => control.error(new Error(failed)) });
    resolve(new Response(body, { status: Math.max(status, 200), headers }));
  });
  incoming.on("end", () => {
    const empty = [101, 204, 205, 304].includes(status);
    resolve(new Response(empty ? null : new Uint8Array(bytes.join()), { status, headers }));
  });
  return promise;
}

/** Returns the public authorities. Deno names them only to programs that may read from the system; to others, none. */
function roots(): string[] {
  try {
    return [...rootCertificates];
  } catch {
    return [];
  }
}

/** Reports whether a connection failed because the runtime does not trust the certificate of the server. */
function isUntrusted(error: unknown): boolean {
  const signs = signsOf(error);
  return UNTRUSTED_SIGNS.some((sign) => signs.includes(sign));
}

/** Returns why a call failed, as the real server words it. */
export function reasonOf(error: unknown, { hostname, port }: URL): string {
  const signs = signsOf(error);
  const known = Object.keys(FAILURES).find((one) => signs.includes(one));
  if (known !== undefined) return FAILURES[known]!(hostname, port || "443");
  const { message = String(error), rawPacket } = error as {
    message?: string;
    rawPacket?: Uint8Array;
  };
  if (!signs.includes("HPE_") || rawPacket === undefined) return message;
  const [line = ""] = new TextDecoder().decode(rawPacket).split(/\r?\n/);
  return `net/http: HTTP/1.x transport connection broken: malformed HTTP response ${
    JSON.stringify(line)
  }`;
}

function signsOf(error: unknown): string {
  const { code, message = String(error) } = error as { code?: string; message?: string };
  return `${code} ${message}`;
}

/** Returns the name server that Go would name, if the program may know it: Deno would ask the user for a permission. */
function nameServer(): string {
  if ("Deno" in globalThis) {
    const { state } = Deno.permissions.querySync({ name: "sys", kind: "networkInterfaces" });
    if (state !== "granted") return "";
  }
  const [first] = getServers();
  return first === undefined ? "" : ` on ${first}:53`;
}
