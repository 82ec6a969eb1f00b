/** The parts of the runtimes' global scopes that are used, declared here so that their types are not needed. */
interface Runtime {
  readonly Deno?: {
    cwd(): string;
    readonly permissions: {
      querySync(of: { readonly name: "read"; readonly path: string }): { readonly state: string };
    };
  };
  readonly process?: { cwd?(): string };
}

/** The maximum number of frames that a place names. */
const MAX_FRAMES = 3;
/** The maximum number of frames of a stack, while places are looked for. */
const STACK_LIMIT = 100;

/** The folder of this library; undefined if it is bundled into another file. */
const OWN = /^(.*\/)testing\/simulation\/record\/[^/]*$/.exec(pathOf(import.meta.url))?.[1];
/** The beginnings of the locations of frames of a runtime. */
const RUNTIME = ["node:", "ext:", "bun:", "internal:", "deno:", "native", "[native"];
/** The location of a frame: the path, the line and the column. */
const POSITION = /^(.+?):(\d+):(\d+)$/;
/** The begin of a frame of V8 that waits, as all frames below it do. */
const WAITING = /^ *at async /m;

/** A frame of a stack that has a position. */
interface Frame {
  readonly name: string;
  readonly path: string;
  readonly line: string;
  readonly column: string;
}

/** Lets stacks have enough frames. The returned function restores their limit. */
export function raiseStackLimit(): () => void {
  const { stackTraceLimit } = Error as unknown as { stackTraceLimit?: number };
  const set = (limit: number | undefined) =>
    void ((Error as unknown as { stackTraceLimit?: number | undefined }).stackTraceLimit = limit);
  set(STACK_LIMIT);
  return () => set(stackTraceLimit);
}

/** Returns the place in the program under test that has called; undefined if none is on the stack. */
export function callingPlace(): string | undefined {
  return placeIn(new Error().stack ?? "", workingFolder());
}

/**
 * Returns the place in the program under test that has called a function of the runtime, whose replacement calls this;
 * undefined if this library has called it.
 */
export function directPlace(): string | undefined {
  for (const line of (new Error().stack ?? "").split("\n").slice(3)) {
    const frame = readFrame(line.trim());
    if (frame === undefined || isOfRuntime(frame.path)) continue;
    return isOurs(frame.path) ? undefined : placeIn(line, workingFolder());
  }
  return undefined;
}

/** Returns the line of the program under test that calls; undefined if only code that waits for an answer is on the stack. */
export function callingLine(): string | undefined {
  const restore = raiseStackLimit();
  try {
    return lineIn(new Error().stack ?? "");
  } finally {
    restore();
  }
}

/**
 * Returns the first frames of a stack that are neither of this library nor of the runtime, with paths relative to `folder`:
 * `src/release.ts:12 (release), from src/reconcile.ts:40 (reconcile)`.
 */
export function placeIn(stack: string, folder: string | undefined): string | undefined {
  const places = new Set<string>();
  for (const { line, name, path } of framesOf(stack)) {
    places.add(`${shownPath(path, folder)}:${line}${name === "" ? "" : ` (${name})`}`);
    if (places.size >= MAX_FRAMES) break;
  }
  return places.size === 0 ? undefined : [...places].join(", from ");
}

/**
 * Returns the first line of a stack that is neither of this library nor of the runtime, as in `/app/main.ts:4:12`; undefined
 * if a frame above it waits.
 */
export function lineIn(stack: string): string | undefined {
  const [running = ""] = stack.split(WAITING, 1);
  for (const { column, line, path } of framesOf(running)) return `${path}:${line}:${column}`;
  return undefined;
}

/** Returns the frames of a stack that are neither of this library nor of the runtime. */
function* framesOf(stack: string): Generator<Frame> {
  for (const text of stack.split("\n")) {
    const frame = readFrame(text.trim());
    if (frame !== undefined && !isOurs(frame.path)) yield frame;
  }
}

/** Reads a line of a stack: `at async reconcile (file:///app/main.ts:12:5)`, or of JavaScriptCore `run@/app/main.js:4:12`. */
function readFrame(text: string): Frame | undefined {
  const { name, location } = partsOf(text);
  const [, path, line, column] = POSITION.exec(location) ?? [];
  if (path === undefined || line === undefined || column === undefined) return undefined;
  const shown = name.replace(/^(?:Object|Module|new)[. ]/, "");
  return { name: /^[\w$.#]+$/.test(shown) ? shown : "", path: pathOf(path), line, column };
}

function partsOf(text: string): { readonly name: string; readonly location: string } {
  if (!text.startsWith("at ")) {
    const sign = text.indexOf("@");
    return { name: text.slice(0, Math.max(sign, 0)), location: text.slice(sign + 1) };
  }
  const rest = text.slice(text.startsWith("at async ") ? 9 : 3);
  const bracket = rest.endsWith(")") ? rest.lastIndexOf(" (") : -1;
  if (bracket < 0) return { name: "", location: rest };
  return { name: rest.slice(0, bracket), location: rest.slice(bracket + 2, -1) };
}

function isOfRuntime(path: string): boolean {
  return RUNTIME.some((start) => path.startsWith(start));
}

function isOurs(path: string): boolean {
  return isOfRuntime(path) || !/[/\\]/.test(path) ||
    /[/\\](?:@kubeloop|kubeloop[/\\]chunks)[/\\]/.test(path) ||
    (OWN !== undefined && path.startsWith(OWN));
}

/** Returns a path without the parts that differ between machines. */
function shownPath(path: string, folder: string | undefined): string {
  if (/^https?:/.test(path)) return path;
  if (folder !== undefined && path.startsWith(`${folder}/`)) return path.slice(folder.length + 1);
  return path.split(/[/\\]/).slice(-2).join("/");
}

function pathOf(url: string): string {
  const path = url.replace(/^file:\/\//, "");
  if (path === url) return url;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Returns the working directory; undefined if it may not be read. */
function workingFolder(): string | undefined {
  const { Deno, process } = globalThis as unknown as Runtime;
  if (Deno === undefined) return process?.cwd?.();
  const isGranted = Deno.permissions.querySync({ name: "read", path: "." }).state === "granted";
  return isGranted ? Deno.cwd() : undefined;
}
