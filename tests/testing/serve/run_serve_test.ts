import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { runServe, warningsOf } from "../../../src/testing/serve/run_serve.ts";
import { parseServeCommand } from "../../../src/testing/serve/serve_options.ts";

/** The program, run in this process until it is stopped. */
class Program implements AsyncDisposable {
  readonly printed: string[] = [];
  readonly warned: string[] = [];
  readonly finished: Promise<number>;
  readonly #stop = new AbortController();
  #announce = () => {};
  /** Resolves when the program serves or has ended. */
  readonly announced: Promise<void>;

  constructor(...args: string[]) {
    this.announced = new Promise((resolve) => this.#announce = resolve);
    this.finished = runServe(["--port", "0", ...args], {
      print: (text) => {
        this.printed.push(text);
        if (/^# Serving/.test(text)) this.#announce();
      },
      warn: (text) => this.warned.push(text),
      signal: this.#stop.signal,
    });
    this.finished.then(() => this.#announce());
  }

  /** Returns the URL when the program serves. */
  async url(): Promise<string> {
    await this.announced;
    const url = /http:\/\/[0-9.:]+/.exec(this.printed.at(-1) ?? "") ??
      /http:\/\/[0-9.:]+/.exec(this.printed.join("\n"));
    assert(url !== null, [...this.printed, ...this.warned].join("\n"));
    return url[0];
  }

  async call(path: string, init?: RequestInit): Promise<{ status: number; text: string }> {
    const response = await fetch(`${await this.url()}${path}`, init);
    return { status: response.status, text: await response.text() };
  }

  /** Reads a watch until it contains a text. */
  async readUntil(path: string, text: string): Promise<void> {
    const response = await fetch(`${await this.url()}${path}`);
    let seen = "";
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      seen += part;
      if (seen.includes(text)) return;
    }
    throw new Error(`The watch has ended without ${text}: ${seen}`);
  }

  create(name: string): Promise<{ status: number; text: string }> {
    return this.call("/api/v1/namespaces/default/configmaps", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ metadata: { name } }),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.finished;
  }
}

async function folder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await Deno.makeTempDir({ prefix: "kubeloop-serve-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

Deno.test("runServe() serves, prints a kubeconfig, and ends cleanly", async () => {
  const program = new Program("--seed", "1");
  const url = await program.url();
  assertEquals((await program.call("/readyz")).text, "ok");
  assertStringIncludes(program.printed[0]!, `server: "${url}"`);
  assert(!/^\n|\n$/.test(program.printed[0]!));
  const how = "save the text above as FILE, then run: export KUBECONFIG=FILE";
  assertEquals(program.printed.slice(1), [`# Serving ${url}; ${how}`]);
  // Objects that only a controller creates do not exist.
  assertEquals(
    JSON.parse((await program.call("/api/v1/namespaces/default/configmaps")).text).items,
    [],
  );
  assertEquals(program.warned, []);
  await program[Symbol.asyncDispose]();
  assertEquals([await program.finished, program.warned], [0, ["stopping"]]);
  await assertRejects(() => fetch(url));
});

Deno.test("runServe() runs nodes and controllers with --nodes, and stops them", async () => {
  const program = new Program("--seed", "1", "--nodes", "3");
  await program.url();
  const labels = { app: "web" };
  const containers = [{ name: "main", image: "nginx" }];
  const spec = {
    replicas: 2,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers } },
  };
  const path = "/apis/apps/v1/namespaces/default/deployments";
  const body = JSON.stringify({ metadata: { name: "web" }, spec });
  const headers = { "content-type": "application/json" };
  assertEquals((await program.call(path, { method: "POST", headers, body })).status, 201);
  const watch = new URLSearchParams({ watch: "true", fieldSelector: "metadata.name=web" });
  await program.readUntil(`${path}?${watch}`, '"availableReplicas":2');
  const { items } = JSON.parse((await program.call("/api/v1/nodes")).text);
  assertEquals(items.map(({ metadata }: { metadata: { name: string } }) => metadata.name), [
    "node-1",
    "node-2",
    "node-3",
  ]);
  await program[Symbol.asyncDispose]();
  assertEquals(await program.finished, 0);
});

Deno.test("runServe() generates the same uids with the same seed", async () => {
  const uids = [];
  for (const seed of ["1", "1", "2"]) {
    await using program = new Program("--seed", seed);
    uids.push(JSON.parse((await program.create("a")).text).metadata.uid);
  }
  assertEquals(uids[0], uids[1]);
  assert(uids[1] !== uids[2]);
});

Deno.test("runServe() keeps its state in a file and starts from it", async () => {
  await using place = await folder();
  const save = `${place.path}/state`;
  {
    await using program = new Program("--save", save, "--seed", "1");
    assertEquals((await program.create("a")).status, 201);
  }
  await using program = new Program("--save", save, "--seed", "1");
  const first = JSON.parse((await program.call("/api/v1/namespaces/default/configmaps/a")).text);
  const second = JSON.parse((await program.create("b")).text);
  // The restored server uses the same seed, but must not generate the uids of the state again.
  for (let i = 0; i < 40; i++) await program.create(`more-${i}`);
  const uids: string[] = [];
  for (
    const path of [
      "/api/v1/namespaces",
      "/api/v1/configmaps",
      "/apis/rbac.authorization.k8s.io/v1/clusterroles",
      "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
    ]
  ) {
    const { items } = JSON.parse((await program.call(path)).text);
    uids.push(...items.map((item: { metadata: { uid: string } }) => item.metadata.uid));
  }
  assertEquals(new Set(uids).size, uids.length);
  assert(Number(second.metadata.resourceVersion) > Number(first.metadata.resourceVersion));
});

Deno.test("runServe() does not change a state file that it cannot read", async () => {
  await using place = await folder();
  const save = `${place.path}/state`;
  for (
    const text of [
      "precious\n",
      '{"kind":"KubeloopState","version":1,"resourceVersion":"9","objects":1}\n{"resource":"configmaps","object":{}}\n',
    ]
  ) {
    await Deno.writeTextFile(save, text);
    await using program = new Program("--save", save);
    assertEquals(await program.finished, 1);
    assertEquals(program.warned.length, 1);
    assertStringIncludes(program.warned[0]!, save);
    assertEquals(await Deno.readTextFile(save), text);
  }
});

Deno.test("runServe() loads files, also on top of a restored state", async () => {
  await using place = await folder();
  const [load, save] = [`${place.path}/a.yaml`, `${place.path}/state`];
  await Deno.writeTextFile(
    load,
    `apiVersion: example.com/v1
kind: Gadget
metadata: {name: g, namespace: shop}
spec: {size: 1}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: gadgets, kind: Gadget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
---
apiVersion: v1
kind: Namespace
metadata: {name: shop}
`,
  );
  for (let run = 0; run < 2; run++) {
    await using program = new Program("--load", load, "--save", save);
    const { text } = await program.call("/apis/example.com/v1/namespaces/shop/gadgets/g");
    assertEquals(JSON.parse(text).spec, { size: 1 });
  }
});

Deno.test("runServe() stops while it loads a file", async () => {
  await using place = await folder();
  const load = `${place.path}/many.yaml`;
  const map = (n: number) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m-${n}}\n`;
  await Deno.writeTextFile(load, Array.from({ length: 200 }, (_, n) => map(n)).join("---\n"));
  const program = new Program("--load", load);
  await program[Symbol.asyncDispose]();
  assertEquals(await program.finished, 0);
  assertEquals(program.printed, []);
  assertEquals(program.warned, []);
});

Deno.test("runServe() reports an error that it meets while it stops", async () => {
  await using place = await folder();
  const program = new Program("--load", `${place.path}/none`);
  await program[Symbol.asyncDispose]();
  assertEquals(await program.finished, 1);
  assertStringIncludes(program.warned.join("\n"), "no such file");
});

Deno.test("runServe() calls webhooks over HTTPS, and prints the warnings of the server", async () => {
  await using program = new Program();
  const rule = {
    apiGroups: [""],
    apiVersions: ["v1"],
    operations: ["*"],
    resources: ["configmaps"],
  };
  const webhook = {
    name: "hook.example.com",
    clientConfig: { url: "https://127.0.0.1:1/x" },
    rules: [rule],
    admissionReviewVersions: ["v1"],
    sideEffects: "None",
    failurePolicy: "Ignore",
  };
  const path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
  const body = JSON.stringify({ metadata: { name: "hook" }, webhooks: [webhook] });
  const headers = { "content-type": "application/json" };
  assertEquals((await program.call(path, { method: "POST", headers, body })).status, 201);
  assertEquals((await program.create("a")).status, 201);
  assertEquals(program.warned.length, 1);
  assertStringIncludes(program.warned[0]!, "dial tcp 127.0.0.1:1: connect: connection refused");
});

Deno.test("warningsOf() names an address that other machines reach, and a token without TLS", () => {
  const reachable = "warning: 0.0.0.0 is reachable from other machines";
  const plain = "warning: kubectl and client-go send a token over TLS only; to use them, add --tls";
  const open = ["--hostname", "0.0.0.0"];
  for (
    const [args, warnings] of [
      [[], []],
      [["--tls"], []],
      [["--token", "t"], [plain]],
      [["--token", "t", "--tls"], []],
      [open, [`${reachable}, and every client is an administrator`]],
      [[...open, "--token", "t"], [`${reachable}, without encryption`, plain]],
      [[...open, "--token", "t", "--tls"], [reachable]],
    ]
  ) {
    assertEquals(warningsOf(parseServeCommand(args!)), warnings);
  }
});

Deno.test("runServe() requires the token and injects the faults", async () => {
  await using place = await folder();
  const out = `${place.path}/kubeconfig`;
  await using program = new Program(
    "--token",
    "s3cret",
    "--kubeconfig-out",
    out,
    "--fault",
    "GET /api/v1/nodes:503",
  );
  const headers = { authorization: "Bearer s3cret" };
  assertEquals((await program.call("/api/v1/pods", { headers })).status, 200);
  assertEquals((await program.call("/api/v1/nodes", { headers })).status, 503);
  const plain = "warning: kubectl and client-go send a token over TLS only; to use them, add --tls";
  assertEquals(program.warned, [plain]);
  assertEquals((await program.call("/api/v1/pods")).status, 403);
  const review = await program.call("/apis/authentication.k8s.io/v1/selfsubjectreviews", {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: "{}",
  });
  assertEquals(JSON.parse(review.text).status.userInfo.username, "kubeloop-admin");
  const wrong = { authorization: "Bearer wrong" };
  assertEquals((await program.call("/api/v1/pods", { headers: wrong })).status, 401);
  assertStringIncludes(await Deno.readTextFile(out), `token: "s3cret"`);
  assert(![...program.printed, ...program.warned].some((line) => line.includes("s3cret")));
});

Deno.test("runServe() serves TLS with a certificate that the kubeconfig trusts", async () => {
  await using place = await folder();
  const out = `${place.path}/kubeconfig`;
  await using program = new Program("--tls", "--kubeconfig-out", out);
  await program.announced;
  const text = await Deno.readTextFile(out);
  const url = /server: "(https:[^"]+)"/.exec(text)![1]!;
  const authority = atob(/certificate-authority-data: ([A-Za-z0-9+/=]+)/.exec(text)![1]!);
  using client = Deno.createHttpClient({ caCerts: [authority] });
  for (const name of ["127.0.0.1", "localhost"]) {
    const response = await fetch(`${url.replace("127.0.0.1", name)}/readyz`, { client });
    assertEquals(await response.text(), "ok");
  }
  // Without credentials kubectl asks for a name over TLS, and sends none of these over plain HTTP.
  const token = /token: "([^"]+)"/.exec(text)![1]!;
  const authorized = { client, headers: { authorization: `Bearer ${token}` } };
  const answer = await fetch(`${url}/api/v1/nodes`, authorized);
  await answer.body?.cancel();
  assertEquals(answer.status, 200);
  const stranger = await fetch(`${url}/readyz`).catch((error) => error);
  assert(stranger instanceof TypeError);
});

Deno.test("runServe() answers for the hosts of --accept-hosts and of --hostname, also in the certificate", async () => {
  await using place = await folder();
  const out = `${place.path}/kubeconfig`;
  await using program = new Program("--tls", "--accept-hosts", "dev.test", "--kubeconfig-out", out);
  await program.announced;
  const text = await Deno.readTextFile(out);
  const port = Number(/server: "https:[^"]+:([0-9]+)"/.exec(text)![1]);
  const authority = atob(/certificate-authority-data: ([A-Za-z0-9+/=]+)/.exec(text)![1]!);
  for (const [host, status] of [["dev.test", 200], ["127.0.0.1", 200], ["other.test", 403]]) {
    const tcp = await Deno.connect({ hostname: "127.0.0.1", port });
    using tls = await Deno.startTls(tcp, { hostname: "dev.test", caCerts: [authority] });
    const request = `GET /readyz HTTP/1.1\r\nHost: ${host}:${port}\r\nConnection: close\r\n\r\n`;
    await tls.write(new TextEncoder().encode(request));
    const answer = new Uint8Array(64);
    await tls.read(answer);
    assertStringIncludes(new TextDecoder().decode(answer), `HTTP/1.1 ${status}`);
  }
});

Deno.test("runServe() does not overwrite a kubeconfig that it did not write", async () => {
  await using place = await folder();
  const out = `${place.path}/config`;
  await Deno.writeTextFile(out, "apiVersion: v1\n");
  await using program = new Program("--kubeconfig-out", out);
  assertEquals(await program.finished, 1);
  assertEquals(await Deno.readTextFile(out), "apiVersion: v1\n");
});

Deno.test("runServe() overwrites a kubeconfig that it wrote, of up to 1 MiB, and names it as a shell reads it", async () => {
  await using place = await folder();
  const limit = 1024 * 1024;
  for (
    const [name, word, length] of [
      ["config", "config", limit],
      ["it's mine", "it'\\''s mine", limit],
      ["long", undefined, limit + 1],
    ] as const
  ) {
    const out = `${place.path}/${name}`;
    const text = "# Written by @kubeloop/testing/serve; it may be overwritten.".padEnd(length);
    await Deno.writeTextFile(out, text);
    await using program = new Program("--kubeconfig-out", out);
    await program.announced;
    const written = await Deno.readTextFile(out);
    if (word === undefined) {
      assertStringIncludes(program.warned[0]!, `the limit is ${limit} bytes`);
      assertEquals(written, text);
    } else {
      const line = `${place.path}/${word}`;
      const quoted = word === name ? line : `'${line}'`;
      assertEquals(program.printed, [
        `# Serving ${await program.url()}`,
        `export KUBECONFIG=${quoted}`,
      ]);
      assertStringIncludes(written, `server: "${await program.url()}"`);
    }
  }
});

