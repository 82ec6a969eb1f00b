import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { Client, ConfigMaps, defineResource, Leases, loadConfig } from "@kubeloop/controller";
import { ValidatingWebhookConfigurations } from "@kubeloop/controller/types/admissionregistration/v1";
import { slowTest } from "../../../support/kinds_of_tests.ts";
import { Project } from "./_project.ts";

/** Returns a client of the cluster that `kubeloop dev` has printed. */
async function clientOf(output: string): Promise<Client> {
  const [, kubeconfig] = /export KUBECONFIG=(\S+)/.exec(output) ?? [];
  assert(kubeconfig !== undefined, output);
  return new Client(await loadConfig({ kubeconfig }));
}

const call = { namespace: "default", timeoutMs: 60_000 };

slowTest(
  "kubeloop dev runs an operator in memory, prints its reconciles, and restarts it when a file is saved",
  async () => {
    await using project = await Project.create();
    await using dev = project.dev(["--load", "sample.yaml"]);
    const first = await dev.printed("greeting default/hi: success in ");
    assertStringIncludes(first, "greetings is leading\n");
    assertMatch(first, / {2}because greetings\.acme\.io default\/hi was added/);
    assertMatch(first, / {2}PATCH \/api\/v1\/namespaces\/default\/configmaps\/hi: 201 in /);
    await using client = await clientOf(first);
    assertEquals((await client.get(ConfigMaps, "hi", call)).data, { text: "hello" });

    // The cluster outlives the program.
    await project.edit("greeting.ts", "return text;", 'return text + "!";');
    await dev.printed("greeting.ts has changed\n");
    await client.waitFor(ConfigMaps, "hi", (found) => found?.data?.["text"] === "hello!", call);
    const again = await dev.printed(" ms of them to stop)");
    assertMatch(
      again,
      /greetings is leading, \d+ ms after greeting\.ts was saved \(\d+ ms of them/,
    );
    // It was stopped in order, not killed.
    assertStringIncludes(again, "the program ends\n");

    // A program that does not compile waits for the next change.
    await project.edit("main.ts", "await manager.run();", "await manager.run(;");
    await dev.printed("main.ts has ended with 1; it starts again when a file changes");
    await project.edit("main.ts", "await manager.run(;", "await manager.run();");
    await dev.printed(" was saved (", 2);

    assertEquals(await dev.interrupt(), 130);
    assertEquals(dev.output.split("the program ends\n").length - 1, 3);
    const [, folder = ""] = /export KUBECONFIG=(\S+)\/kubeconfig/.exec(dev.output) ?? [];
    await Deno.stat(folder).then(() => assert(false, `${folder} is left`), () => {});
  },
);

slowTest("kubeloop dev leaves no process if it is killed", async () => {
  await using project = await Project.create();
  const dev = project.dev();
  await dev.printed("greetings is leading\n");
  dev.kill();
  // The program and the cluster have the output, which ends when both have ended.
  assertEquals(await dev.ended(), 137);
  assertStringIncludes(dev.output, "the program ends\n");
  const [, folder = ""] = /export KUBECONFIG=(\S+)\/kubeconfig/.exec(dev.output) ?? [];
  await Deno.remove(folder, { recursive: true });
});

const ACCOUNT = `apiVersion: v1
kind: Namespace
metadata: { name: greetings }
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: operator, namespace: greetings }
`;

slowTest("kubeloop dev --as-service-account shows the rights that are missing", async () => {
  await using project = await Project.create();
  await Deno.writeTextFile(`${project.folder}/account.yaml`, ACCOUNT);
  await using dev = project.dev([
    "--as-service-account",
    "greetings/operator",
    "--load",
    "account.yaml",
  ]);
  const output = await dev.printed("main.ts has ended with 1");
  assertStringIncludes(output, "MissingRightsError");
  assertStringIncludes(output, "greetings.acme.io");
});

slowTest("kubeloop dev: webhooks reach the program by url", async () => {
  await using project = await Project.create();
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  await using dev = project.dev([], { WEBHOOK_URL: `https://127.0.0.1:${port}` });
  const output = await dev.printed("greetings is leading\n");
  await using client = await clientOf(output);
  const Greetings = defineResource({
    group: "acme.io",
    version: "v1",
    kind: "Greeting",
    spec: { type: "object", properties: { text: { type: "string" } } },
  });
  const create = (name: string, text: string) =>
    client.create(Greetings, { metadata: { name }, spec: { text } }, call)
      .then(() => "created", String);
  await client.waitFor(
    ValidatingWebhookConfigurations,
    "greetings",
    (found) => found?.webhooks?.[0]?.clientConfig.url !== undefined,
    { timeoutMs: call.timeoutMs },
  );
  assertStringIncludes(await create("bad", "bad"), "a bad word");
  assertEquals(await create("good", "good"), "created");
  await dev.printed("greeting default/good: success in ");
});

slowTest("kubeloop dev --context takes a lease over, and gives it back", async () => {
  await using project = await Project.create();
  // The cluster of one is the cluster of the other.
  await using first = project.dev();
  const output = await first.printed("greetings is leading\n");
  await using client = await clientOf(output);
  const [, kubeconfig = ""] = /export KUBECONFIG=(\S+)/.exec(output) ?? [];
  const holder = async () => (await client.get(Leases, "greetings", call)).spec?.holderIdentity;
  const before = await holder();

  await using second = project.dev(["--context", "kubeloop", "--yes"], { KUBECONFIG: kubeconfig });
  await second.printed(
    "main.ts will run in the cluster of the context kubeloop, http://127.0.0.1:",
  );
  await second.printed("greetings is standing by\n");
  // The operator in the cluster notices it, and ends.
  await first.printed("main.ts has ended with 1");
  assertStringIncludes(first.output, 'it is now held by "kubeloop-dev_');
  assert(await holder() !== before && (await holder())?.startsWith("kubeloop-dev_"));
  await second.printed("greetings is leading\n");
  assertEquals(await second.interrupt(), 130);
  assertEquals(await holder() ?? "", "");

  // So does a program that is replaced in the cluster: it starts again, and leads.
  await project.edit("greeting.ts", "return text;", "return `${text}.`;");
  await first.printed("greetings is leading, ");
});

slowTest("kubeloop dev --context warns of a manager without leader election", async () => {
  await using project = await Project.create();
  await using first = project.dev();
  const output = await first.printed("greetings is leading\n");
  const [, kubeconfig = ""] = /export KUBECONFIG=(\S+)/.exec(output) ?? [];
  await using other = await Project.create();
  await other.edit("main.ts", "  leaderElection: {", "  ...false && {");
  await using second = other.dev(["--context", "kubeloop", "--yes"], { KUBECONFIG: kubeconfig });
  await second.printed("warning: greetings elects no leader");
});
