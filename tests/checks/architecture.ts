/**
 * Checks the sources against the architecture rules. A room is a folder below `src` with its own `mod.ts`.
 *
 * - A room imports only the rooms that {@linkcode ROOMS} allows, and only by their `mod.ts`.
 * - No files import each other in a cycle.
 * - Only `base` and the transports of the runtimes use the clock, randomness, console or network of the machine.
 *
 * @module
 */

/**
 * The rooms of the kinds, below `testing/api_server/kinds`, and what each imports: other rooms there, and rooms of
 * {@linkcode BESIDE_KINDS}. All import `release` and `values`. The arrows go one way: `shared`, `record`, then the groups of the API, then
 * `kinds` itself, which has the list of all.
 */
const KIND_ROOMS: Readonly<Record<string, readonly string[]>> = {
  shared: [],
  record: ["shared"],
  custom: ["shared", "schema"],
  declared: ["schema"],
  "core/pod_spec": ["shared"],
  "core/pod_security": ["core/pod_spec", "record", "shared"],
  "core/limits": ["core/pod_spec", "record", "shared"],
  "core/connections": ["record"],
  "core/pod": [
    "core/connections",
    "core/limits",
    "core/pod_security",
    "core/pod_spec",
    "record",
    "shared",
  ],
  "core/service": ["core/connections", "record", "shared"],
  "core/volumes": ["core/limits", "core/pod_spec", "record", "shared"],
  admissionregistration: ["record", "shared"],
  apiextensions: ["record", "shared", "schema"],
  apiregistration: ["record", "shared"],
  apps: ["core/pod_security", "core/pod_spec", "core/volumes", "record", "shared"],
  authentication: ["record"],
  authorization: ["record", "shared"],
  autoscaling: ["record", "shared", "schema"],
  batch: ["core/pod_security", "core/pod_spec", "record", "shared", "cron"],
  certificates: ["record", "shared"],
  coordination: ["record", "shared"],
  events: ["record", "shared", "schema"],
  core: ["core/connections", "core/pod_security", "core/pod_spec", "events", "record", "shared"],
  discovery: ["record", "shared"],
  flowcontrol: ["record", "shared"],
  networking: ["core/service", "record", "shared"],
  node: ["record", "shared"],
  policy: ["record", "shared"],
  rbac: ["record", "shared"],
  resource: ["record", "shared"],
  scheduling: ["record", "shared"],
  storage: ["record", "shared"],
  storagemigration: ["record", "shared"],
};

/** The rooms outside of `kinds` that rooms of kinds import. */
const BESIDE_KINDS: Readonly<Record<string, string>> = {
  cron: "testing/cron",
  release: "testing/api_server/release",
  schema: "testing/api_server/schema",
  values: "testing/values",
};

const kindRoom = (name: string) => BESIDE_KINDS[name] ?? `testing/api_server/kinds/${name}`;

/** The entries of {@linkcode KIND_ROOMS} with whole paths. */
const KIND_PATHS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(KIND_ROOMS).map(([room, imports]) =>
    [kindRoom(room), [...imports, "release", "values"].map(kindRoom)] as const
  ),
);

