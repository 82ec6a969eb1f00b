import type { Story } from "@kubeloop/controller/operator";

/** A message of a program to `kubeloop dev`. */
export type ProgramMessage =
  | { readonly manager: string; readonly phase: string }
  | { readonly story: Story };

/** The settings of {@linkcode preload}, as JSON. */
export interface PreloadSettings {
  /** The identity in leases, which are taken over; undefined for no change of the election. */
  readonly identity?: string | undefined;
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
  on(event: string, listener: () => void): void;
  kill(pid: number, signal: string): void;
}

/**
 * Runs in the program before its first module: sets the hook of the library, sends stories to the parent, and stops the
 * managers when the parent asks for it or is gone. Its text is a module of its own, so it uses nothing of this one.
 */
export function preload({ identity }: PreloadSettings): void {
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
  const stop = () => {
    // A program that has no manager stops as it does in a terminal.
    if (managers.size === 0) process.kill(process.pid, "SIGINT");
    for (const manager of managers) void manager[Symbol.asyncDispose]();
  };
  process.on("message", stop);
  process.on("disconnect", stop);
  // The channel does not keep a program running that has ended.
  process.channel?.unref?.();
}

/** Returns the text of a module that calls {@linkcode preload}. */
export function preloadModule(settings: PreloadSettings): string {
  return `(${preload})(${JSON.stringify(settings)});\n`;
}
