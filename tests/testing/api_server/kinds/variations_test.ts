import { ApiServer } from "@kubeloop/testing";
import { playVariations, readVariations } from "./variations.ts";

for (const one of await readVariations()) {
  Deno.test(`creates at ${one.base.path} are answered as by a real server (${one.changes.length + 1})`, async () => {
    await using server = new ApiServer();
    await playVariations((path, init) => server.fetch(`http://cluster${path}`, init), one);
  });
}
