/** Metrics and debug pages answer only clients that have the right to read them. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Client, Manager, type ManagerOptions } from "@kubeloop/controller";
import { applyAll } from "@kubeloop/kubectl";
import { World } from "../_world.ts";

const SCRAPER = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: metrics-reader }
rules:
  - nonResourceURLs: [/metrics]
    verbs: [get]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: metrics-reader }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: metrics-reader }
subjects:
  - { kind: ServiceAccount, name: prometheus, namespace: monitoring }
`;

/** A cluster whose manager has exactly the rights that it prints. */
async function setUp(options: ManagerOptions = {}) {
  const user = (name: string) => ({ user: `system:serviceaccount:${name}`, groups: [] });
  const world = new World({
    tokens: {
      admin: { user: "root", groups: ["system:masters"] },
      operator: user("default:operator"),
      prometheus: user("monitoring:prometheus"),
      other: user("default:other"),
    },
  });
  const reviews: string[] = [];
  let [open, mostOpen] = [0, 0];
  let fails = false;
  const { fetch, ...rest } = world.server.clientOptions;
  const client = new Client({
    ...rest,
    ...world.client.environment,
    token: "operator",
    allowInsecureToken: true,
    fetch: async (request) => {
      const name = new URL(request.url).pathname.split("/").at(-1)!;
      if (request.method !== "POST") return await fetch(request);
      reviews.push(name);
      mostOpen = Math.max(mostOpen, ++open);
      try {
        return fails ? new Response("no", { status: 500 }) : await fetch(request);
      } finally {
        open--;
      }
    },
  });
  const manager = new Manager(client, { protectEndpoints: true, ...options });
  await world.do(applyAll(world.client, `${manager.rbac()}---\n${SCRAPER}`));
  const answer = (path: string, token?: string, method = "GET") => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return manager.handler(new Request(`http://pod${path}`, { method, headers }));
  };
  const ask = (path: string, token?: string, method?: string) =>
    world.do(answer(path, token, method));
  return {
    world,
    manager,
    reviews,
    mostReviews: () => mostOpen,
    ask,
    status: async (path: string, token?: string, method?: string) =>
      (await ask(path, token, method)).status,
    statuses: async (path: string, tokens: readonly string[]) =>
      (await world.do(Promise.all(tokens.map((token) => answer(path, token)))))
        .map(({ status }) => status),
    fail: (whether: boolean) => void (fails = whether),
    async [Symbol.asyncDispose]() {
      await client.close();
      await world[Symbol.asyncDispose]();
    },
  };
}

Deno.test("protectEndpoints answers by the rights of the token, and leaves the probes open", async () => {
  await using cluster = await setUp();
  const { ask, status } = cluster;
  assertEquals(await status("/metrics", "prometheus"), 200);
  assertStringIncludes(await (await ask("/metrics", "prometheus")).text(), "process_start_time");
  assertEquals(await status("/debug/reconciles", "prometheus"), 403);
  assertEquals(
    await (await ask("/debug/reconciles", "prometheus")).text(),
    "The user of the token may not get /debug/reconciles\n",
  );
  assertEquals(await status("/metrics", "other"), 403);
  assertEquals(await status("/metrics", "prometheus", "POST"), 403);
  assertEquals(await status("/debug/reconciles", "admin"), 200);
  const none = await ask("/metrics");
  assertEquals([none.status, none.headers.get("www-authenticate")], [401, "Bearer"]);
  assertEquals(await status("/metrics", "unknown"), 401);
  assertEquals(await status("/metrics", "a b"), 401);
  assertEquals(await status("/metrics", "x".repeat(20_000)), 401);
  assertEquals(await status("/healthz"), 200);
  assertEquals(await status("/none", "admin"), 404);
});

Deno.test("answers are kept for a minute, refusals for ten seconds, and equal requests share a review", async () => {
  await using cluster = await setUp();
  const { reviews, status, statuses, world } = cluster;
  const both = ["tokenreviews", "subjectaccessreviews"];
  const five = Array.from({ length: 5 }, () => "prometheus");
  assertEquals(await statuses("/metrics", five), [200, 200, 200, 200, 200]);
  assertEquals(reviews.splice(0), both);
  await world.pass(59_000);
  assertEquals(await status("/metrics", "prometheus"), 200);
  assertEquals(reviews.splice(0), []);
  await world.pass(2_000);
  assertEquals(await status("/metrics", "prometheus"), 200);
  assertEquals(reviews.splice(0), both);
  assertEquals([await status("/metrics", "other"), await status("/metrics", "other")], [403, 403]);
  assertEquals(reviews.splice(0), both);
  await world.pass(11_000);
  assertEquals(await status("/metrics", "other"), 403);
  assertEquals(reviews.splice(0), both);
});

Deno.test("a flood of tokens makes few reviews at a time, and a failing server admits no request", async () => {
  await using cluster = await setUp();
  const { fail, mostReviews, reviews, status, statuses, world } = cluster;
  const guesses = Array.from({ length: 100 }, (_, i) => `guess${i}`);
  const answers = await statuses("/metrics", guesses);
  assertEquals(mostReviews(), 16);
  const reviewed = reviews.splice(0).length;
  // A review may end before the hash of the last token is ready.
  assert(reviewed < 50, `${reviewed} reviews`);
  assertEquals(answers.filter((one) => one === 401).length, reviewed);
  assertEquals(answers.filter((one) => one === 503).length, guesses.length - reviewed);
  fail(true);
  assertEquals(await status("/metrics", "prometheus"), 503);
  const [line] = world.lines.filter((one) => one.startsWith("error"));
  assertStringIncludes(line ?? "", "The rights of a request of /metrics were not checked");
  assertEquals(line?.includes("prometheus"), false, "no token is logged");
  fail(false);
  assertEquals(await status("/metrics", "prometheus"), 200, "a failure is not kept");
});

Deno.test("without the option, everyone reads them, and rbac() has no rights to reviews", async () => {
  await using cluster = await setUp({ protectEndpoints: false });
  assertEquals(await cluster.status("/metrics"), 200);
  assertEquals(cluster.manager.rbac().includes("tokenreviews"), false);
  assertEquals(cluster.reviews, []);
});
