import { assertEquals } from "@std/assert";
import { connectionAdvice } from "../../../src/client/request/connection_advice.ts";
import { UnsupportedError } from "../../../src/client/transport/transport.ts";

Deno.test("connectionAdvice() is empty for an error that already says what to do", () => {
  const error = new UnsupportedError("A browser cannot use caData: connect to kubectl proxy");
  assertEquals(connectionAdvice({ server: "https://h", caData: "pem" }, error), "");
});

for (
  const [message, advice] of [
    ["received corrupt message of type InvalidContentType", "http"],
    ["SSL routines:tls_validate_record_header:wrong version number:tlsany_meth.c:77:", "http"],
    ["SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER", "http"],
    ["EPROTO: The TLS handshake failed. Does the server speak TLS on this port?", "http"],
    ["client error (SendRequest): invalid HTTP version parsed", "https"],
    ["Parse Error: Expected HTTP/, RTSP/ or ICE/", "https"],
    ["Response does not match the HTTP/1.1 protocol (Expected HTTP/, RTSP/ or ICE/)", "https"],
    ["The socket connection was closed unexpectedly", "https"],
    ["socket hang up", "https"],
    ["other side closed", "https"],
  ] as const
) {
  Deno.test(`connectionAdvice() suggests the other scheme for: ${message}`, () => {
    const advised = connectionAdvice(
      { server: advice === "http" ? "https://h" : "http://h" },
      new Error(message),
    );
    assertEquals(advised.includes(`write ${advice}:// in the server URL`), true, advised);
  });
}

Deno.test("connectionAdvice() names what may be wrong, and where it comes from", () => {
  const refused = "tcp connect error: Connection refused (os error 111)";
  const unknown = "invalid peer certificate: UnknownIssuer";
  const proxy = { proxyUrl: "http://u:p@proxy:3128" };
  const running = "; is the proxy http://proxy:3128 (proxyUrl) running, and its address right?";
  const wanted = "; the server wants a client certificate: give certFile and keyFile";
  const hangsUp =
    "; if this happens every time, the server may have refused the client certificate";
  const cases: readonly (readonly [object, string, string])[] = [
    [{}, refused, "; is the API server running, and the address right?"],
    [proxy, refused, running],
    [proxy, "getaddrinfo ENOTFOUND proxy", running],
    [
      proxy,
      "tunnel error: failed",
      "; the proxy http://proxy:3128 (proxyUrl) did not connect to h: does it allow that, and does it want a user " +
      "and password?",
    ],
    [proxy, "timed out", ""],
    [{}, "getaddrinfo ENOTFOUND h", "; is the host name of the server URL right?"],
    [{}, unknown, "; is the cluster's certificate authority given (caFile)?"],
    [
      { caFile: "/ca" },
      "self-signed certificate in certificate chain",
      '; is the certificate authority given (caFile "/ca") the one that signed the server\'s certificate?',
    ],
    ...[unknown, "invalid peer certificate: Other(OtherError(CaUsedAsEndEntity))"].map((message) =>
      [
        { caData: "pem" },
        message,
        "; is the certificate authority given (caData) the one that signed the server's certificate? If it is the " +
        "server's own: Deno trusts that only if it signed itself with CA:FALSE, Node and Bun trust it",
      ] as const
    ),
    [
      {},
      'invalid peer certificate: certificate not valid for name "h"',
      "; the server's certificate is not for the host of the server URL: correct that, or give the certificate's " +
      "name as tlsServerName",
    ],
    [
      {},
      "invalid peer certificate: Expired",
      "; the server's certificate has expired, or this machine's clock is wrong",
    ],
    [{}, "received fatal alert: CertificateRequired", wanted],
    [{}, "read ECONNRESET: a certificate", wanted],
    [
      {},
      "a certificate, read ECONNRESET",
      "; is the cluster's certificate authority given (caFile)?",
    ],
    [{}, 'Requires net access to "h"', "; grant the process the permission"],
    [{ certData: "pem" }, "connection reset by peer", `${hangsUp} (certData)`],
    [{ certFile: "/c" }, "unexpected end of file", `${hangsUp} (certFile "/c")`],
    [{}, "connection reset by peer", ""],
    [{ certData: "pem" }, "timed out", ""],
  ];
  for (const [config, message, expected] of cases) {
    const advice = connectionAdvice({ server: "https://h", ...config }, new Error(message));
    assertEquals(advice, expected, `${JSON.stringify(config)} ${message}`);
  }
});
