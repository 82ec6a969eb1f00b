import type { Story } from "@kubeloop/controller/operator";

/** A message of a program to `kubeloop dev`. */
export type ProgramMessage =
  | { readonly manager: string; readonly phase: string }
  | { readonly story: Story };

/** The settings of {@linkcode preload}, as JSON. */
export interface PreloadSettings {
  /** The identity in leases, which are taken over; undefined for no change of the election. */
  readonly identity?: string | undefined;
  /** The packages to load before the program, as specifiers or URLs. */
  readonly packages: readonly string[];
}

/** A message of `kubeloop dev` to a program: to begin, or to stop. */
export interface ParentMessage {
  readonly do: "begin" | "stop";
}

interface Manager extends AsyncDisposable {
  readonly name: string;
  stories(): AsyncIterable<Story>;
}

interface Process {
  readonly pid: number;
  readonly connected?: boolean;
  readonly channel?: { unref?(): void };
  send?(message: ProgramMessage, callback: (error: unknown) => void): void;
  on(event: string, listener: (message: ParentMessage | undefined) => void): void;
  exit(): void;
  kill(pid: number, signal: string): void;
}

/**
 * Runs in the program before its first module: sets the hook of the library, loads packages, and waits until the program may
 * begin, because the one before still stops. Then it sends stories to the parent, and stops the managers when the parent
 * asks for it or is gone. Its text is a module of its own, so it uses nothing of this one.
 */
export async function preload({ identity, packages }: PreloadSettings): Promise<void> {
  const { process } = globalThis as unknown as { process: Process };
  const managers = new Set<Manager>();
  const send = (message: ProgramMessage) => {
    // A parent that is gone reads nothing.
    if (process.connected !== false) process.send?.(message, () => {});
  };
  const tell = async (manager: Manager) => {
    for await (const story of manager.stories()) send({ story });
  };
  const hook = {
    leaderElection: identity === undefined ? {} : { identity, takeOver: true },
    entered(manager: Manager, phase: string) {
      if (phase === "stopped") managers.delete(manager);
      else if (!managers.has(manager)) {
        managers.add(manager);
        void tell(manager);
      }
      send({ manager: manager.name, phase });
    },
  };
  Object.defineProperty(globalThis, Symbol.for("kubeloop.dev"), { value: hook });
  let begin: (() => void) | undefined;
  const begun = new Promise<void>((resolve) => begin = resolve);
  const stop = () => {
    if (begin !== undefined) return process.exit();
    // A program that has no manager stops as it does in a terminal.
    if (managers.size === 0) process.kill(process.pid, "SIGINT");
    for (const manager of managers) void manager[Symbol.asyncDispose]();
  };
  process.on("message", (message) => {
    if (message?.do !== "begin") return stop();
    begin?.();
    begin = undefined;
  });
  process.on("disconnect", stop);
  // A package that is missing is an error of the program.
  for (const one of packages) await import(one).catch(() => {});
  await begun;
  // The channel does not keep a program running that has ended.
  process.channel?.unref?.();
}

/** Returns the text of a module that calls {@linkcode preload}. */
export function preloadModule(settings: PreloadSettings): string {
  return `await (${preload})(${JSON.stringify(settings)});\n`;
}