/** The rooms that each room below `src` may import. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  base: [],
  "types/minimal": [],
  kinds: ["types/minimal"],
  types: ["types/minimal", "kinds", "base"],
  fields: ["base", "types"],
  bytes: ["base"],
  protobuf: ["bytes", "base"],
  yaml: ["base"],
  pager: ["base", "types"],
  websocket: ["base"],
  serving: ["websocket", "base"],

  values: ["base"],
  structural: ["values"],

  "cel/types": [],
  "cel/values": ["cel/types", "values", "base"],
  "cel/syntax": ["cel/values", "values"],
  "cel/functions": ["cel/types", "cel/values", "structural", "values", "base"],
  "cel/schema": [
    "cel/functions",
    "cel/types",
    "cel/values",
    "structural",
    "values",
  ],
  "cel/program": [
    "cel/functions",
    "cel/syntax",
    "cel/types",
    "cel/values",
    "structural",
  ],
  "cel/rules": [
    "cel/functions",
    "cel/program",
    "cel/schema",
    "cel/syntax",
    "cel/types",
    "cel/values",
    "structural",
    "values",
  ],
  "cel/admission": [
    "cel/program",
    "cel/types",
    "cel/values",
    "values",
  ],
  cel: [
    "cel/admission",
    "cel/functions",
    "cel/program",
    "cel/rules",
    "cel/syntax",
    "cel/types",
    "cel/values",
  ],

  "client/config": ["yaml", "base"],
  "client/credentials": ["client/config", "base"],
  "client/transport": ["client/config", "websocket", "base"],
  "client/request": ["client/config", "client/credentials", "client/transport", "base", "types"],
  "client/watch": ["client/request", "base", "types"],
  "client/logs": ["client/request", "base", "types"],
  "client/discovery": ["client/request", "base", "types"],
  "client/streams": ["client/request", "websocket", "base", "types"],
  "client/wait": ["client/request", "client/watch", "base", "types"],
  client: [
    "client/config",
    "client/credentials",
    "client/transport",
    "client/request",
    "client/discovery",
    "client/streams",
    "client/watch",
    "client/logs",
    "client/wait",
    "pager",
    "base",
    "types",
  ],

  "cache/store": ["base", "types"],
  "cache/queue": ["cache/store", "base", "types"],
  "cache/reflector": ["cache/store", "pager", "base", "types"],
  "cache/packed": ["cache/store", "protobuf", "bytes", "base", "types"],
  "cache/informer": [
    "cache/store",
    "cache/queue",
    "cache/reflector",
    "cache/packed",
    "base",
    "types",
  ],
  cache: ["cache/store", "cache/queue", "cache/reflector", "cache/packed", "cache/informer"],

  logs: ["client", "cache", "base", "types"],
  workqueue: ["base"],
  controller: ["cache", "workqueue", "base", "types"],
  extras: ["cache/store", "cache/queue", "base", "types"],

  "operator/apply": ["fields", "client", "base", "types"],
  election: ["client", "base", "types"],
  events: ["client", "base", "types"],
  "operator/finalizer": ["client", "base", "types"],
  metrics: ["base"],
  rights: ["client", "kinds", "yaml", "base", "types"],
  crd: ["cel", "fields", "pager", "client", "kinds", "base", "types"],
  "operator/status": ["operator/apply", "fields", "client", "base", "types"],
  "operator/stories": ["fields", "base", "types"],
  webhooks: ["fields", "serving", "client", "base", "types"],
  see: ["see/palette", "operator/stories", "serving", "base", "types"],
  "operator/builder": [
    "fields",
    "operator/apply",
    "events",
    "operator/finalizer",
    "metrics",
    "operator/status",
    "operator/stories",
    "client",
    "cache",
    "workqueue",
    "controller",
    "base",
    "types",
  ],
  "operator/manager": [
    "operator/builder",
    "election",
    "events",
    "metrics",
    "rights",
    "crd",
    "operator/stories",
    "webhooks",
    "see",
    "serving",
    "client",
    "cache",
    "controller",
    "kinds",
    "base",
    "types",
  ],
  operator: [
    "fields",
    "operator/apply",
    "operator/builder",
    "election",
    "events",
    "operator/finalizer",
    "operator/manager",
    "metrics",
    "rights",
    "crd",
    "operator/status",
    "operator/stories",
    "see",
    "webhooks",
  ],

  "see/palette": [],

  // The sources of the page, which is published as a text.
  "see/page/kit": ["see", "see/palette", "operator/stories", "fields", "base"],
  "see/page": ["see/page/kit", "see", "operator/stories"],

  create: [],

  "kubectl/apply": [],
  kubectl: ["kubectl/apply"],
  "kubectl/cli/completion": [],
  "kubectl/cli/dev": ["kubectl", "kubectl/cli/terminal"],
  "kubectl/cli/json_path": [],
  "kubectl/cli/package": [],
  "kubectl/cli/pods": [],
  "kubectl/cli/tables": [],
  "kubectl/cli/terminal": [],
  "kubectl/cli/types": [],
  "kubectl/cli/why": ["kubectl/cli/pods", "kubectl/cli/terminal"],
  "kubectl/cli": [
    "kubectl/cli/completion",
    "kubectl/cli/dev",
    "kubectl/cli/json_path",
    "kubectl/cli/package",
    "kubectl/cli/pods",
    "kubectl/cli/tables",
    "kubectl/cli/terminal",
    "kubectl/cli/types",
    "kubectl/cli/why",
    "kubectl",
  ],

  "testing/values": [],

  "testing/api_server/yaml": ["testing/values"],
  "testing/api_server/schema/generated": ["testing/values"],
  "testing/api_server/schema/protobuf": ["testing/values"],
  "testing/api_server/release": ["testing/api_server/schema/generated"],
  "testing/api_server/schema": [
    "testing/api_server/release",
    "testing/api_server/schema/generated",
    "testing/api_server/schema/protobuf",
    "testing/values",
  ],
  "testing/api_server/patch": ["testing/api_server/schema", "testing/values"],
  "testing/api_server/apply": ["testing/api_server/schema", "testing/values"],
  "testing/api_server/storage": ["testing/values"],
  ...KIND_PATHS,
  "testing/api_server/kinds": [
    ...Object.keys(KIND_PATHS),
    "testing/api_server/apply",
    "testing/api_server/release",
    "testing/api_server/schema",
    "testing/api_server/storage",
    "testing/values",
  ],
  "testing/api_server/http": [
    "testing/api_server/kinds",
    "testing/api_server/schema",
    "testing/values",
    "testing/api_server/yaml",
  ],
  "testing/api_server/lag": [
    "testing/api_server/http",
    "testing/api_server/storage",
    "testing/values",
  ],
  "testing/api_server/logs": ["testing/api_server/storage", "testing/values"],
  "testing/api_server/access": [
    "testing/api_server/http",
    "testing/api_server/release",
    "testing/api_server/storage",
    "testing/values",
  ],
  "testing/api_server/discovery/openapi": [
    "testing/api_server/http",
    "testing/api_server/kinds",
    "testing/api_server/release",
    "testing/api_server/schema",
    "testing/values",
  ],
  "testing/api_server/discovery": [
    "testing/api_server/discovery/openapi",
    "testing/api_server/http",
    "testing/api_server/kinds",
    "testing/api_server/release",
    "testing/api_server/schema",
    "testing/values",
  ],
  "testing/api_server/metrics": [
    "testing/api_server/http",
    "testing/api_server/kinds",
    "testing/api_server/release",
    "testing/api_server/storage",
    "testing/values",
  ],
  "testing/api_server/webhooks": [
    "testing/api_server/access",
    "testing/api_server/kinds",
    "testing/api_server/patch",
    "testing/api_server/schema",
    "testing/api_server/storage",
    "testing/api_server/yaml",
    "testing/values",
  ],
  "testing/api_server/programs": ["testing/values"],
  "testing/api_server/controllers": [
    "testing/api_server/access",
    "testing/api_server/kinds",
    "testing/api_server/release",
    "testing/api_server/schema",
    "testing/api_server/storage",
    "testing/values",
  ],
  "testing/api_server/handlers": [
    "testing/api_server/access",
    "testing/api_server/controllers",
    "testing/api_server/discovery",
    "testing/api_server/http",
    "testing/api_server/kinds",
    "testing/api_server/lag",
    "testing/api_server/logs",
    "testing/api_server/metrics",
    "testing/api_server/patch",
    "testing/api_server/programs",
    "testing/api_server/release",
    "testing/api_server/schema",
    "testing/api_server/storage",
    "testing/values",
    "testing/api_server/webhooks",
    "testing/api_server/yaml",
  ],
  "testing/api_server/bootstrap": [
    "testing/api_server/access",
    "testing/api_server/controllers",
    "testing/api_server/kinds",
    "testing/api_server/release",
    "testing/api_server/storage",
    "testing/values",
  ],
  "testing/api_server": [
    "testing/api_server/access",
    "testing/api_server/bootstrap",
    "testing/api_server/controllers",
    "testing/api_server/handlers",
    "testing/api_server/http",
    "testing/api_server/kinds",
    "testing/api_server/lag",
    "testing/api_server/logs",
    "testing/api_server/metrics",
    "testing/api_server/programs",
    "testing/api_server/release",
    "testing/api_server/schema",
    "testing/api_server/storage",
    "testing/values",
    "testing/api_server/webhooks",
  ],
  "testing/actors/control": [],
  "testing/actors/pods": ["testing/values"],
  "testing/actors/workloads": ["testing/actors/control", "testing/cron"],
  "testing/cron": [],
  "testing/actors/services": ["testing/actors/control"],
  "testing/actors/volumes": ["testing/actors/control"],
  "testing/actors/autoscaling": ["testing/actors/control"],
  "testing/actors": [
    "testing/actors/autoscaling",
    "testing/actors/control",
    "testing/actors/pods",
    "testing/actors/services",
    "testing/actors/volumes",
    "testing/actors/workloads",
  ],
  "testing/serve": [
    "testing/actors",
    "testing/api_server",
    "testing/api_server/yaml",
    "testing/see",
    "testing/values",
    "testing",
  ],
  "testing/see": ["testing/api_server"],
  "testing/samples": ["testing/values"],
  "testing/evolve": [
    "testing/samples",
    "testing/api_server",
    "testing/values",
    "testing",
  ],
  "testing/simulation/record": ["testing/api_server"],
  "testing/simulation/plans": [
    "testing/simulation/record",
    "testing/actors",
    "testing/api_server",
    "testing",
  ],
  "testing/simulation/campaign": [
    "testing/simulation/plans",
    "testing/samples",
    "testing/api_server",
    "testing",
  ],
  "testing/simulation/judge": [
    "testing/simulation/plans",
    "testing/simulation/record",
    "testing/api_server",
  ],
  "testing/simulation/world": [
    "testing/simulation/judge",
    "testing/simulation/plans",
    "testing/simulation/record",
    "testing/actors",
    "testing/api_server",
    "testing",
  ],
  "testing/simulation/cost": [
    "testing/simulation/judge",
    "testing/simulation/plans",
    "testing/simulation/record",
    "testing/simulation/world",
    "testing/api_server",
    "testing",
  ],
  "testing/simulation/report": [
    "testing/simulation/judge",
    "testing/simulation/plans",
    "testing/simulation/record",
    "testing/api_server",
  ],
  "testing/simulation/rehearse": [
    "testing/simulation/judge",
    "testing/simulation/plans",
    "testing/simulation/record",
    "testing/simulation/report",
    "testing/simulation/world",
    "testing/api_server",
    "testing",
  ],
  "testing/simulation": [
    "testing/simulation/campaign",
    "testing/simulation/cost",
    "testing/simulation/judge",
    "testing/simulation/plans",
    "testing/simulation/record",
    "testing/simulation/rehearse",
    "testing/simulation/report",
    "testing/simulation/world",
    "testing/actors",
    "testing/api_server",
    "testing",
  ],
  testing: ["testing/api_server", "testing/actors"],
};

/** The entry points of the library that each part of the other two packages may import. */
const LIBRARY: Readonly<Record<string, readonly string[]>> = {
  kubectl: ["internal/base", "types", "client"],
  "kubectl/apply": ["internal/base", "internal/fields", "internal/yaml", "types", "client"],
  "kubectl/cli": [
    "internal/base",
    "internal/fields",
    "internal/yaml",
    "types",
    "client",
    "cache",
    "logs",
    "operator",
  ],
  "kubectl/cli/dev": ["internal/base", "internal/yaml", "types", "client", "operator"],
  "kubectl/cli/package": ["internal/base", "internal/yaml", "types", "crd", "operator"],
  "kubectl/cli/types": ["internal/base"],
  "kubectl/cli/why": ["internal/base", "internal/fields", "types", "client", "operator"],
  "testing/values": ["internal/base", "internal/values", "types"],
  // The API server must not share code with the library that it tests. Recordings of real servers test these rooms.
  "testing/api_server": [
    "internal/base",
    "internal/cel",
    "internal/structural",
    "types",
    "serving",
    "websocket",
  ],
  "testing/actors": ["internal/base", "types", "client", "cache", "workqueue", "controller"],
  "testing/samples": ["internal/base", "internal/cel", "internal/structural"],
  "testing/evolve": [
    "internal/base",
    "internal/fields",
    "internal/yaml",
    "types",
    "client",
    "crd",
    "webhooks",
  ],
  "testing/see": [
    "internal/base",
    "internal/fields",
    "internal/see",
    "types",
    "operator",
    "serving",
  ],
  "testing/serve": ["internal/base", "types", "serving"],
  "testing/simulation": [
    "internal/base",
    "internal/see",
    "serving",
    "types",
    "client",
    "cache",
    "controller",
    "crd",
  ],
  "testing/simulation/rehearse": ["internal/base", "internal/fields", "types", "client"],
  testing: ["internal/base", "internal/protobuf", "types", "cache"],
};

