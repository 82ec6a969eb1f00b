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
    if (frame === undefined || RUNTIME.some((start) => frame.path.startsWith(start))) continue;
    return isOurs(frame.path) ? undefined : placeIn(line, workingFolder());
  }
  return undefined;
}

/**
 * Returns the first frames of a stack that are neither of this library nor of the runtime, with paths relative to `folder`:
 * `src/release.ts:12 (release), from src/reconcile.ts:40 (reconcile)`.
 */
export function placeIn(stack: string, folder: string | undefined): string | undefined {
  const frames: string[] = [];
  for (const line of stack.split("\n")) {
    const frame = readFrame(line.trim());
    if (frame === undefined || isOurs(frame.path)) continue;
    const { line: number, name, path } = frame;
    const text = `${shownPath(path, folder)}:${number}${name === "" ? "" : ` (${name})`}`;
    if (!frames.includes(text)) frames.push(text);
    if (frames.length >= MAX_FRAMES) break;
  }
  return frames.length === 0 ? undefined : frames.join(", from ");
}

/** Reads a line of a stack, such as `at async reconcile (file:///app/main.ts:12:5)`. */
function readFrame(
  text: string,
): { readonly name: string; readonly path: string; readonly line: string } | undefined {
  if (!text.startsWith("at ")) return undefined;
  const rest = text.slice(text.startsWith("at async ") ? 9 : 3);
  const bracket = rest.endsWith(")") ? rest.lastIndexOf(" (") : -1;
  const location = bracket < 0 ? rest : rest.slice(bracket + 2, -1);
  const [, path, line] = /^(.+?):(\d+):\d+$/.exec(location) ?? [];
  if (path === undefined || line === undefined) return undefined;
  const name = bracket < 0 ? "" : rest.slice(0, bracket).replace(/^(?:Object|Module|new)[. ]/, "");
  return { name: /^[\w$.#]+$/.test(name) ? name : "", path: pathOf(path), line };
}

function isOurs(path: string): boolean {
  return RUNTIME.some((start) => path.startsWith(start)) || !/[/\\]/.test(path) ||
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
