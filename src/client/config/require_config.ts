import { requireTimeLimit } from "../../base/mod.ts";
import { requireProxyUrl } from "./proxy_url.ts";
import { requireTlsSettings, sourceOf } from "./tls_settings.ts";
import type { PartialConfig } from "./config.ts";
import { requireImpersonation } from "./impersonation.ts";

/**
 * Checks all parts of `config` that can be checked without a connection.
 *
 * @throws {TypeError} If a part is invalid. The message contains the part and its source.
 * @throws {RangeError} If the timeout of the plugin is invalid.
 */
export function requireConfig(config: PartialConfig): void {
  requireTlsSettings(config);
  requireProxyUrl(config.proxyUrl, sourceOf(config, "proxy", "proxyUrl"));
  requireImpersonation(config.impersonate);
  const { token, tokenFile, username, exec } = config;
  if (exec?.timeoutMs !== undefined) requireTimeLimit("exec.timeoutMs", exec.timeoutMs);
  if (exec !== undefined && !exec.command) {
    throw new TypeError("exec needs a command: name the program");
  }
  if (username !== undefined && (token ?? tokenFile) !== undefined) {
    throw new TypeError(
      "Configuration has a token and a username: leave one out, only one can be sent",
    );
  }
  if (username?.includes(":")) {
    throw new TypeError(
      `Username (${
        sourceOf(config, "basic", "username")
      }) holds a colon: basic authentication cannot carry it`,
    );
  }
}
