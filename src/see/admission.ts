import { visibleText } from "../base/mod.ts";

/** The maximum length of a text of a request in an answer. */
const MAX_SHOWN = 100;

/** A request that is not answered, with the status of the answer. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Refuses the requests of web pages other than the own one. A page of the Internet can give its own name the address of this
 * machine (DNS rebinding), and can send requests to this machine.
 *
 * @throws {Refusal} If the Host, the Origin or the site of the request is another one.
 */
export function requireOwnPage(request: Request, url: URL): void {
  const hosts = [url.host, request.headers.get("host") ?? url.host];
  for (const host of hosts) {
    if (!isLoopbackHost(host)) {
      throw new Refusal(
        403,
        `Host ${shown(host)} is not accepted: call the page as http://127.0.0.1:PORT`,
      );
    }
  }
  const origin = request.headers.get("origin");
  if (origin !== null && origin !== url.origin) {
    throw new Refusal(
      403,
      `Origin ${shown(origin)} is not accepted: only the page itself may call`,
    );
  }
  const site = request.headers.get("sec-fetch-site");
  // A person may follow a link to the page: a terminal in a web page prints one.
  const isPage = request.method === "GET" && url.pathname === "/";
  if (site !== null && site !== "same-origin" && site !== "none" && !isPage) {
    throw new Refusal(
      403,
      `Sec-Fetch-Site ${shown(site)} is not accepted: only the page itself may call`,
    );
  }
}

/** Reports whether a host with an optional port is this machine, by a name that no other site can have. */
function isLoopbackHost(host: string): boolean {
  if (!URL.canParse(`http://${host}`)) return false;
  const { hostname, password, pathname, search, username } = new URL(`http://${host}`);
  if (username !== "" || password !== "" || pathname !== "/" || search !== "") return false;
  return hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
}

/**
 * Reports whether two tokens are equal. The time depends on the lengths only, so that it does not tell how many characters are
 * right.
 */
export function isSameToken(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ (b.charCodeAt(i) || 0);
  return difference === 0;
}

/** Returns the bearer token of a request; empty if it has none. */
export function bearerOf(request: Request): string {
  const header = request.headers.get("authorization") ?? "";
  return header.startsWith("Bearer ") ? header.slice("Bearer ".length) : "";
}

function shown(text: string): string {
  return JSON.stringify(visibleText(text, MAX_SHOWN));
}
