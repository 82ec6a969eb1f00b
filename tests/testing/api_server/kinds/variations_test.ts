import { ApiServer } from "@kubeloop/testing";
import { playVariations, readVariations } from "./variations.ts";

/** The user who made the recorded requests. */
const ADMIN = { user: "e2e-admin", uid: "1", groups: ["system:masters"] };

const recorded = {
  creates: await readVariations("creates"),
  updates: await readVariations("updates"),
};
const all = Object.entries(recorded).flatMap(([what, list]) => list.map((one) => ({ what, one })));

for (const { what, one } of all) {
  const { base: { path, base, updates = "" }, changes } = one;
  Deno.test(`${what} at ${path}${updates} are answered as by a real server (${base.metadata.name}, ${changes.length})`, async () => {
    await using server = new ApiServer({ tokens: { token: ADMIN } });
    const fetch = (path: string, init: RequestInit) => {
      const request = new Request(`http://cluster${path}`, init);
      request.headers.set("authorization", "Bearer token");
      return server.fetch(request);
    };
    await playVariations(fetch, one);
  });
}
