import type { ResponseWriter } from "../http/mod.ts";

/** Answers a single health check, such as `/healthz/etcd`. Returns undefined if there is no such check. */
function singleCheck(path: string, writer: ResponseWriter): Response | undefined {
  const at = path.lastIndexOf("/");
  if (!PATHS.get(path.slice(0, at))?.includes(path.slice(at + 1))) return undefined;
  const response = writer.plain(200, "ok");
  response.headers.delete("X-Content-Type-Options");
  return response;
}

const CHECKS: readonly string[] = ["ping", "log", "etcd"];

const READY_CHECKS: readonly string[] = [...CHECKS, "informer-sync", "shutdown"];

const PATHS: ReadonlyMap<string, readonly string[]> = new Map([
  ["/healthz", CHECKS],
  ["/livez", CHECKS],
  ["/readyz", READY_CHECKS],
]);

/** Answers a health check. Returns undefined if the path is not one of a health check. */
export function healthAnswer(
  path: string,
  query: URLSearchParams,
  writer: ResponseWriter,
): Response | undefined {
  const checks = PATHS.get(path);
  if (checks === undefined) return singleCheck(path, writer);
  if (!query.has("verbose")) return writer.plain(200, "ok");
  const lines = checks.map((check) => `[+]${check} ok\n`).join("");
  return writer.plain(200, `${lines}${path.slice(1)} check passed\n`);
}