Deno.test("runServe() prints its flags with --help, and serves nothing", async () => {
  await using program = new Program("--help");
  assertEquals([await program.finished, program.warned], [0, []]);
  assertEquals(program.printed.length, 1);
  assertStringIncludes(program.printed[0]!, "--kubeconfig");
});

Deno.test("runServe() reports an error in one line", async () => {
  await using place = await folder();
  const bad = `${place.path}/bad.yaml`;
  await Deno.writeTextFile(bad, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: B A D}\n");
  const bomb = `${place.path}/bomb.yaml`;
  const level = (n: number) => `l${n}: &l${n} [${`*l${n - 1},`.repeat(9)}]\n`;
  const levels = Array.from({ length: 12 }, (_, n) => level(n + 1)).join("");
  await Deno.writeTextFile(
    bomb,
    `apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nl0: &l0 [x]\n${levels}`,
  );
  await using taken = new Program();
  const { port } = new URL(await taken.url());
  for (
    const [args, problem] of [
      [["--nosuch"], "Unknown flag --nosuch"],
      [["--load", bad], "ConfigMap B A D"],
      [["--load", `${place.path}/none`], "no such file"],
      [["--load", bomb], "document contains excessive aliasing"],
      [["--load", "/dev/zero"], "/dev/zero is a device, not a file"],
      [["--load", place.path], "is a folder, not a file"],
      [["--save", place.path], "is a folder, not a file"],
      [["--save", `${place.path}/none/state`], "none/state"],
      [["--port", port], "Cannot listen on 127.0.0.1"],
    ] as const
  ) {
    await using program = new Program(...args);
    assertEquals(await program.finished, 1);
    assertEquals(program.printed, []);
    assertEquals(program.warned.length, 1, program.warned.join("\n"));
    assertStringIncludes(program.warned[0]!, problem);
    assertEquals(program.warned[0]!.includes("\n"), false);
  }
});
