import { isRecord, parseJson } from "../../base/mod.ts";
import type { Credentials } from "./provider.ts";
import { type ExecConfig, isHeaderSafe } from "../config/mod.ts";

/** A time as Go writes it. */
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

/** A {@linkcode Credentials} and the time at which it expires. */
export interface ExpiringCredentials extends Credentials {
  /** The time in milliseconds since the Unix epoch; `Infinity` if the plugin prints none. */
  readonly expiresAtMs: number;
}

/**
 * Returns the ExecCredential that a plugin receives in KUBERNETES_EXEC_INFO, as JSON.
 *
 * @throws {TypeError} If the cluster's settings for plugins contain a cycle, which YAML allows.
 */
export function execInfo(exec: ExecConfig, interactive: boolean): string {
  const { apiVersion, provideClusterInfo, cluster } = exec;
  const spec = provideClusterInfo ? { cluster, interactive } : { interactive };
  try {
    return JSON.stringify({ kind: "ExecCredential", apiVersion, spec });
  } catch {
    throw new TypeError("the settings for plugins in the cluster's extensions contain a cycle");
  }
}

/**
 * Parses the output of a plugin. Error messages contain no part of the output.
 *
 * @throws {Error} If the output contains no valid credentials. The caller puts the name of the plugin before
 *   the message.
 */
export function parseExecCredential(
  stdout: string,
  { apiVersion }: Pick<ExecConfig, "apiVersion">,
): ExpiringCredentials {
  const printed = tryParse(stdout);
  if (!isRecord(printed) || printed.kind !== "ExecCredential") {
    throw new Error(
      `printed ${
        stdout.trim() === "" ? "nothing" : "something else"
      }: expected an ExecCredential of ${apiVersion} as JSON on standard output`,
    );
  }
  if (printed.apiVersion !== apiVersion) {
    throw new Error(
      `printed an ExecCredential of another version: expected apiVersion "${apiVersion}", correct the plugin or its configuration`,
    );
  }
  const { status } = printed;
  if (!isRecord(status)) throw new Error("printed an ExecCredential without status");
  const token = text(status, "token");
  const cert = text(status, "clientCertificateData");
  const key = text(status, "clientKeyData");
  if ((cert === undefined) !== (key === undefined)) {
    throw new Error("printed one of clientCertificateData and clientKeyData: expected both");
  }
  if (token === undefined && cert === undefined) {
    throw new Error("printed neither a token nor a client certificate");
  }
  if (token !== undefined && !isHeaderSafe(token)) {
    throw new Error("printed a token that a header cannot carry: expected one line of ASCII");
  }
  return {
    authorization: token === undefined ? undefined : `Bearer ${token}`,
    certificate: cert === undefined || key === undefined ? undefined : { cert, key },
    expiresAtMs: expiry(status),
  };
}

function text(status: Record<string, unknown>, field: string): string | undefined {
  const value = status[field] ?? "";
  if (typeof value !== "string") throw new Error(`printed a ${field} that is not a string`);
  return value === "" ? undefined : value;
}

function expiry(status: Record<string, unknown>): number {
  const value = text(status, "expirationTimestamp");
  if (value === undefined) return Infinity;
  // The runtimes also parse other texts, and not all the same.
  const expiresAtMs = RFC_3339.test(value) ? Date.parse(value) : NaN;
  if (Number.isNaN(expiresAtMs)) {
    throw new Error("printed an expirationTimestamp that is not a time: expected RFC 3339");
  }
  return expiresAtMs;
}

function tryParse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    // The parser's message quotes the text.
    return undefined;
  }
}