/** External packages that the published sources may import. */
const PACKAGES: readonly RegExp[] = [/^@std\/streams\//, /^node:/, /^re2js$/];

/** External packages that single rooms may import: programs parse command lines, libraries do not, and two rooms read YAML. */
const MORE_PACKAGES: Readonly<Record<string, readonly RegExp[]>> = {
  // Loaded by the commands that need it: the package is an optional peer.
  "see/page": [/^preact(\/hooks)?$/],
  "see/page/kit": [/^preact(\/hooks)?$/],
  "kubectl/cli": [/^@kubeloop\/testing\/(evolve|simulation)$/],
  "testing/serve": [/^@std\/cli\//],
  "testing/api_server/yaml": [/^js-yaml$/],
  yaml: [/^js-yaml$/],
};

/** Names that make the behaviour depend on the machine. */
const AMBIENT: readonly (readonly [RegExp, string])[] = [
  [/\bDate\.now\b/, "Date.now"],
  [/\bnew Date\(\s*\)/, "new Date()"],
  [/\bperformance\.now\b/, "performance.now"],
  [/\bMath\.random\b/, "Math.random"],
  [/\bcrypto\.randomUUID\b/, "crypto.randomUUID"],
  [/\bconsole\./, "console"],
  [/(?<![.\w#])setTimeout\(/, "setTimeout"],
  [/(?<![.\w#])setInterval\(/, "setInterval"],
  [/(?<![.\w#])fetch\(|\bglobalThis\.fetch\b/, "global fetch"],
];

/**
 * Files that may use these names: the real clock, random source and console, the wrappers of runtime `fetch`, the guards of
 * a simulation around all of them, and a page, in its sources and as the text that is made of them.
 */
const AMBIENT_HOME =
  /^base\/(clock|random|logger)\.ts$|^see\/page\/live\/browser\.ts$|^see\/page_text\.ts$|^client\/transport\/(browser|bun|deno)\.ts$|^testing\/simulation\/world\/ambient\.ts$/;

/** Files whose texts are the programs of new projects, which follow their own rules. */
const TEMPLATES = /^create\/templates\//;

/** One line that breaks a rule. */
export interface Violation {
  readonly file: string;
  readonly line: number;
  readonly problem: string;
}

/** Blanks out comments. Line breaks stay, for line numbers; strings stay, because imports are strings. */
function withoutComments(text: string): string {
  return text.replace(
    /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g,
    (match, quoted) => quoted !== undefined ? match : match.replace(/[^\n]/g, " "),
  );
}

/** Returns the key of `table` that is the innermost folder of `path`. */
function nearest(path: string, table: Readonly<Record<string, unknown>>): string | undefined {
  for (let folder = path; folder !== "";) {
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")));
    if (Object.hasOwn(table, folder)) return folder;
  }
  return undefined;
}

function resolve(fromFile: string, specifier: string): string {
  const parts = fromFile.split("/").slice(0, -1);
  for (const part of specifier.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}

function specifiersOf(line: string): string[] {
  const pattern = /(?:\bfrom|\bimport|\bimport\()\s*["']([^"'\s]+)["']/g;
  return Array.from(line.matchAll(pattern), ([, specifier = ""]) => specifier);
}

/** Returns the problem of an import; undefined if there is no problem. */
function importProblem(path: string, room: string, specifier: string): string | undefined {
  const library = /^@kubeloop\/controller\/(\w+(?:\/[\w/]+)?)$/.exec(specifier)?.[1];
  if (library !== undefined) {
    const allowed = LIBRARY[nearest(path, LIBRARY) ?? ""];
    if (allowed?.includes(library.replace(/^types\/.*/, "types"))) return undefined;
    return `${room} must not import ${specifier}`;
  }
  if (!specifier.startsWith(".")) {
    const known = [...PACKAGES, ...(MORE_PACKAGES[room] ?? [])];
    return known.some((one) => one.test(specifier)) ? undefined : `imports ${specifier}`;
  }
  const target = resolve(path, specifier);
  const targetRoom = nearest(target, ROOMS) ?? target;
  if (targetRoom === room) return undefined;
  if (!ROOMS[room]?.includes(targetRoom)) {
    return `${room} must not import ${targetRoom} (${specifier})`;
  }
  // Each group version of the kinds is an entry point.
  if (targetRoom === "kinds" && /\/v\d\w*\.ts$/.test(target)) return undefined;
  // Folders of the testing package, such as its programs, may import the files beside its `mod.ts`.
  if (target === `${targetRoom}/mod.ts` || targetRoom === "testing") return undefined;
  return `${targetRoom} is entered by its mod.ts, not by ${specifier}`;
}

/** Returns the violations of one source file; `path` is relative to `src`. */
export function checkFile(path: string, text: string): Violation[] {
  const violations: Violation[] = [];
  const room = nearest(path, ROOMS);
  if (room === undefined) {
    return [{ file: path, line: 1, problem: "its folder is no room of the house" }];
  }
  if (TEMPLATES.test(path)) return [];
  if (path === `${room}/mod.ts` && !/^\/\*\*\n(?: \*.*\n)* \* @module\n/.test(text)) {
    violations.push({
      file: path,
      line: 1,
      problem: "a room says in a @module comment what it is",
    });
  }
  withoutComments(text).split("\n").forEach((line, index) => {
    const report = (problem: string) => violations.push({ file: path, line: index + 1, problem });
    for (const specifier of specifiersOf(line)) {
      const problem = importProblem(path, room, specifier);
      if (problem !== undefined) report(problem);
    }
    if (AMBIENT_HOME.test(path)) return;
    for (const [pattern, name] of AMBIENT) {
      if (pattern.test(line)) report(`uses ${name}; take a Clock, Random or fetch instead`);
    }
  });
  return violations;
}

/** Returns the import cycles among the files. */
export function findCircles(texts: ReadonlyMap<string, string>): string[][] {
  const imports = new Map<string, string[]>();
  for (const [path, text] of texts) {
    const specifiers = withoutComments(text).split("\n").flatMap(specifiersOf);
    const targets = specifiers.filter((one) => one.startsWith(".")).map((one) =>
      resolve(path, one)
    );
    imports.set(path, targets.filter((target) => texts.has(target)));
  }
  const circles: string[][] = [];
  const finished = new Set<string>();
  const visit = (path: string, trail: string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) circles.push([...trail.slice(start), path]);
    if (start >= 0 || finished.has(path)) return;
    for (const target of imports.get(path) ?? []) visit(target, [...trail, path]);
    finished.add(path);
  };
  for (const path of texts.keys()) visit(path, []);
  return circles;
}

/**
 * Returns what the files of each room below `root` import: other rooms, and entry points of the library, such as
 * `@kubeloop/controller/client`.
 */
export async function importsOfRooms(root: URL): Promise<Map<string, Set<string>>> {
  const imports = new Map(Object.keys(ROOMS).map((room) => [room, new Set<string>()]));
  for await (const path of sourceFiles(root)) {
    const room = nearest(path, ROOMS);
    if (room === undefined || TEMPLATES.test(path)) continue;
    const text = withoutComments(await Deno.readTextFile(new URL(path, root)));
    for (const specifier of text.split("\n").flatMap(specifiersOf)) {
      const isRelative = specifier.startsWith(".");
      if (!isRelative && !specifier.startsWith("@kubeloop/")) continue;
      const target = isRelative ? nearest(resolve(path, specifier), ROOMS) : specifier;
      if (target !== undefined && target !== room) imports.get(room)?.add(target);
    }
  }
  return imports;
}

async function* sourceFiles(root: URL, prefix = ""): AsyncGenerator<string> {
  for await (const entry of Deno.readDir(new URL(prefix || ".", root))) {
    if (entry.isDirectory) yield* sourceFiles(root, `${prefix}${entry.name}/`);
    else if (/\.tsx?$/.test(entry.name)) yield `${prefix}${entry.name}`;
  }
}

/** Returns the violations of all files below `root`. */
export async function checkTree(root: URL): Promise<{ files: number; violations: Violation[] }> {
  const texts = new Map<string, string>();
  for await (const path of sourceFiles(root)) {
    texts.set(path, await Deno.readTextFile(new URL(path, root)));
  }
  const violations = [...texts].flatMap(([path, text]) => checkFile(path, text));
  for (const circle of findCircles(texts)) {
    violations.push({ file: circle[0]!, line: 1, problem: `a circle: ${circle.join(" → ")}` });
  }
  return { files: texts.size, violations };
}

if (import.meta.main) {
  const { files, violations } = await checkTree(new URL("../../src/", import.meta.url));
  for (const { file, line, problem } of violations) {
    console.error(`src/${file}:${line}: ${problem}`);
  }
  if (violations.length > 0) Deno.exit(1);
  console.log(`${files} files: rooms, imports and ambient time are as they should be`);
}
