import { assert, assertEquals } from "@std/assert";
import { TextLineStream } from "@std/streams/text-line-stream";
import { parse } from "@std/yaml/parse";
import { ConfigMaps, Deployments, Events, Pods } from "@kubeloop/controller";
import { COMMANDS } from "../../../src/kubectl/cli/commands.ts";
import { CliRun } from "./_cli.ts";
import { namespace, World } from "./_world.ts";

const TOKEN = "s3cr3t-t0ken/of+the=user";

const SECRETS: readonly string[] = [TOKEN, btoa(TOKEN)];

const KUBECONFIG = `apiVersion: v1
kind: Config
current-context: c
clusters: [{ name: c, cluster: { server: "http://127.0.0.1:8001" } }]
users: [{ name: u, user: { token: ${JSON.stringify(TOKEN)} } }]
contexts: [{ name: c, context: { cluster: c, user: u } }]
`;

/** Clears the screen, sets the clipboard, hides text, forges lines, turns the direction, and repeats the token. */
const EVIL =
  `\u001b[2J\u001b]52;c;bHM=\u0007\u001b[8m\r\nerror: forged\u009b2J\u202e\u2028\u0000\u{e0041}` +
  `\ud800 Bearer ${TOKEN} ${btoa(TOKEN)}`;

/** The fields without which a client cannot read an answer at all. */
const STRUCTURE = [
  "apiVersion",
  "continue",
  "groupVersion",
  "kind",
  "matchLabels",
  "resource",
  "resourceVersion",
  "scope",
  "type",
  "uid",
  "verbs",
  "version",
];

/** The fields that a client sends back to the server, which refuses odd ones. */
const NAMES = [...STRUCTURE, "annotations", "labels", "name", "namespace"];

/** The lies of a server. */
interface Lies {
  /** The fields that are true. */
  readonly kept: readonly string[];
  /** The paths of the answers with lies. */
  readonly paths: (path: string) => boolean;
  /** Whether it refuses all requests for objects. */
  readonly isRefusing?: boolean;
}

const isAboutObjects = (path: string) => path.split("/").length > 4;

const LIES: Readonly<Record<string, Lies>> = {
  "in everything": { kept: STRUCTURE, paths: () => true },
  "in objects": { kept: STRUCTURE, paths: isAboutObjects },
  "in texts of objects": { kept: NAMES, paths: isAboutObjects },
  "in errors": { kept: STRUCTURE, paths: () => false, isRefusing: true },
};

/** Returns a value with lies in every text, and in the keys of labels and managed fields. */
function lying(value: unknown, kept: readonly string[], field = ""): unknown {
  if (kept.includes(field)) return value;
  if (typeof value === "string") return value + EVIL;
  if (Array.isArray(value)) return value.map((item) => lying(item, kept, field));
  if (typeof value !== "object" || value === null) return value;
  const isMap = field === "labels" || field.startsWith("f:");
  return Object.fromEntries(
    Object.entries(value).map(([name, below]) => [
      isMap ? name + EVIL : name,
      // A bookmark is known by its annotation.
      name.startsWith("k8s.io/") ? below : lying(below, kept, name),
    ]),
  );
}

/** Returns a server that lies. */
function lyingServer(world: World, { kept, paths, isRefusing }: Lies): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    if (pathname.endsWith("/debug/reconciles")) return Response.json(lying(STORIES, kept));
    if (isRefusing && isAboutObjects(pathname)) {
      return Response.json(lying(REFUSAL, kept), { status: 403 });
    }
    const response = await world.server.fetch(request);
    const { body, status } = response;
    const headers = new Headers(response.headers);
    headers.delete("content-length");
    headers.append("warning", `299 - "w\u009b2J Bearer ${TOKEN}"`);
    if (pathname.endsWith("/log")) {
      // A line of a log may have colours, and a break is the end of a line.
      const evil = EVIL.replace("\u001b[8m", "").replace("\r\n", "");
      return new Response(`2026-01-01T00:00:00Z line${evil}\n`, { headers });
    }
    if (!paths(pathname) || body === null) return new Response(body, { status, headers });
    const lines = body.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream());
    const lies = lines.pipeThrough(
      new TransformStream<string, string>({
        transform: (line, controller) =>
          controller.enqueue(`${JSON.stringify(lying(JSON.parse(line), kept))}\n`),
      }),
    );
    return new Response(lies.pipeThrough(new TextEncoderStream()), { status, headers });
  };
}

const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${JSON.stringify(`widgets.acme.io${EVIL}`)} }
spec:
  group: acme.io
  scope: Namespaced
  names: { plural: widgets, singular: widget, kind: Widget, listKind: WidgetList }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          description: ${JSON.stringify(EVIL)}
          properties:
            spec:
              type: object
              description: ${JSON.stringify(EVIL)}
              properties:
                ${JSON.stringify(`a${EVIL}`)}: { type: string, enum: [${JSON.stringify(EVIL)}] }
