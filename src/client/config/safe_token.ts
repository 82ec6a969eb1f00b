import type { Config } from "./config.ts";
import { isLoopback } from "./loopback.ts";
import { sourceOf } from "./tls_settings.ts";
import { usedExec } from "./used_exec.ts";

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
