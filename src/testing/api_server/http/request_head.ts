import type { RequestHead } from "@kubeloop/controller/serving";
import {
  type ApiError,
  badRequest,
  failure,
  methodNotAllowed,
  noSuchResource,
} from "../../values/mod.ts";
import type { AcceptedHosts } from "./accepted_hosts.ts";
import { parseRequestInfo } from "./request_info.ts";

/** The maximum length of a part of a request in an error message. */
const SHOWN_MAX = 100;

/** The methods of HTTP that a `Request` cannot have. */
const UNREPRESENTABLE: ReadonlySet<string> = new Set(["CONNECT", "TRACE", "TRACK"]);

/**
 * Returns the URL of a request that may be answered. Path and query come from the request line, not from the Host
 * header.
 *
 * A web page that a developer visits can send requests to this machine. They are refused: requests for a host name
 * that is not accepted, and requests of pages of another origin, by the headers Origin and Sec-Fetch-Site.
 *
 * @throws {ApiError} 403, for another host or origin; 400, without a host, with a malformed target or with dots for
 * a name; 404, for dots elsewhere in the path; 405, for CONNECT, TRACE and TRACK.
 */
export function urlOf(head: RequestHead, scheme: "http" | "https", hosts: AcceptedHosts): URL {
  const { authorities, path } = splitTarget(head);
  for (const authority of authorities) {
    if (!hosts.accepts(authority)) throw foreignHost(authority, hosts);
  }
  const base = `${scheme}://${authorities.at(-1)}`;
  requireOwnPage(head, new URL(base).origin);
  if (UNREPRESENTABLE.has(head.method)) throw methodNotAllowed();
  if (!path.startsWith("/")) throw badRequest(`The request target ${shown(path)} is not a path`);
  // URL would resolve dot segments and read \ as /, and so change the path.
  const plain = path.split("?")[0]!;
  if (/\/(\.|%2e){1,2}(?=\/|$)/i.test(plain)) throw dotSegments(head.method, plain);
  return new URL(base + path.replaceAll("#", "%23").replaceAll("\\", "%5C"));
}

function dotSegments(method: string, path: string): ApiError {
  const { isResource, name, subresource } = parseRequestInfo(method, path, new URLSearchParams());
  if (!isResource || subresource !== "" || !/^\.\.?$/.test(name)) return noSuchResource();
  if (method === "POST") return methodNotAllowed();
  return badRequest(`Name parameter invalid: "${name}": may not be '${name}'`);
}

/** Returns the hosts that the request names, and its path with the query. */
function splitTarget({ target, values }: RequestHead): { authorities: string[]; path: string } {
  const named = values("host");
  if (named.length !== 1) {
    const count = named.length === 0 ? "no" : "more than one";
    throw badRequest(`The request has ${count} Host header`);
  }
  // A client sends a whole URL to a proxy only, but every server must understand it.
  const [, authority, rest = ""] = /^https?:\/\/([^/?]*)(.*)$/is.exec(target) ?? [];
  if (authority === undefined) return { authorities: [...named], path: target };
  return { authorities: [...named, authority], path: rest.startsWith("/") ? rest : `/${rest}` };
}

/** Refuses the request of a page that is not of this origin, and requests that a page of another origin caused. */
function requireOwnPage({ values }: RequestHead, own: string): void {
  for (const origin of values("origin")) {
    if (origin !== own) {
      throw forbidden(
        `Origin ${shown(origin)} is not accepted: only pages of ${own} itself may call this server`,
      );
    }
  }
  for (const site of values("sec-fetch-site")) {
    // "none" is an address that the user has typed.
    if (site !== "same-origin" && site !== "none") {
      throw forbidden(
        `Sec-Fetch-Site ${
          shown(site)
        } is not accepted: a page of another origin caused this request`,
      );
    }
  }
}

function foreignHost(host: string, hosts: AcceptedHosts): ApiError {
  return forbidden(
    `Host ${
      shown(host)
    } is not accepted, because a web page could name this server so (DNS rebinding): ` +
      `call it as ${hosts}, or start it with --accept-hosts NAME (in a program: acceptHosts: ["NAME"])`,
  );
}

function forbidden(message: string): ApiError {
  return failure(403, message, { reason: "Forbidden", details: {} });
}

function shown(text: string): string {
  return JSON.stringify(text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX)}…`);
}
