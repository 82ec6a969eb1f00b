import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { applyAll, type ApplyAllOptions, ApplyError, deleteAll } from "@kubeloop/kubectl";
import { ConfigMaps, isNotFound, Namespaces, Secrets } from "@kubeloop/controller/types";
import { namespace, World as KubectlWorld } from "../_world.ts";
import { configMap } from "./_objects.ts";

const PART_OF = "applyset.kubernetes.io/part-of";
const SET: ApplyAllOptions = { applySet: { name: "web" }, prune: true };

class World extends KubectlWorld {
  async apply(names: readonly string[], options: ApplyAllOptions = SET): Promise<string[]> {
    const results = await this.run(
      applyAll(this.client, names.map((name) => configMap(name)), options),
    );
    return results.map(({ name, status }) => `${name} ${status}`);
  }

  async exists(name: string, place = namespace): Promise<boolean> {
    try {
      await this.run(this.client.get(ConfigMaps, name, { namespace: place }));
      return true;
    } catch (error) {
      assert(isNotFound(error));
      return false;
    }
  }
}

Deno.test("prune deletes the former members of the set, and nothing else", async () => {
  await using world = new World();
  const { client, clock } = world;
  await clock.run(client.create(ConfigMaps, { metadata: { name: "stranger", namespace } }));
  assertEquals(await world.apply(["a", "b"]), ["a created", "b created"]);
  assertEquals(await world.apply(["other"], { applySet: { name: "db" } }), ["other created"]);
  assertEquals(await world.apply(["b", "c"]), ["b unchanged", "c created", "a pruned"]);
  assertEquals(await world.apply(["b", "c"]), ["b unchanged", "c unchanged"]);
  for (const [name, there] of [["a", false], ["stranger", true], ["other", true]] as const) {
    assertEquals(await world.exists(name), there, name);
  }
  assertEquals(await world.apply([], { ...SET, dryRun: true }), ["b pruned", "c pruned"]);
  assert(await world.exists("b"));
  assertEquals(await world.apply([]), ["b pruned", "c pruned"]);
});

Deno.test("An apply set has the label, parent and annotations of the KEP", async () => {
  await using world = new World();
  const { client, clock } = world;
  await world.apply(["a"], { ...SET, applySet: { name: "web", namespace: "kube-public" } });
  const parent = await clock.run(client.get(ConfigMaps, "web", { namespace: "kube-public" }));
  const member = await clock.run(client.get(ConfigMaps, "a", { namespace }));
  // As kubectl computes it: base64url(sha256("web.kube-public.ConfigMap.")).
  const id = "applyset-0F-a6Fr-XluM3FU9iEFhS3dAGfETaJB3q59Bax0y1go-v1";
  assertEquals(member.metadata.labels, { [PART_OF]: id });
  assertEquals(parent.metadata.labels, { "applyset.kubernetes.io/id": id });
  assertEquals(parent.metadata.annotations, {
    "applyset.kubernetes.io/additional-namespaces": "default",
    "applyset.kubernetes.io/contains-group-kinds": "ConfigMap",
    "applyset.kubernetes.io/tooling": "kubeloop/v1.0.0",
  });
});

Deno.test("A set records the kinds and namespaces of its members, and removes unused ones", async () => {
  await using world = new World();
  const { client, clock } = world;
  await clock.run(client.create(Namespaces, { metadata: { name: "old" } }));
  const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "s", namespace: "old" } };
  await clock.run(applyAll(client, [secret, configMap("a")], SET));
  const [kept, pruned] = await clock.run(applyAll(client, configMap("a"), SET));
  assertEquals([kept?.status, pruned?.status, pruned?.kind], ["unchanged", "pruned", "Secret"]);
  assertEquals((await clock.run(client.list(Secrets, { namespace: "old" }))).items, []);
  const parent = await clock.run(client.get(ConfigMaps, "web", { namespace }));
  assertEquals(
    parent.metadata.annotations?.["applyset.kubernetes.io/contains-group-kinds"],
    "ConfigMap",
  );
  assertEquals(parent.metadata.annotations?.["applyset.kubernetes.io/additional-namespaces"], "");
});

Deno.test("prune keeps an object with the label that a controller has copied", async () => {
  await using world = new World();
  const { client, clock } = world;
  await world.apply(["a"]);
  const { metadata: { labels } } = await clock.run(client.get(ConfigMaps, "a", { namespace }));
  await clock.run(
    client.create(ConfigMaps, { metadata: { name: "copy", namespace, labels: labels! } }),
  );
  assertEquals(await world.apply([]), ["a pruned"]);
  assert(await world.exists("copy"));
});

