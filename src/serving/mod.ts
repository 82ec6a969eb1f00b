/**
 * Fetch handlers over sockets: HTTP and HTTPS, on Deno, Node and Bun; and the certificates for it.
 *
 * `serveHttp` serves a handler on a port, and drains when it stops. Imports only `base` and `websocket`. The
 * in-process API server and the webhooks of an operator are both served by it.
 *
 * @module
 */

export {
  alternativeNamesOf,
  type CertificateOptions,
  createCertificate,
  type ReadCertificate,
  readCertificate,
} from "./certificates.ts";
export { listen } from "./lazy.ts";
export { type HttpScheme, type RequestHead, UnreadableRequest } from "./request_head.ts";
export {
  type HttpHandler,
  type HttpServer,
  requirePort,
  serveHttp,
  type ServeHttpOptions,
} from "./serve_http.ts";
export type { Listening, ListenLimits, ListenOptions, Service, TakeSocket } from "./service.ts";
export type { TlsMaterial } from "./tls.ts";
