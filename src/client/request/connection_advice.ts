import { describeError, networkFailure } from "../../base/mod.ts";
import { type Config, pemSource, showText, sourceOf, splitProxyUrl } from "../config/mod.ts";
import { UnsupportedError } from "../transport/mod.ts";

/**
 * Returns advice for a connection that failed with `cause`, to be appended to the runtime's error message. The advice
 * names the part of the configuration that may be wrong and the source of that part. It is empty if the cause is
 * unknown.
 */
export function connectionAdvice(config: Config, cause: unknown): string {
  // The message of this error already says what to do.
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
    // A TLS server responds to plain HTTP with a TLS alert, which is not HTTP, or only closes the connection.
    const isOther = /invalid HTTP version|Expected HTTP\/|match the HTTP\/1\.1 protocol/i.test(
      message,
    );
    if (isOther || failure === "eof" || failure === "reset") {
      return "; if the server speaks TLS, write https:// in the server URL";
    }
  } else if (
    // The messages of rustls, OpenSSL, BoringSSL and Bun.
    /InvalidContentType|wrong.version.number|Does the server speak TLS/i.test(message)
  ) {
    return "; the server speaks plain http: write http:// in the server URL";
  }
  if (config.insecureSkipTlsVerify && /certificate/i.test(message)) return skipAdvice(config);
  if (/not valid for name|NotValidForName|ALTNAME|altnames/i.test(message)) {
    return nameAdvice(config);
  }
  const isReset = message.includes("ECONNRESET");
  if (
    /\balert\b|CertificateRequired|certificate required/i.test(message) ||
    (isReset && /certificate/i.test(message.slice(message.indexOf("ECONNRESET"))))
  ) {
    return clientCertificateAdvice(config);
  }
  if (/CERT_HAS_EXPIRED|has expired|certificate expired|: Expired/i.test(message)) {
    return "; the server's certificate has expired, or this machine's clock is wrong";
  }
  if (
    /certificate|UnknownIssuer|CaUsedAsEndEntity|BadSignature|self.signed|SELF_SIGNED|UNABLE_TO_/i
      .test(message)
  ) {
    return trustAdvice(config, /UnknownIssuer|CaUsedAsEndEntity/.test(message));
  }
  if (isUnknownHost) return "; is the host name of the server URL right?";
  if (/NotCapable|permission|Requires (net|read) access/i.test(message)) {
    return "; grant the process the permission";
  }
  // With TLS 1.3, a server refuses a certificate after the handshake, and some runtimes see only that it hangs up.
  if ((failure === "eof" || failure === "reset") && (config.certData ?? config.certFile)) {
    return `; if this happens every time, the server may have refused the client certificate (${
      pemSource(config, "cert")
    })`;
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
    : `${showText(tlsServerName)} (${sourceOf(config, "serverName", "tlsServerName")})`;
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

/** Returns advice for a certificate of the server that is not trusted. `isRustls`: by Deno. */
function trustAdvice(config: Config, isRustls: boolean): string {
  if ((config.caData ?? config.caFile) === undefined) {
    return "; is the cluster's certificate authority given (caFile)?";
  }
  const more = isRustls
    ? " If it is the server's own: Deno trusts that only if it signed itself with CA:FALSE, Node and Bun trust it"
    : "";
  return `; is the certificate authority given (${
    pemSource(config, "ca")
  }) the one that signed the server's certificate?${more}`;
}

/** Deno ignores `insecureSkipTlsVerify`. Only a flag of the process disables the verification of certificates. */
function skipAdvice({ server }: Config): string {
  const { hostname } = new URL(server);
  return `; to skip verification (insecureSkipTlsVerify), Deno must be started with --unsafely-ignore-certificate-errors=${hostname}`;
}
