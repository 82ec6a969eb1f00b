import { type Config, usedExec } from "./config.ts";
import { sourceOf } from "./tls_settings.ts";

/**
 * Checks that `config` does not send a token or password unencrypted to another machine or to a proxy, unless it allows
 * that.
 *
 * @throws {TypeError} If it does.
 */
export function requireSafeToken(config: Config): void {
  const { token, tokenFile, username, proxyUrl } = config;
  const exec = usedExec(config);
  if ((token ?? tokenFile ?? username ?? exec) === undefined) return;
  if (config.allowInsecureToken) return;
  const { protocol, hostname, host } = new URL(config.server);
  if (protocol === "https:") return;
  const what = (token ?? tokenFile ?? exec) === undefined ? "password" : "token";
  if (!isLoopback(hostname)) {
    throw new TypeError(
      `Refusing to send a ${what} to http://${host} unencrypted: use https, or set allowInsecureToken if the network is safe`,
    );
  }
  // A proxy on this machine may pass the request on to any other.
  if (proxyUrl === undefined) return;
  throw new TypeError(
    `Refusing to send a ${what} for http://${host} unencrypted through the proxy ${
      new URL(proxyUrl).origin
    } (${
      sourceOf(config, "proxy", "proxyUrl")
    }): use https, leave out the proxy, or set allowInsecureToken if the network is safe`,
  );
}

/**
 * Reports whether `hostname`, as a `URL` spells it, is this machine: an address of 127.0.0.0/8, `::1`, or `localhost`.
 * The rule is that of Go, which never uses a proxy for these names.
 *
 * No other name counts, not even below `localhost`: many resolvers ask the network for `a.localhost`.
 */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname) ||
    // 127.0.0.0/8 as an IPv6 address.
    /^\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\]$/.test(hostname);
}

/**
 * Reports whether requests to `url` must not use a proxy that only the environment names, because they are not encrypted:
 * the proxy, and everyone on the way to it, could read them.
 */
export function isUnencrypted(url: string): boolean {
  return new URL(url).protocol === "http:";
}
