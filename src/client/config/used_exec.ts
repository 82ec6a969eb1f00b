import type { PartialConfig } from "./config.ts";
import type { ExecConfig } from "./exec_config.ts";

/**
 * Returns the exec plugin of `config`, if the plugin is used. As in client-go, a token, a user name or a client certificate
 * takes precedence over it.
 */
export function usedExec(config: PartialConfig): ExecConfig | undefined {
  const { token, tokenFile, username, certData, certFile, keyData, keyFile, exec } = config;
  const hasCertificate = (certData ?? certFile) !== undefined && (keyData ?? keyFile) !== undefined;
  return (token ?? tokenFile ?? username) === undefined && !hasCertificate ? exec : undefined;
}
