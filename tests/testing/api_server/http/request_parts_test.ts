import { assertEquals } from "@std/assert";
import {
  isTrue,
  mediaType,
  parseDecodedRequestInfo,
  warningHeaders,
} from "../../../../src/testing/api_server/http/mod.ts";
import { parseRequestInfo, queryOf } from "../../../../src/testing/api_server/http/request_info.ts";

function parts(method: string, path: string): string {
  const [pathname, query] = path.split("?");
  const info = parseRequestInfo(method, pathname!, new URLSearchParams(query));
  const { verb, group, version, namespace, resource, name, subresource } = info;
  const { selectedName, watchPath, malformed, isResource } = info;
  const flags = [watchPath && "watchPath", malformed && "malformed", !isResource && "none"];
  return [verb, group, version, namespace, resource, name, subresource, selectedName]
    .concat(flags.filter((flag) => flag !== false).join()).join("|");
}

Deno.test("parseRequestInfo() tells the parts of a path", () => {
  const core = "/api/v1/namespaces/n";
  for (
    const [method, path, expected] of [
      ["GET", "/", "get||||||||none"],
      ["GET", "/version", "get||||||||none"],
      ["PURGE", "/version", "purge||||||||none"],
      ["GET", "/api", "get||||||||none"],
      ["GET", "/api/v1", "get||||||||none"],
      ["GET", "/api/v1/", "get||||||||none"],
      ["GET", "/apis/apps/v1", "get||||||||none"],
      ["GET", "/apis/apps", "get||||||||none"],
      ["GET", "/apix/v1/pods", "get||||||||none"],
      ["GET", "/api/v1/pods", "list||v1||pods||||"],
      ["HEAD", "/api/v1/pods", "list||v1||pods||||"],
      ["GET", "/api/v1/pods//", "list||v1||pods||||"],
      ["GET", "/api/v1/pods?watch=1", "watch||v1||pods||||"],
      ["GET", "/api/v1/pods?watch=false", "list||v1||pods||||"],
      ["GET", "/api/v1/watch/pods", "watch||v1||pods||||watchPath"],
      ["GET", "/api/v1/watch", "list||v1||watch||||"],
      ["GET", "/api/v1/watch/namespaces/n/pods/p", "watch||v1|n|pods|p|||watchPath"],
      ["GET", `${core}`, "get||v1|n|namespaces|n|||"],
      ["GET", "/api/v1/namespaces", "list||v1||namespaces||||"],
      ["GET", `${core}/status`, "get||v1|n|namespaces|n|status||"],
      ["PUT", `${core}/finalize`, "update||v1|n|namespaces|n|finalize||"],
      ["GET", `${core}/pods`, "list||v1|n|pods||||"],
      ["GET", `${core}/pods/p`, "get||v1|n|pods|p|||"],
      ["GET", `${core}/pods/p?watch=1`, "get||v1|n|pods|p|||"],
      ["GET", `${core}/pods/p/log`, "get||v1|n|pods|p|log||"],
      ["GET", `${core}/services/s/proxy/a/b`, "get||v1|n|services|s|proxy/a/b||"],
      ["POST", `${core}/pods`, "create||v1|n|pods||||"],
      ["PUT", `${core}/pods/p`, "update||v1|n|pods|p|||"],
      ["PATCH", `${core}/pods/p`, "patch||v1|n|pods|p|||"],
      ["DELETE", `${core}/pods/p`, "delete||v1|n|pods|p|||"],
      ["DELETE", `${core}/pods`, "deletecollection||v1|n|pods||||"],
      ["OPTIONS", `${core}/pods`, "||v1|n|pods||||"],
      ["GET", "/apis/apps/v1/deployments", "list|apps|v1||deployments||||"],
      [
        "GET",
        "/apis/apps/v1/namespaces/n/deployments/d/scale",
        "get|apps|v1|n|deployments|d|scale||",
      ],
      ["GET", `${core}/pods/%61%2Fb`, "get||v1|n|pods|a/b|||malformed"],
      ["GET", `${core}/pods/%ff`, "get||v1|n|pods|\ufffd|||"],
      ["GET", `${core}/pods/%zz`, "get||v1|n|pods|%zz|||"],
      ["GET", `${core}//p`, "get||v1|n||p|||malformed"],
      ["GET", "/api/v1/namespaces//pods", "list||v1||pods||||"],
      ["GET", `${core}/pods//status`, "list||v1|n|pods||status||"],
      ["GET", `${core}/pods//status/x`, "list||v1|n|pods||status/x||malformed"],
      ["GET", "/api/v1/pods?fieldSelector=metadata.name%3Dp", "list||v1||pods|||p|"],
      ["GET", "/api/v1/pods?watch=1&fieldSelector=metadata.name%3Dp", "watch||v1||pods|||p|"],
      ["DELETE", "/api/v1/pods?fieldSelector=metadata.name%3Dp", "deletecollection||v1||pods|||p|"],
      ["POST", "/api/v1/pods?fieldSelector=metadata.name%3Dp", "create||v1||pods||||"],
      ["GET", "/api/v1/pods?fieldSelector=metadata.name%3D..", "list||v1||pods||||"],
      ["GET", "/api/v1/pods?fieldSelector=metadata.name%3D.", "list||v1||pods||||"],
      ["GET", "/api/v1/pods?fieldSelector=metadata.name%3Da/b", "list||v1||pods||||"],
      ["GET", "/api/v1/pods?fieldSelector=metadata.name!%3Dp", "list||v1||pods||||"],
    ] as const
  ) assertEquals(parts(method, path), expected, `${method} ${path}`);
  const decoded = parseDecodedRequestInfo("GET", `${core}/pods/a%2Fb`, new URLSearchParams());
  assertEquals([decoded.name, decoded.subresource, decoded.malformed], ["a", "b", false]);
});

