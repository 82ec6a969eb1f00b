import { describeError, networkFailure } from "../../base/mod.ts";
import { type Config, pemSource, sourceOf, splitProxyUrl } from "../config/mod.ts";
import { UnsupportedError } from "../transport/mod.ts";

/**
 * What to do when a connection failed with `cause`, which fits behind the runtime's own words: it names the part of the
 * configuration that is to blame and where that comes from. Empty when nothing comes to mind.
 */
export function connectionAdvice(config: Config, cause: unknown): string {
  // It says itself what to do.
  if (cause instanceof UnsupportedError) return "";
  const message = describeError(cause);
  const failure = networkFailure(cause);
  const isRefused = failure === "refused";
  const isUnknownHost = /dns error|lookup|ENOTFOUND|name resolution|EAI_AGAIN/i.test(message);
  if (config.proxyUrl !== undefined) {
    if (isRefused || isUnknownHost) return proxyAdvice(config, config.proxyUrl, false);
    if (/tunnel|proxy/i.test(message)) return proxyAdvice(config, config.proxyUrl, true);
  }
  if (isRefused) return "; is the API server running, and the address right?";
  if (new URL(config.server).protocol === "http:") {
    // Of what a TLS server says to plain http, runtimes see an alert that is no HTTP, or only that it hangs up.
    const isOther = /invalid HTTP version|Expected HTTP\/|match the HTTP\/1\.1 protocol/i.test(
      message,
    );
    if (isOther || failure === "eof" || failure === "reset") {
      return "; if the server speaks TLS, write https:// in the server URL";
    }
  } else if (
    // In the words of rustls, OpenSSL, BoringSSL and Bun.
    /InvalidContentType|wrong.version.number|Does the server speak TLS/i.test(message)
  ) {
    return "; the server speaks plain http: write http:// in the server URL";
  }
  if (config.insecureSkipTlsVerify && /certificate/i.test(message)) return skipAdvice(config);
  if (/not valid for name|NotValidForName|ALTNAME|altnames/i.test(message)) {
    return nameAdvice(config);
  }
  if (/\balert\b|CertificateRequired|certificate required|ECONNRESET.*certificate/i.test(message)) {
    return clientCertificateAdvice(config);
  }
  if (/CERT_HAS_EXPIRED|has expired|certificate expired|: Expired/i.test(message)) {
    return "; the server's certificate has expired, or this machine's clock is wrong";
  }
  if (/certificate|UnknownIssuer|BadSignature|self.signed|SELF_SIGNED|UNABLE_TO_/i.test(message)) {
    return trustAdvice(config);
  }
  if (isUnknownHost) return "; is the host name of the server URL right?";
  if (/NotCapable|permission|Requires (net|read) access/i.test(message)) {
    return "; grant the process the permission";
  }
  return "";
}

function proxyAdvice(config: Config, proxyUrl: string, isRefusing: boolean): string {
  const { host } = new URL(config.server);
  const proxy = `the proxy ${splitProxyUrl(proxyUrl).url} (${
    sourceOf(config, "proxy", "proxyUrl")
  })`;
  return isRefusing
    ? `; ${proxy} did not connect to ${host}: does it allow that, and does it want a user and password?`
    : `; is ${proxy} running, and its address right?`;
}

function nameAdvice(config: Config): string {
  const { tlsServerName } = config;
  const expected = tlsServerName === undefined
    ? "the host of the server URL"
    : `"${tlsServerName}" (${sourceOf(config, "serverName", "tlsServerName")})`;
  return `; the server's certificate is not for ${expected}: correct that, or give the certificate's name as tlsServerName`;
}

function clientCertificateAdvice(config: Config): string {
  const { certFile, certData } = config;
  return (certFile ?? certData) === undefined
    ? "; the server wants a client certificate: give certFile and keyFile"
    : `; the server refused the client certificate (${
      pemSource(config, "cert")
    }): is it expired, or signed by another authority?`;
}

function trustAdvice(config: Config): string {
  return (config.caData ?? config.caFile) === undefined
    ? "; is the cluster's certificate authority given (caFile)?"
    : `; is the certificate authority given (${
      pemSource(config, "ca")
    }) the one that signed the server's certificate?`;
}

/** Deno checks certificates whatever the configuration says, unless the whole process does not. */
function skipAdvice({ server }: Config): string {
  const { hostname } = new URL(server);
  return `; to skip verification (insecureSkipTlsVerify), Deno must be started with --unsafely-ignore-certificate-errors=${hostname}`;
}
