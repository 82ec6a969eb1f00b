import { assertEquals } from "@std/assert";
import type { ServerRequest } from "../../../src/testing/api_server/mod.ts";
import { Clients } from "../../../src/testing/see/clients.ts";

Deno.test("Clients.count() keeps no message of a refused write of a Secret, which an admission webhook may have written", () => {
  const clients = new Clients();
  const author = { userAgent: "kubectl", user: "", fieldManager: "" };
  const refuse = (verb: string, message: string) => {
    const query = new URLSearchParams();
    clients.count(
      { author, code: 403, message, query, resource: "secrets", verb } as ServerRequest,
      0,
    );
    return clients.get("kubectl")?.forbidden?.message;
  };
  assertEquals(refuse("create", "the password hunter2 is too short"), "refused with 403");
  assertEquals(refuse("list", "bob cannot list secrets"), "bob cannot list secrets");
});
