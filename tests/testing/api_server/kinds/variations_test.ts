import { ApiServer } from "@kubeloop/testing";
import { playVariations, readVariations } from "./variations.ts";

/** The user who made the recorded requests. */
const ADMIN = { user: "e2e-admin", uid: "1", groups: ["system:masters"] };

for (const one of await readVariations()) {
  Deno.test(`creates at ${one.base.path} are answered as by a real server (${one.changes.length + 1})`, async () => {
    await using server = new ApiServer({ tokens: { token: ADMIN } });
    const fetch = (path: string, init: RequestInit) => {
      const request = new Request(`http://cluster${path}`, init);
      request.headers.set("authorization", "Bearer token");
      return server.fetch(request);
    };
    await playVariations(fetch, one);
  });
}
