import { assertEquals, assertThrows } from "@std/assert";
import {
  AcceptedHosts,
  canonicalHost,
} from "../../../../src/testing/api_server/http/accepted_hosts.ts";
import { urlOf } from "../../../../src/testing/api_server/http/request_head.ts";
import { ApiError } from "../../../../src/testing/values/mod.ts";

const HOSTS = new AcceptedHosts(["0.0.0.0", "192.168.1.7"], ["My.Dev", "fd00:0::1"]);
const ACCEPTED = "localhost, 127.0.0.1, [::1], 0.0.0.0, 192.168.1.7, my.dev, [fd00::1]";

type Fields = Readonly<Record<string, readonly string[]>>;

function read(method: string, target: string, headers: Fields = {}, scheme = "http"): URL {
  const fields: Fields = { host: ["localhost:1"], ...headers };
  const head = { method, target, values: (name: string) => fields[name] ?? [] };
  return urlOf(head, scheme as "http" | "https", HOSTS);
}

function refusal(method: string, target: string, headers: Fields = {}): string {
  const error = assertThrows(() => read(method, target, headers), ApiError);
  return `${error.code} ${error.status.reason}: ${error.message}`;
}

Deno.test("urlOf() returns the URL of the request line", () => {
  for (
    const [target, url] of [
      ["/api?limit=1", "http://localhost:1/api?limit=1"],
      ["/a#b", "http://localhost:1/a%23b"],
      ["/a\\b", "http://localhost:1/a%5Cb"],
      ["/a?x=/../y", "http://localhost:1/a?x=/../y"],
      ["/a/...", "http://localhost:1/a/..."],
      ["/a/.b", "http://localhost:1/a/.b"],
      ["http://127.0.0.1:5/a?b", "http://127.0.0.1:5/a?b"],
      ["http://my.dev", "http://my.dev/"],
      ["HTTP://MY.dev?q", "http://my.dev/?q"],
    ] as const
  ) assertEquals(read("GET", target).href, url, target);
  assertEquals(read("GET", "/a", {}, "https").href, "https://localhost:1/a");
});

// A real server answers dots like this to `curl --path-as-is`.
Deno.test("urlOf() refuses requests for other hosts and malformed targets", () => {
  const maps = "/api/v1/namespaces/default/configmaps";
  const missing = "404 NotFound: the server could not find the requested resource";
  const method =
    "405 MethodNotAllowed: the server does not allow this method on the requested resource";
  const name = (dots: string) =>
    `400 BadRequest: Name parameter invalid: "${dots}": may not be '${dots}'`;
  for (
    const [verb, target, expected] of [
      ["GET", `${maps}/..`, name("..")],
      ["DELETE", `${maps}/..`, name("..")],
      ["GET", `${maps}/.`, name(".")],
      ["GET", "/api/v1/nodes/%2e%2E", name("..")],
      ["GET", "/api/v1/nodes/%2e", name(".")],
      ["POST", `${maps}/..`, method],
      ["GET", `${maps}/../status`, missing],
      ["GET", `${maps}/../x`, missing],
      ["GET", "/..", missing],
      ["GET", "/version/.", missing],
      ["GET", "/./api", missing],
      ["TRACE", "/", method],
      ["TRACK", "/", method],
      ["CONNECT", "localhost:80", method],
      ["OPTIONS", "*", '400 BadRequest: The request target "*" is not a path'],
      [
        "GET",
        "x".repeat(101),
        `400 BadRequest: The request target "${"x".repeat(100)}…" is not a path`,
      ],
      [
        "GET",
        "x".repeat(100),
        `400 BadRequest: The request target "${"x".repeat(100)}" is not a path`,
      ],
    ] as const
  ) assertEquals(refusal(verb, target), expected, `${verb} ${target}`);
});

Deno.test("urlOf() wants one host that is accepted", () => {
  const foreign = (host: string) =>
    `403 Forbidden: Host "${host}" is not accepted, because a web page could name this server so (DNS rebinding): ` +
    `call it as ${ACCEPTED}, or start it with --accept-hosts NAME (in a program: acceptHosts: ["NAME"])`;
  assertEquals(refusal("GET", "/", { host: [] }), "400 BadRequest: The request has no Host header");
  assertEquals(
    refusal("GET", "/", { host: ["localhost", "localhost"] }),
    "400 BadRequest: The request has more than one Host header",
  );
  assertEquals(refusal("GET", "/", { host: ["evil.example"] }), foreign("evil.example"));
  assertEquals(refusal("GET", "http://evil.example/"), foreign("evil.example"));
  assertEquals(
    refusal("GET", "http://localhost/", { host: ["evil.example"] }),
    foreign("evil.example"),
  );
});

Deno.test("urlOf() refuses pages of other origins", () => {
  const own = { origin: ["http://localhost:1"], "sec-fetch-site": ["same-origin"] };
  assertEquals(read("GET", "/", own).pathname, "/");
  assertEquals(read("GET", "/", { "sec-fetch-site": ["none"] }).pathname, "/");
  for (const origin of ["null", "http://localhost", "https://localhost:1"]) {
    assertEquals(
      refusal("GET", "/", { origin: [origin] }),
      `403 Forbidden: Origin "${origin}" is not accepted: only pages of http://localhost:1 itself may call this server`,
    );
  }
  for (const site of ["cross-site", "same-site", ""]) {
    assertEquals(
      refusal("GET", "/", { "sec-fetch-site": [site] }),
      `403 Forbidden: Sec-Fetch-Site "${site}" is not accepted: a page of another origin caused this request`,
    );
  }
  assertEquals(refusal("GET", "/", { origin: [own.origin[0]!, "null"] }).slice(0, 3), "403");
});

Deno.test("AcceptedHosts takes a host with or without a port", () => {
  assertEquals(String(HOSTS), ACCEPTED);
  for (
    const host of ["localhost", "LOCALHOST:1", "127.0.0.1:65535", "[::1]", "[0:0::1]:80", "my.dev"]
      .concat("[fd00::1]", "192.168.1.7")
  ) assertEquals(HOSTS.accepts(host), true, host);
  for (
    const host of ["localhost:65536", "localhost:", "localhost:x", "localhost:123456", "::1", ""]
      .concat("localhost/", "a@localhost", "localhost.", "127.0.0.2", "[::1", "[::2]", "my_dev")
  ) assertEquals(HOSTS.accepts(host), false, host);
});

Deno.test("AcceptedHosts refuses invalid hosts", () => {
  for (const host of ["a:80", "http://a", "", "a b", "[::1", "12345::", 5]) {
    assertThrows(
      () => new AcceptedHosts([], [host as string]),
      RangeError,
      `Cannot serve: ${
        JSON.stringify(host)
      } in "acceptHosts" is not a host name or an IP address without a port`,
    );
  }
  // A program may listen on a path instead of a name.
  assertEquals(String(new AcceptedHosts(["/a/b"])), "localhost, 127.0.0.1, [::1]");
});

Deno.test("canonicalHost() knows one spelling of each host", () => {
  assertEquals(["A.b", "FD00:0:0::1", "[::1]", "1.2.3.4", "a/b", "::x", "-a"].map(canonicalHost), [
    "a.b",
    "[fd00::1]",
    "[::1]",
    "1.2.3.4",
    undefined,
    undefined,
    undefined,
  ]);
});
