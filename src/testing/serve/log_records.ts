import { parseJson } from "@kubeloop/controller/internal/base";
import { crc32 } from "node:zlib";

/** One write: the object afterwards, or null for a deletion. */
export interface LoggedWrite {
  readonly resourceVersion: string;
  /** The full name of the resource, as in `deployments.apps`. */
  readonly resource: string;
  /** The namespace of the object; empty for a cluster-scoped object. */
  readonly namespace: string;
  readonly name: string;
  /** The object in the storage version. */
  readonly object: Record<string, unknown> | null;
}

/**
 * The first record of each file of the log, and one whenever the server has used up what it had reserved: clients may
 * have seen the resource versions up to `reserved`.
 */
export interface Reservation {
  readonly kind: "KubeloopLog";
  readonly version: 1;
  readonly reserved: string;
}

/** The content of a record. */
export type LogRecord = LoggedWrite | Reservation;

/** The content of a file of the log. */
export interface LogContent {
  readonly records: readonly LogRecord[];
  /** The number of bytes that hold these records. A record that a crash has cut off, or damage, may follow. */
  readonly length: number;
  /** Whether damage follows, which no crash of the process leaves behind. */
  readonly damaged: boolean;
}

const NEWLINE = 10;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Returns a record as a line: its length in bytes, its checksum (CRC-32), and its JSON. */
export function encodeRecord(json: string): Uint8Array {
  const body = encoder.encode(json);
  const head = encoder.encode(`${body.length} ${checksum(body)} `);
  const line = new Uint8Array(head.length + body.length + 1);
  line.set(head);
  line.set(body, head.length);
  line[line.length - 1] = NEWLINE;
  return line;
}

/** Returns the JSON of a write. */
export function writeJson(
  { resourceVersion, resource, namespace, name }: Omit<LoggedWrite, "object">,
  objectText: string,
): string {
  const head = JSON.stringify({ resourceVersion, resource, namespace, name });
  return `${head.slice(0, -1)},"object":${objectText}}`;
}

/** Returns the JSON of a reservation. */
export function reservationJson(reserved: number): string {
  const record: Reservation = { kind: "KubeloopLog", version: 1, reserved: String(reserved) };
  return JSON.stringify(record);
}

/**
 * Reads the records of a file up to the first that is not whole.
 *
 * A process that ends within a write leaves the beginning of a line. A machine that ends may leave a last line with
 * blocks of zeros. Neither was acknowledged by a server that waits for the disk. Everything else is damage.
 */
export function decodeRecords(bytes: Uint8Array): LogContent {
  const records: LogRecord[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf(NEWLINE, at);
    const record = end < 0 ? undefined : decodeLine(bytes.subarray(at, end));
    if (record === undefined) {
      return { records, length: at, damaged: isDamage(bytes.subarray(at)) };
    }
    records.push(record);
    at = end + 1;
  }
  return { records, length: at, damaged: false };
}

/** Matches the beginning of a record. After a loss of power, zeros may follow instead of the rest. */
const BEGINNING = /^(?:[1-9][0-9]{0,9}(?: [0-9a-f]{0,7}| [0-9a-f]{8}(?: .*)?)?)?(?:\0.*)?$/s;

/** Reports whether bytes that start with a broken record are more than one record that was not written to its end. */
function isDamage(bytes: Uint8Array): boolean {
  const end = bytes.indexOf(NEWLINE);
  if (end < 0) return !BEGINNING.test(latin(bytes.subarray(0, 20)));
  if (!bytes.subarray(0, end).includes(0)) return true;
  for (let at = end + 1; at < bytes.length;) {
    const next = bytes.indexOf(NEWLINE, at);
    if (next < 0) return false;
    if (decodeLine(bytes.subarray(at, next)) !== undefined) return true;
    at = next + 1;
  }
  return false;
}

function decodeLine(line: Uint8Array): LogRecord | undefined {
  // The length and the checksum take at most 10 and 8 digits.
  const head = /^([1-9][0-9]{0,9}) ([0-9a-f]{8}) /.exec(latin(line.subarray(0, 20)));
  if (head === null) return undefined;
  const body = line.subarray(head[0].length);
  if (body.length !== Number(head[1]) || checksum(body) !== head[2]) return undefined;
  try {
    return parseJson(decoder.decode(body)) as LogRecord;
  } catch {
    return undefined;
  }
}

function checksum(bytes: Uint8Array): string {
  return crc32(bytes).toString(16).padStart(8, "0");
}

function latin(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