Deno.test("queryOf() leaves out what Go does not parse", () => {
  const url = new URL("http://a/?x=1&y=%zz&z=a;b&?q=2&w=%41");
  assertEquals([...queryOf(url)], [["x", "1"], ["?q", "2"], ["w", "A"]]);
  assertEquals(["0", "false", "FALSE", "", "1", "no", null].map(isTrue), [
    false,
    false,
    false,
    true,
    true,
    true,
    false,
  ]);
});

Deno.test("mediaType() reads a Content-Type without its parameters", () => {
  for (
    const [header, expected] of [
      ["application/json", "application/json"],
      [" Application/JSON ;charset=utf-8", "application/json"],
      ["application/json;", "application/json"],
      ['application/json; a="b;\\"c"', "application/json"],
      ["application/json; a=b; A=c", "application/json; a=b; A=c"],
      ["application/json; a", "application/json; a"],
      ["application/json; a=b c", "application/json; a=b c"],
      ["json", "json"],
      ["a/b/c", "a/b/c"],
      ["a b", "a b"],
    ] as const
  ) {
    const request = new Request("http://a", {
      method: "POST",
      headers: { "content-type": header },
    });
    assertEquals(mediaType(request), expected, header);
  }
  assertEquals(mediaType(new Request("http://a")), "");
});

Deno.test("warningHeaders() cuts and drops warnings only beyond 4,096 characters", () => {
  assertEquals(warningHeaders(["a", "b", "a"]), ['299 - "a"', '299 - "b"']);
  assertEquals(warningHeaders(["", "a\tb", "c"]), ['299 - "c"']);
  assertEquals(warningHeaders(['say "a\\b"']), ['299 - "say \\"a\\\\b\\""']);
  assertEquals(warningHeaders(["ä"]), ['299 - "Ã¤"']);
  const whole = "a".repeat(4096);
  assertEquals(warningHeaders([whole]), [`299 - "${whole}"`]);
  assertEquals(warningHeaders([`${whole}b`]), [`299 - "${"a".repeat(256)}"`]);
  // Sixteen texts of 256 characters fill the limit.
  const texts = Array.from({ length: 17 }, (_, i) => String(i).padEnd(300, "x"));
  assertEquals(warningHeaders(texts).length, 16);
  assertEquals(warningHeaders(["😀".repeat(4096)])[0]!.length, '299 - ""'.length + 4096 * 4);
  const faces = "😀".repeat(4097);
  assertEquals([...warningHeaders([faces])[0]!].length, '299 - ""'.length + 256 * 4);
});
