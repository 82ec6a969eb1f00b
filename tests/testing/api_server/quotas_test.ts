import { assertEquals } from "@std/assert";
import { Client, ConfigMaps, type KubeObject, Pods, type Resource } from "../../../mod.ts";
import { PersistentVolumeClaims } from "../../../src/testing/actors/control/mod.ts";
import { type ResourceQuota, ResourceQuotas } from "../../../src/testing/actors/quota_kinds.ts";
import { ApiServer } from "../../../src/testing/mod.ts";

const CALL = { namespace: "default" };

type Amounts = Record<string, string>;

/** A server with quotas, whose status a test writes. */
class Quotas implements AsyncDisposable {
  readonly server: ApiServer = new ApiServer();
  readonly client: Client = new Client(this.server.clientOptions);

  /** Creates a quota with no usage yet, or with unknown usage. */
  async limit(name: string, hard: Amounts, spec: object = {}, isKnown = true): Promise<void> {
    const quota = { metadata: { name }, spec: { hard, ...spec } };
    const created = await this.client.create(ResourceQuotas, quota, CALL);
    const used = isKnown ? Object.fromEntries(Object.keys(hard).map((one) => [one, "0"])) : {};
    await this.client.updateStatus(ResourceQuotas, { ...created, status: { hard, used } });
  }

  /** Returns what is used of a quota. */
  used(name: string): Amounts | undefined {
    return (this.server.get(ResourceQuotas, name, "default") as ResourceQuota).status?.used;
  }

  /** Creates an object; returns the reason of a refusal. */
  async create<T extends KubeObject>(
    resource: Resource<T>,
    name: string,
    rest: object = {},
    call: object = {},
  ): Promise<string> {
    const object = { metadata: { name }, ...rest };
    return await this.client.create(resource as Resource, object, { ...CALL, ...call })
      .then(() => "", (error) => error.message.replace(/^.* is forbidden: /, ""));
  }

  /** Changes an object by a merge patch. */
  async change<T extends KubeObject>(
    resource: Resource<T>,
    name: string,
    patch: object,
    call: object = {},
  ): Promise<void> {
    await this.client.patch(resource as Resource, name, patch, { ...CALL, ...call });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    await this.server.close();
  }
}

const pod = (requests: Amounts = {}, spec: object = {}) => ({
  spec: { containers: [{ name: "a", image: "i", resources: { requests } }], ...spec },
});

Deno.test("a quota asks nothing of Pods outside its scopes, and of resources that it does not limit", async () => {
  await using quotas = new Quotas();
  await quotas.limit("long", { "requests.cpu": "1" }, { scopes: ["Terminating"] });
  await quotas.limit("unknown", { secrets: "1" }, {}, false);
  assertEquals(await quotas.create(Pods, "short", pod()), "");
  assertEquals(
    await quotas.create(Pods, "long", pod({}, { activeDeadlineSeconds: 5 })),
    "failed quota: long: must specify requests.cpu for: a",
  );
  assertEquals(quotas.used("long"), { "requests.cpu": "0" });
});

Deno.test("a quota with unknown usage refuses the objects that it limits", async () => {
  await using quotas = new Quotas();
  await quotas.limit("unknown", { configmaps: "1", "count/configmaps": "1" }, {}, false);
  assertEquals(
    await quotas.create(ConfigMaps, "a"),
    "status unknown for quota: unknown, resources: configmaps,count/configmaps",
  );
});

Deno.test("a quota is charged up to its limit, and not by a dry run", async () => {
  await using quotas = new Quotas();
  await quotas.limit("few", { configmaps: "1", secrets: "1" });
  assertEquals(await quotas.create(ConfigMaps, "a", {}, { dryRun: true }), "");
  assertEquals(quotas.used("few"), { configmaps: "0", secrets: "0" });
  assertEquals(await quotas.create(ConfigMaps, "a"), "");
  assertEquals(quotas.used("few"), { configmaps: "1", secrets: "0" });
  assertEquals(
    await quotas.create(ConfigMaps, "b"),
    "exceeded quota: few, requested: configmaps=1, used: configmaps=1, limited: configmaps=1",
  );
});

Deno.test("a Pod that comes into the scope of a quota is charged in full", async () => {
  await using quotas = new Quotas();
  await quotas.limit("long", { pods: "1", "requests.cpu": "2" }, { scopes: ["Terminating"] });
  await quotas.limit("all", { pods: "9" });
  assertEquals(await quotas.create(Pods, "a", pod({ cpu: "1500m" })), "");
  assertEquals(quotas.used("long"), { pods: "0", "requests.cpu": "0" });
  await quotas.change(Pods, "a", { spec: { activeDeadlineSeconds: 5 } });
  assertEquals(quotas.used("long"), { pods: "1", "requests.cpu": "1500m" });
  assertEquals(quotas.used("all"), { pods: "1" });
});

Deno.test("a claim is charged for what it holds already, even above the limit, and not for what it asks", async () => {
  await using quotas = new Quotas();
  await quotas.limit("disk", { "requests.storage": "5Gi" });
  const claim = (storage: string) => ({
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
  });
  assertEquals(await quotas.create(PersistentVolumeClaims, "a", claim("4Gi")), "");
  const status = { allocatedResources: { storage: "6Gi" } };
  await quotas.change(PersistentVolumeClaims, "a", { status }, { subresource: "status" });
  assertEquals(quotas.used("disk"), { "requests.storage": "6Gi" });
  assertEquals(
    await quotas.create(PersistentVolumeClaims, "b", claim("1")),
    "exceeded quota: disk, requested: requests.storage=1, used: requests.storage=6Gi, " +
      "limited: requests.storage=5Gi",
  );
});
