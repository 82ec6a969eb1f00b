/**
 * The objects that a real API server creates when it starts on an empty etcd. With KUBELOOP_GOLDEN=write they are
 * written to `tests/testing/api_server/bootstrap`, where a test compares ours with them.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import {
  listObjects,
  readFreshObjects,
  writeFreshObjects,
} from "../testing/api_server/bootstrap/fresh_objects.ts";
import { ADMIN_TOKEN, Cluster } from "./cluster.ts";

/** The time in which the server creates the last of them, after it reports to be ready. */
const COMPLETE_AFTER_MS = 15_000;

Deno.test("a real kube-apiserver starts with the objects that were recorded", async () => {
  // Endpoints may not be loopback addresses.
  const apiServerFlags = ["--endpoint-reconciler-type=lease", "--advertise-address=172.18.0.1"];
  await using cluster = await Cluster.start({ apiServerFlags });
  await new Promise((resolve) => setTimeout(resolve, COMPLETE_AFTER_MS));
  using client = Deno.createHttpClient({ caCerts: [cluster.caData] });
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const found = await listObjects(async (path) =>
    await (await fetch(`${cluster.server}${path}`, { client, headers })).json()
  );
  if (Deno.env.get("KUBELOOP_GOLDEN") === "write") await writeFreshObjects(found);
  assertEquals([...found].sort(), [...await readFreshObjects()].sort());
});
