/** `kubeloop dev --context` against a real API server: leases, a ServiceAccount's rights, webhooks by url. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  Client,
  ConfigMaps,
  defineResource,
  Leases,
  loadConfig,
  ServiceAccounts,
} from "@kubeloop/controller";
import { LeaderElector, LeadershipLostError } from "@kubeloop/controller/election";
import { Project } from "../kubectl/cli/dev/_project.ts";
import { eventually, World } from "./world.ts";

const Greetings = defineResource({
  group: "acme.io",
  version: "v1",
  kind: "Greeting",
  spec: { type: "object", properties: { text: { type: "string" } } },
});

const call = { namespace: "default", timeoutMs: 60_000 };

Deno.test("kubeloop dev runs an operator in a real cluster, beside the installed operator", async (t) => {
  await using world = await World.create();
  const { client, kubeconfig } = world;
  await using project = await Project.create();
  const flags = ["--context", "token", "--yes"];
  const holder = async () => (await client.get(Leases, "greetings", call)).spec?.holderIdentity;

  await t.step("it takes the lease over, reconciles, and gives the lease back", async () => {
    // The operator in the cluster.
    await using other = new Client(await loadConfig({ kubeconfig }));
    const elector = new LeaderElector(other, {
      name: "greetings",
      namespace: "default",
      leaseDurationMs: 3000,
      renewDeadlineMs: 2000,
      retryPeriodMs: 500,
    });
    const leads = Promise.withResolvers<void>();
    const led = elector.run((signal) => {
      leads.resolve();
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
    }).catch((error) => error);
    await leads.promise;

    await using dev = project.dev(flags, { KUBECONFIG: kubeconfig });
    await dev.printed("main.ts will run in the cluster of the context token, https://127.0.0.1:");
    assert(LeadershipLostError.is(await led));
    await dev.printed("greetings is leading\n");
    assertStringIncludes(await holder() ?? "", "kubeloop-dev_");
    await client.create(Greetings, { metadata: { name: "hi" }, spec: { text: "hello" } }, call);
    await dev.printed("greeting default/hi: success in ");
    await client.waitFor(ConfigMaps, "hi", (found) => found?.data?.["text"] === "hello", call);
    await project.edit("greeting.ts", "return text;", 'return text + "!";');
    await client.waitFor(ConfigMaps, "hi", (found) => found?.data?.["text"] === "hello!", call);
    assertEquals(await dev.interrupt(), 130);
    assertEquals(await holder() ?? "", "");
  });

  await t.step("a right that the ServiceAccount lacks shows at once", async () => {
    await client.create(ServiceAccounts, { metadata: { name: "operator" } }, call);
    const account = ["--as-service-account", "default/operator"];
    await using dev = project.dev([...flags, ...account], { KUBECONFIG: kubeconfig });
    await dev.printed("as ServiceAccount default/operator");
    const output = await dev.printed("main.ts has ended with 1");
    assertStringIncludes(output, "MissingRightsError");
    assertStringIncludes(output, "greetings");
  });

  await t.step("the API server reaches its webhooks by url", async () => {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = listener.addr;
    listener.close();
    await using dev = project.dev(flags, {
      KUBECONFIG: kubeconfig,
      WEBHOOK_URL: `https://127.0.0.1:${port}`,
    });
    await dev.printed("greetings is leading\n");
    let said = "";
    await eventually("a bad word is refused", async () => {
      said = await client.create(Greetings, { metadata: { name: "bad" }, spec: { text: "bad" } }, {
        ...call,
        dryRun: true,
      }).then(() => "created", String);
      return said !== "created";
    });
    assertStringIncludes(said, "a bad word");
  });
});
