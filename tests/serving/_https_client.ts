/**
 * Requests over TLS that trust one authority only, on every runtime.
 *
 * @module
 */

import { request } from "node:https";
import type { TLSSocket } from "node:tls";

/** An answer, and the server's certificate. */
export interface TlsAnswer {
  readonly status: number;
  readonly body: string;
  /** The serial number of the certificate, in hexadecimal digits. */
  readonly serial: string;
}

/** Sends a request to this machine, over a connection of its own. Rejects if the certificate is not trusted. */
export function tlsFetch(
  port: number,
  { ca, servername, path = "/", body }: {
    readonly ca: string;
    readonly servername: string;
    readonly path?: string;
    readonly body?: string;
  },
): Promise<TlsAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: "127.0.0.1",
      port,
      path,
      method: body === undefined ? "GET" : "POST",
      headers: { host: servername, "content-type": "application/json" },
      ca,
      servername,
      agent: false,
    }, (incoming) => {
      const serial = (incoming.socket as TLSSocket).getPeerCertificate().serialNumber;
      let text = "";
      incoming.setEncoding("utf8");
      incoming.on("data", (chunk) => text += chunk);
      incoming.on("error", reject);
      incoming.on("end", () => resolve({ status: incoming.statusCode ?? 0, body: text, serial }));
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
