/**
 * A host with an optional port, as in a Host header: a name, an IPv4 address, or an IPv6 address in brackets. Nothing
 * else is a host: no path, no query, no user.
 */
const AUTHORITY = /^(\[[0-9a-f:.]+\]|[a-z0-9_](?:[a-z0-9._-]*))(?::([0-9]{1,5}))?$/i;

/** A host without a colon and without a port. */
const NAME = /^[a-z0-9_][a-z0-9._-]*$/i;

/** An IPv6 address without a port, also without brackets. */
const IPV6 = /^\[?[0-9a-f:.]+\]?$/i;

/** The names by which programs on this machine reach the loopback interface. */
const LOOPBACK: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/**
 * The host names at which a server may be called. A web page can give its own name the address of this machine (DNS
 * rebinding), and then its requests look like those to its own server. Their Host header still has the name of the page.
 */
export class AcceptedHosts {
  readonly #hosts: ReadonlySet<string>;

  /**
   * Accepts the loopback names, the names and addresses that the server listens on, and `more`.
   *
   * @throws {RangeError} If one of `more` is not a host name or an IP address.
   */
  constructor(listening: readonly string[], more: readonly string[] = []) {
    const own = listening.map(canonicalHost).filter((host) => host !== undefined);
    this.#hosts = new Set([...LOOPBACK, ...own, ...more.map(requireHost)]);
  }

  /** Reports whether the value of a Host header is an accepted host, with or without a port. */
  accepts(authority: string): boolean {
    const [, host, port = "0"] = AUTHORITY.exec(authority) ?? [];
    const canonical = host === undefined ? undefined : canonicalHost(host);
    return canonical !== undefined && Number(port) <= 65_535 && this.#hosts.has(canonical);
  }

  /** Returns the accepted hosts, for an error message. */
  toString(): string {
    return [...this.#hosts].join(", ");
  }
}

function requireHost(host: unknown): string {
  const canonical = typeof host === "string" ? canonicalHost(host) : undefined;
  if (canonical !== undefined) return canonical;
  throw new RangeError(
    `Cannot serve: ${
      JSON.stringify(host)
    } in "acceptHosts" is not a host name or an IP address without a port`,
  );
}

/**
 * Returns the one spelling of a host: lower case, and IPv6 addresses in brackets and in their shortest form. Returns
 * undefined if the text is neither a host name nor an IP address.
 */
export function canonicalHost(host: string): string | undefined {
  if (!host.includes(":")) return NAME.test(host) ? host.toLowerCase() : undefined;
  if (!IPV6.test(host)) return undefined;
  const url = `http://${host.startsWith("[") ? host : `[${host}]`}/`;
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
