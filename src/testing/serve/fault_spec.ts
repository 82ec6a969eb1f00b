import type { Random } from "@kubeloop/controller/internal/base";
import type { FaultInjector, FaultRequest } from "../api_server/mod.ts";
import { matchesWildcard } from "../values/mod.ts";

/** An injected fault: the requests that fail, and the status code of the response. */
export interface FaultSpec {
  /** The HTTP method; empty for all methods. */
  readonly method: string;
  /** The path, in which `*` matches any characters. */
  readonly path: string;
  /** The status code of the response. */
  readonly code: number;
  /** The share of these requests that fails, from 0 to 1. */
  readonly share: number;
}

const SPEC = /^(?:([A-Z]+) )?(\/\S*?):([45][0-9]{2})(?::([0-9]{1,3}(?:\.[0-9]+)?)%)?$/;

const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);

/**
 * Parses `[METHOD ]PATH:CODE[:PERCENT%]`, such as `GET /api/v1/pods:503:10%`.
 *
 * @throws {SyntaxError} When `text` does not have that form.
 */
export function parseFaultSpec(text: string): FaultSpec {
  const match = SPEC.exec(text);
  const [, method = "", path = "", code = "", percent = "100"] = match ?? [];
  if (match === null || (method !== "" && !METHODS.has(method)) || Number(percent) > 100) {
    throw new SyntaxError(
      `Cannot parse the fault ${
        JSON.stringify(text)
      }: expected [METHOD ]PATH:CODE[:PERCENT%], such as "GET /api/v1/pods:503:10%"`,
    );
  }
  return { method, path, code: Number(code), share: Number(percent) / 100 };
}

/** Injects the fault; `random` decides which requests fail if the share is below 1. */
export function setFault(spec: FaultSpec, faults: FaultInjector, random: Random): void {
  const when = ({ method, url }: FaultRequest) =>
    (spec.method === "" || spec.method === method) && matchesWildcard(url.pathname, spec.path) &&
    (spec.share === 1 || random.next() < spec.share);
  if (spec.code === 429) faults.throttle(1, { when });
  else faults.fail(spec.code, { when });
}
