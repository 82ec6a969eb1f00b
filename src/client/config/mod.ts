/**
 * Client configuration: the address of the API server and the credentials, from options, kubeconfig files or the
 * service account of a Pod, and their validation.
 *
 * Imports `base`.
 *
 * @module
 */

export { type Config, type PartialConfig, requireServerUrl, usedExec } from "./config.ts";
export { CONFIG_CHECKS } from "./config_checks.ts";
export { isUnencrypted, requireSafeToken } from "./safe_token.ts";
export { readConfigFile, readFailure } from "./config_file.ts";
export type { ReadEnv, ReadFile } from "./environment.ts";
export { readTextFile } from "./read_text_file.ts";
export type {
  ExecApiVersion,
  ExecCluster,
  ExecConfig,
  ExecEnvVar,
  ExecInteractiveMode,
} from "./exec_config.ts";
export { type HeaderLine, type Impersonation, impersonationHeaders } from "./impersonation.ts";
export { loadConfig, type LoadConfigOptions, LOOKUP_CHECKS } from "./load_config.ts";
export { isCertificate, isPrivateKey, pemBlocks } from "./pem.ts";
export { proxyAuthorization, splitProxyUrl } from "./proxy_url.ts";
export { isShown, showPath, showText, showValue } from "./shown.ts";
export { requireConfig } from "./require_config.ts";
export { sourcesOf } from "./sources.ts";
export {
  pemSource,
  requireCa,
  requireCertificate,
  requireKey,
  sourceOf,
  type TransportSettings,
} from "./tls_settings.ts";
export { isHeaderSafe, requireToken } from "./token.ts";