`;

const MANIFEST = `apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { a: "2" }
`;

/** The forms of output that are data: exact, and safe by escapes of their own. */
const DATA = /-o (json|yaml)|^logs|^snapshot|^types/;

/** A manager at an address is sent no token, so that it cannot repeat it. */
const KNOWS_NO_TOKEN = /^why --manager http/;

/** Each command, in each form. Commands with a `…` are stopped after their first output. */
const RUNS: readonly string[] = [
  "get pods",
  "get pods -A",
  "get pods -o wide",
  "get pods -o name",
  "get pods -o json",
  "get pods -o yaml",
  "get pods,services",
  "get pods/web deploy/web",
  "get pods none",
  "get nothing",
  "get widgets",
  "watch pods …",
  "watch pods -o wide …",
  "watch pods -o name …",
  "watch pods -o json …",
  "logs web",
  "logs web --timestamps",
  "logs -l app=web",
  "logs -f -l app=web --timestamps …",
  "logs deploy/web",
  "apply -f manifest.yaml",
  "apply -f manifest.yaml --diff --force-conflicts",
  "apply -f manifest.yaml --dry-run --force-conflicts",
  "apply -f manifest.yaml --apply-set set --prune --force-conflicts",
  "apply -f manifest.yaml --wait --timeout 5s --force-conflicts",
  "pause pods/web",
  "reconcile pods/web",
  "resume pods/web",
  "wait --for create pods/web",
  "wait --for create pods",
  "wait --for rollout deploy/web --timeout 5s",
  "wait --for condition=Ready pods --timeout 5s",
  "wait --for delete pods --timeout 5s",
  "why pods/web",
  "why pods/web metadata.labels",
  "why pods/web -o json",
  "why deploy/web",
  "why --manager http://127.0.0.1:8080",
  "why --manager http://127.0.0.1:8080 -o json",
  "why --manager deploy/web",
  "why --manager web",
  "why pods/web --manager http://127.0.0.1:8080",
  "snapshot",
  "types crd.yaml",
  "types manifest.yaml",
  "completion resources",
  "completion bash",
];

const STORIES = {
  stories: [{
    controller: "widgets",
    key: "default/web",
    attempt: 1,
    causes: [{
      why: "updated",
      resource: "pods",
      object: "default/web",
      changed: ["a"],
      by: "b",
      count: 1,
      waitedMs: 0,
    }],
    startedAt: "2026-01-01T00:00:00Z",
    queuedMs: 0,
    durationMs: 1,
    requests: [{ method: "GET", path: "/x", error: "y", durationMs: 1 }],
    skippedWrites: 0,
    result: "error",
    error: "z",
  }],
  dropped: 0,
};

const REFUSAL = {
  kind: "Status",
  apiVersion: "v1",
  status: "Failure",
  code: 403,
  reason: "Forbidden",
  message: "no",
  details: { name: "web", kind: "pods", causes: [{ reason: "x", message: "y", field: "z" }] },
};

/** Returns a world whose objects have texts everywhere. */
async function newWorld(): Promise<World> {
  const world = new World();
  const { client } = world;
  const deployment = await world.deployment("web");
  const controller = { apiVersion: "apps/v1", kind: "Deployment", name: "web", controller: true };
  const { metadata } = await world.until(client.create(Pods, {
    metadata: {
      name: "web",
      labels: { app: "web" },
      annotations: { note: "x" },
      finalizers: ["acme.io/x"],
      ownerReferences: [{ ...controller, uid: deployment.metadata.uid ?? "" }],
    },
    spec: { containers: [{ name: "main", image: "nginx" }] },
  }, { namespace }));
  const ended = { exitCode: 137, reason: "OOMKilled", message: "killed" };
  await world.until(client.patchStatus(Pods, "web", {
    status: {
      phase: "Running",
      conditions: [{ type: "Ready", status: "False", reason: "NotReady", message: "it waits" }],
      containerStatuses: [{
        name: "main",
        ready: false,
        restartCount: 3,
        image: "nginx",
        imageID: "",
        state: { waiting: { reason: "CrashLoopBackOff", message: "back-off 40s" } },
        lastState: { terminated: ended },
      }],
    },
  } as never, { namespace, fieldManager: "kubelet" }));
  await world.until(client.patchStatus(Deployments, "web", {
    status: {
      observedGeneration: 1,
      conditions: [{
        type: "Progressing",
        status: "False",
        reason: "ProgressDeadlineExceeded",
        message: "too slow",
      }],
    },
  } as never, { namespace }));
  await world.until(client.create(Events, {
    metadata: { name: "web.1" },
    involvedObject: { kind: "Pod", name: "web", namespace, uid: metadata.uid },
    type: "Warning",
    reason: "BackOff",
    message: "Back-off restarting",
    source: { component: "kubelet" },
  } as never, { namespace }));
  await world.until(client.create(ConfigMaps, {
    metadata: { name: "settings" },
    data: { a: "1" },
  }, { namespace }));
  return world;
}

/** Runs a command against a server that lies, and returns all that it writes. */
async function runAgainst(world: World, line: string, lies: Lies, columns?: number) {
  const [text = "", isEndless] = line.split(" …");
  const config = await Deno.makeTempFile();
  await Deno.writeTextFile(config, KUBECONFIG);
  try {
    const run = new CliRun(text.split(" "), {
      clock: world.clock,
      env: { KUBECONFIG: config },
      files: { "manifest.yaml": MANIFEST, "crd.yaml": CRD },
      fetch: lyingServer(world, lies),
      ...(columns === undefined ? {} : { columns }),
    });
    let isEnded = false;
    run.ended.finally(() => isEnded = true);
    // The kubeconfig is read in real time, so the command does not begin at once.
    while (!isEnded) {
      await world.clock.advance(100);
      if (isEndless !== undefined && run.stdout + run.stderr.join("") !== "") run.interrupt();
    }
    return run;
  } finally {
    await Deno.remove(config);
  }
}

/** Matches the sequences that painter() and Progress write to a terminal. */
// deno-lint-ignore no-control-regex
const OWN = /\u001b\[(?:0|1|2|31|32|33)m|\r\u001b\[K/g;
const INVISIBLE = /[^\n\P{Cc}]|[\p{Cs}\u2028-\u202e\u{e0000}-\u{e007f}]/u;

for (const [what, lies] of Object.entries(LIES)) {
  for (const columns of [80, undefined]) {
    const where = columns === undefined ? "in a pipe" : "on a terminal";
    Deno.test(`no command prints what a server says raw, nor its token: lies ${what}, ${where}`, async () => {
      await using world = await newWorld();
      for (const line of RUNS) {
        const { drawn, stderr, stdout } = await runAgainst(world, line, lies, columns);
        const isData = DATA.test(line) && !(columns !== undefined && line.startsWith("logs"));
        const isExact = columns === undefined && / yaml|^logs/.test(line);
        const outputs = { stdout: isExact ? "" : stdout, stderr: stderr.join("\n"), drawn };
        for (const [name, text] of Object.entries(outputs)) {
          const found = INVISIBLE.exec(text.replaceAll(OWN, ""));
          assertEquals(found && JSON.stringify(text.slice(0, 2000)), null, `${line}: ${name}`);
          const lines = text.split("\n").map(({ length }) => length);
          assert(Math.max(...lines) < 45_000, `${line}: ${name} has a long line`);
          const secret = SECRETS.find((one) => text.toLowerCase().includes(one.toLowerCase()));
          if (name === "stdout" && (isData || KNOWS_NO_TOKEN.test(line))) continue;
          assertEquals(secret, undefined, `${line}: ${text}`);
        }
        for (const one of stderr) assertEquals(one.includes("\n"), false);
        assertEquals(outputs.stdout.includes("\nerror: forged"), false, `${line}: ${stdout}`);
      }
    });
  }
}

Deno.test("each command is run against a hostile server", () => {
  const names = new Set(RUNS.map((line) => line.split(" ")[0]));
  // They talk to no server, or to none but their own.
  names.add("rehearse").add("crd").add("package");
  // It starts a program, whose stories have no control characters: tests/kubectl/cli/dev/story_lines_test.ts.
  names.add("dev");
  assertEquals([...names].sort(), [...COMMANDS.keys()].sort());
});

Deno.test("kubeloop get -o json and yaml print the exact values of a server in a pipe", async () => {
  await using world = await newWorld();
  const { metadata, spec } = await world.until(world.client.get(Pods, "web", { namespace }));
  for (const form of ["json", "yaml"]) {
    const lies = LIES["in objects"]!;
    const { stdout } = await runAgainst(world, `get pods/web -o ${form}`, lies);
    const printed = parse(stdout) as Record<string, unknown>;
    const { managedFields: _, ...shown } = metadata;
    const said = JSON.stringify(lying({ metadata: shown, spec }, lies.kept));
    // YAML has no half characters: a reader of Go takes them for U+FFFD.
    const wanted = JSON.parse(form === "yaml" ? said.replaceAll("\\ud800", "\\ufffd") : said);
    assertEquals({ metadata: printed.metadata, spec: printed.spec }, wanted);
  }
});
