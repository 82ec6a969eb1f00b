import { assertEquals } from "@std/assert";
import { impersonationHeaders } from "../../../src/client/config/impersonation.ts";
import { TlsWorld } from "../_tls_world.ts";

Deno.test("impersonationHeaders() escapes keys and encodes values in UTF-8", () => {
  const lines = impersonationHeaders({
    user: "jürgen",
    uid: "",
    extra: { "example.com/Some%Key": ["1", "2"] },
  });
  assertEquals(lines, [
    ["Impersonate-User", "jÃ¼rgen"],
    ["Impersonate-Extra-example.com%2Fsome%25key", "1"],
    ["Impersonate-Extra-example.com%2Fsome%25key", "2"],
  ]);
});

Deno.test("Client sends one header line per group, because the server reads each line as one group", async () => {
  await using world = await TlsWorld.create();
  const impersonate = {
    user: "jane",
    uid: "7",
    groups: ["a", "b, c"],
    extra: { scopes: ["x", "y"] },
  };
  await using client = world.client({ impersonate, token: "t" });
  await world.whoAmI(client);
  const lines = world.server.requests[0]!.lines.filter(([name]) => /^imp|^auth/.test(name));
  assertEquals(lines, [
    ["impersonate-user", "jane"],
    ["impersonate-uid", "7"],
    ["impersonate-group", "a"],
    ["impersonate-group", "b, c"],
    ["impersonate-extra-scopes", "x"],
    ["impersonate-extra-scopes", "y"],
    ["authorization", "Bearer t"],
  ]);
});
