import { assertEquals } from "@std/assert";
import { connectionAdvice } from "../../../src/client/request/connection_advice.ts";
import { UnsupportedError } from "../../../src/client/transport/transport.ts";

Deno.test("connectionAdvice() is empty for an error that already says what to do", () => {
  const error = new UnsupportedError("Node needs the package undici for certificates: install it");
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
