import { realClock, withTimeLimit } from "@kubeloop/controller/internal/base";
import type { Client } from "@kubeloop/controller/client";
import { ChunkPipe } from "./chunk_pipe.ts";
import { CopyCount, splitPath, tarFailed } from "./container_tar.ts";
import type { ContainerPath, CopyOptions, CopyResult } from "./copy_options.ts";
import { Extraction } from "./extraction.ts";
import { shownBy } from "./shown.ts";

/** Receives a file or directory from `tar` in a container. */
export async function copyFromContainer(
  client: Client,
  from: ContainerPath,
  to: string,
  { onProgress, signal = new AbortController().signal, timeoutMs = Infinity }: CopyOptions,
): Promise<CopyResult> {
  const { clock = realClock } = client.environment;
  const late = () =>
    new DOMException(`copyFrom() timed out: it took longer than ${timeoutMs} ms`, "TimeoutError");
  // The limit includes the links and modes, which are set after the command has ended.
  return await withTimeLimit(
    { clock, signal, limitMs: timeoutMs, late },
    (limited) => receive(client, from, to, onProgress, limited),
  );
}

async function receive(
  client: Client,
  from: ContainerPath,
  to: string,
  onProgress: CopyOptions["onProgress"],
  signal: AbortSignal,
): Promise<CopyResult> {
  signal.throwIfAborted();
  const { directory, name } = splitPath(from.path);
  const count = new CopyCount();
  const pipe = new ChunkPipe();
  const shown = shownBy(client);
  const extraction = new Extraction({ to, name, count, onProgress, shown, signal });
  // An error of the extraction ends the command, which writes to the pipe.
  const extracting = extraction.run(pipe.chunks()).catch((error) => {
    pipe.fail(error);
    throw error;
  });
  extracting.catch(() => {});
  // "./" keeps a name that begins with a dash from being an option.
  const command = ["tar", "cf", "-", "-C", directory, name === "." ? "." : `./${name}`];
  try {
    const { exitCode, stderr } = await client.exec(from.pod, command, {
      signal,
      namespace: from.namespace,
      container: from.container,
      stdout: pipe.sink,
    });
    if (exitCode !== 0) throw tarFailed(client, from, exitCode, stderr);
    pipe.end();
  } catch (error) {
    // If the extraction failed first, its error is the reason.
    pipe.fail(error);
    // Wait until the extraction has stopped writing.
    await extracting.catch(() => {});
    throw pipe.failure!.reason;
  }
  await extracting;
  const { bytes, files, skipped } = count;
  return { files, bytes, skipped };
}