Deno.test("Nothing is pruned if an object fails, and the next time all of it is", async () => {
  await using world = new World();
  await world.apply(["a", "b"]);
  world.answer = (line) =>
    line === "PATCH /api/v1/namespaces/default/configmaps/c"
      ? Response.json({ kind: "Status", code: 500, message: "no" }, { status: 500 })
      : undefined;
  const error = await assertRejects(() => world.apply(["b", "c"]));
  assert(ApplyError.is(error));
  assertEquals(error.results.map(({ status }) => status), ["unchanged", "failed"]);
  assert(await world.exists("a"));
  world.answer = () => undefined;
  assertEquals(await world.apply(["b", "c"]), ["b unchanged", "c created", "a pruned"]);
});

Deno.test("The error of a failed prune has the results of the applied objects, and the next call prunes", async () => {
  await using world = new World();
  await world.apply(["a", "b"]);
  for (
    const [refused, expected] of [
      [
        "DELETE /api/v1/namespaces/default/configmaps/a",
        "Cannot apply 1 of 2 objects: ConfigMap default/a: no",
      ],
      [
        "GET /api/v1/namespaces/default/configmaps",
        "Cannot apply 1 of 2 objects: ConfigMap default/web: no",
      ],
    ] as const
  ) {
    world.answer = (line) =>
      line === refused
        ? Response.json({ kind: "Status", code: 403, reason: "Forbidden", message: "no" }, {
          status: 403,
        })
        : undefined;
    const error = await assertRejects(() => world.apply(["b"]));
    assert(ApplyError.is(error));
    assertEquals(error.results.map(({ status }) => status), ["unchanged", "failed"]);
    assertStringIncludes(error.message, expected);
  }
  world.answer = () => undefined;
  assertEquals(await world.apply(["b"]), ["b unchanged", "a pruned"]);
});

Deno.test("applyAll() rejects a parent that is not an apply set, or belongs to another tool", async () => {
  await using world = new World();
  const { client, clock } = world;
  const data = { important: "yes" };
  await clock.run(client.create(ConfigMaps, { metadata: { name: "web", namespace }, data }));
  const refused = async (message: string) => {
    const error = await assertRejects(() => world.apply(["a"]), Error);
    assertStringIncludes(error.message, message);
    assert(!(await world.exists("a")));
  };
  await refused(
    "Cannot use ConfigMap default/web as an apply set: it exists already and has no label",
  );
  const patch = (metadata: object) =>
    clock.run(client.patch(ConfigMaps, "web", { metadata }, { namespace }));
  await patch({ labels: { "applyset.kubernetes.io/id": "applyset-x-v1" } });
  await refused("has another value in its label");
  await clock.run(client.delete(ConfigMaps, "web", { namespace }));
  await world.apply([]);
  await patch({ annotations: { "applyset.kubernetes.io/tooling": "kubectl/v1.35.4" } });
  await refused("it belongs to another tool");
});

Deno.test("The parent may be in a Namespace that is applied with it", async () => {
  await using world = new World();
  const { client, clock } = world;
  const space = { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } };
  const metadata = { name: "a", namespace: "shop" };
  const options = { ...SET, namespace: "shop" };
  const objects = [{ ...configMap("a"), metadata }, space];
  const dry = await clock.run(applyAll(client, objects, { ...options, dryRun: true }));
  assertEquals(dry.map(({ status, unchecked }) => [status, unchecked]), [
    ["created", undefined],
    ["created", "its Namespace shop does not exist yet"],
  ]);
  const results = await clock.run(applyAll(client, objects, options));
  assertEquals(results.map(({ kind, status }) => [kind, status]), [
    ["Namespace", "created"],
    ["ConfigMap", "created"],
  ]);
  assert(await world.exists("web", "shop"));
  const pruned = await clock.run(applyAll(client, space, options));
  assertEquals(pruned.map(({ status }) => status), ["unchanged", "pruned"]);
  const lost = applyAll(client, configMap("a"), { ...SET, namespace: "nowhere" });
  assertStringIncludes((await assertRejects(() => clock.run(lost), Error)).message, "nowhere");
});

Deno.test("deleteAll() deletes in reverse order, and reports missing objects as absent", async () => {
  await using world = new World();
  const { client, clock } = world;
  const objects = [
    { apiVersion: "v1", kind: "Secret", metadata: { name: "s" } },
    configMap("a"),
    { apiVersion: "acme.io/v1", kind: "Gadget", metadata: { name: "g" } },
  ];
  await world.apply(["a"], {});
  world.requests.length = 0;
  const results = await clock.run(deleteAll(client, objects, { wait: true }));
  assertEquals(results.map(({ name, status }) => `${name} ${status}`), [
    "g absent",
    "a deleted",
    "s absent",
  ]);
  await world.apply(["a"], {});
  world.answer = (line) =>
    line.startsWith("DELETE") ? new Response("", { status: 500 }) : undefined;
  const error = await assertRejects(() => clock.run(deleteAll(client, objects)));
  assert(ApplyError.is(error));
  assertStringIncludes(error.message, "Cannot delete 2 of 3 objects: ConfigMap default/a: ");
  assert(await world.exists("a"));
});
