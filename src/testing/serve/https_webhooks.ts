import { ByteParts } from "@kubeloop/controller/internal/base";
import type { IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { rootCertificates } from "node:tls";
import type { WebhookConnection, WebhookHandler } from "../api_server/mod.ts";

/** The largest answer of a webhook, in bytes. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** The failures of a connection, as the real server words them, by the code of the runtime. */
const FAILURES: Readonly<Record<string, (host: string, port: string) => string>> = {
  ECONNREFUSED: (host, port) => `dial tcp ${host}:${port}: connect: connection refused`,
  ENOTFOUND: (host) => `dial tcp: lookup ${host}: no such host`,
};

const UNTRUSTED =
  "tls: failed to verify certificate: x509: certificate signed by unknown authority";

/** The codes and texts by which runtimes say that they do not trust a certificate. */
const UNTRUSTED_SIGNS = [
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
    throw new Error(reasonOf(error, url), { cause: error });
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

/** Reads an answer to its end. Calls `drop` when it is too long. */
export function readAnswer(
  incoming: IncomingMessage,
  drop: (error: Error) => void,
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const bytes = new ByteParts();
  incoming.on("data", (chunk: Uint8Array) => {
    bytes.push(chunk);
    if (bytes.length > MAX_ANSWER_BYTES) {
      drop(new RangeError(`the answer has more than ${MAX_ANSWER_BYTES} bytes`));
    }
  });
  incoming.on("error", reject);
  incoming.on("end", () => {
    const status = incoming.statusCode ?? 500;
    const empty = [101, 204, 205, 304].includes(status);
    const type = incoming.headers["content-type"] ?? "";
    const headers = { "content-type": type };
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

/** Returns why a call failed, as the real server words it. */
export function reasonOf(error: unknown, { hostname, port }: URL): string {
  const { code, message = String(error) } = error as { code?: string; message?: string };
  const signs = `${code} ${message}`;
  const known = Object.keys(FAILURES).find((one) => signs.includes(one));
  if (known !== undefined) return FAILURES[known]!(hostname, port || "443");
  return UNTRUSTED_SIGNS.some((sign) => signs.includes(sign)) ? UNTRUSTED : message;
}
