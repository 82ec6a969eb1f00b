import { assertEquals } from "@std/assert";
import { keyHash, parseRoute, watchHash } from "../../../src/see/page/live/route.ts";

Deno.test("parseRoute() reads the hash that keyHash() returns", () => {
  for (const key of ["default/web", "cluster-wide", "a/<img src=x>", "a/b?c#d%", "a/\u202e/ü"]) {
    assertEquals(parseRoute(keyHash("my controller", key, "backoff")), {
      kind: "key",
      controller: "my controller",
      key,
      about: "backoff",
    });
  }
  assertEquals(keyHash("widgets", "default/web"), "#/key/widgets/default/web");
});

Deno.test("parseRoute() reads the hash that watchHash() returns", () => {
  const name = "configmaps (namespace a/b)";
  assertEquals(parseRoute(watchHash(name)), { kind: "overview", watch: name });
});

Deno.test("parseRoute() shows the overview for all other hashes", () => {
  for (const hash of ["", "#", "#/", "#/key", "#/key/widgets", "#/watch", "#top", "#/%E0%A4%A/x"]) {
    assertEquals(parseRoute(hash), { kind: "overview" }, hash);
  }
});
