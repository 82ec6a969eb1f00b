/**
 * Copies a file or a folder to a container or from it, as `kubectl cp`, and says how far it is.
 *
 * On an in-process server, which takes the README; or on the cluster of a kubeconfig, whose server is at HOST:PORT:
 *
 * ```sh
 * deno run --allow-read=. examples/scripts/copy_file.ts
 * deno run --allow-net=HOST:PORT --allow-read=FILE,FOLDER examples/scripts/copy_file.ts --kubeconfig FILE FOLDER web:/tmp/copy
 * ```
 *
 * From a container, give the Pod's path first; `--allow-write` is then for the folder of the copy.
 *
 * @module
 */

import { copyFrom, type CopyProgress, copyTo } from "@kubeloop/kubectl";
import { runExample } from "../_session.ts";
import { copied } from "./_life.ts";

await runExample("Copies: give two paths, one as POD:PATH.", copied, async (session) => {
  const { args: [from = "", to = ""], client, namespace = "default", signal } = session;
  const inContainer = (text: string) => {
    const [, pod = "", path = ""] = /^([\w.-]+):(.+)$/.exec(text) ?? [];
    return pod === "" ? undefined : { pod, namespace, path };
  };
  const onProgress = ({ path, bytes }: CopyProgress) =>
    console.log(`${path === "." ? from : path}: ${bytes} bytes`);
  const [source, target] = [inContainer(from), inContainer(to)];
  if ((source === undefined) === (target === undefined)) throw new TypeError("One is POD:PATH");
  const options = { onProgress, signal };
  const { files } = target === undefined
    ? await copyFrom(client, source!, to, options)
    : await copyTo(client, from, target, options);
  console.log(`files copied: ${files}`);
});
