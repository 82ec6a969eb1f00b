/**
 * A program of Pods that runs the commands of this machine, for tests of what needs `tar` or a shell.
 *
 * @module
 */

import { spawn } from "node:child_process";
import type { PodProgram } from "../../src/testing/mod.ts";

/** A program whose commands are processes of this machine. */
export interface LocalProgram extends PodProgram {
  /** Resolves when all processes have ended: the server does not wait for a process that it has stopped. */
  ended(): Promise<void>;
}

/** Returns a program that runs every command in `folder`: absolute paths in its arguments are below that folder. */
export function localProgram(folder: string): LocalProgram {
  const running = new Set<Promise<unknown>>();
  return {
    ended: async () => void await Promise.allSettled(running),
    exec: async ({ command: [name = "", ...args], stdin, stdout, stderr, signal }) => {
      const inFolder = args.map((arg) => arg.startsWith("/") ? folder + arg : arg);
      const child = spawn(name, inFolder, { cwd: folder, stdio: ["pipe", "pipe", "pipe"] });
      const ended = new Promise<number>((resolve, reject) => {
        child.once("error", reject);
        child.once("exit", (code) => resolve(code ?? 137));
      });
      running.add(ended);
      ended.catch(() => {}).finally(() => running.delete(ended));
      const kill = () => void child.kill("SIGKILL");
      signal.addEventListener("abort", kill, { once: true });
      // Writes to a command that has ended fail, and so does the output of a command whose reader has stopped.
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => {});
      const feeding = (async () => {
        for await (const bytes of stdin) {
          if (child.stdin.destroyed) return;
          if (!child.stdin.write(bytes)) {
            await new Promise<void>((resolve) => {
              child.stdin.once("drain", resolve);
              child.stdin.once("close", resolve);
            });
          }
        }
        child.stdin.end();
      })();
      feeding.catch(() => {});
      const pump = async (stream: AsyncIterable<Uint8Array>, to: typeof stdout) => {
        for await (const bytes of stream) await to.write(bytes);
      };
      try {
        // The streams of a command that cannot start fail as well, and say less.
        const pumping = Promise.all([pump(child.stdout, stdout), pump(child.stderr, stderr)]);
        pumping.catch(() => {});
        const code = await ended;
        await pumping;
        return code;
      } finally {
        kill();
        signal.removeEventListener("abort", kill);
      }
    },
  };
}
