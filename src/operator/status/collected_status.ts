import { isRecord } from "../../base/mod.ts";
import { type Condition, isQualifiedName } from "../../types/mod.ts";
import { plainJson } from "../../fields/mod.ts";
import type { StatusConditions } from "./status_types.ts";

/** The limits of the API for conditions, in characters. */
const MAX_REASON_LENGTH = 1024;
const MAX_MESSAGE_LENGTH = 32_768;
const REASON = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;

/** A condition to set. The other fields are filled in when the status is written. */
export type CollectedCondition = Required<
  Pick<Condition, "type" | "status" | "reason" | "message">
>;

/** The fields and conditions that a reconcile has set in the status of its object. */
export class CollectedStatus implements StatusConditions {
  /** Fields by name; undefined removes a field. */
  readonly fields: Map<string, unknown> = new Map<string, unknown>();
  /** Conditions by type; undefined removes a condition. */
  readonly conditions: Map<string, CollectedCondition | undefined> = new Map<
    string,
    CollectedCondition | undefined
  >();

  readonly #write: () => Promise<void>;

  /** Creates an empty status; `write` writes it before the reconcile ends. */
  constructor(write: () => Promise<void>) {
    this.#write = write;
  }

  /** Sets fields. */
  set(fields: unknown): void {
    if (fields === undefined) return;
    if (!isRecord(fields)) {
      throw new TypeError(
        `Invalid status: expected an object with its fields, received ${nameOf(fields)}`,
      );
    }
    if (fields["conditions"] !== undefined) {
      throw new TypeError(
        'Invalid status: set conditions one by one, as in status().condition("Ready", "True", "AllUp")',
      );
    }
    // An invalid value must not leave only some of the fields set.
    const plain = Object.entries(fields).filter(([, value]) => value !== undefined)
      .map(([name, value]) =>
        [name, value === null ? undefined : plainJson(value, `status.${name}`)] as const
      );
    for (const [name, value] of plain) this.fields.set(name, value);
  }

  condition(
    type: string,
    status: Condition["status"],
    reason: string,
    message: string = "",
  ): this {
    requireType(type);
    if (status !== "True" && status !== "False" && status !== "Unknown") {
      throw new TypeError(
        `Invalid status of condition ${type}: expected "True", "False" or "Unknown", received ${
          typeof status === "string" ? JSON.stringify(status) : nameOf(status)
        }`,
      );
    }
    if (typeof reason !== "string" || reason.length > MAX_REASON_LENGTH || !REASON.test(reason)) {
      throw new TypeError(
        `Invalid reason of condition ${type}: expected a CamelCase word such as "AllReplicasReady", received ${
          typeof reason === "string" ? JSON.stringify(reason.slice(0, 100)) : nameOf(reason)
        }`,
      );
    }
    if (typeof message !== "string") {
      throw new TypeError(
        `Invalid message of condition ${type}: expected a string, received ${nameOf(message)}`,
      );
    }
    const kept = message.slice(0, MAX_MESSAGE_LENGTH);
    this.conditions.set(type, { type, status, reason, message: kept });
    return this;
  }

  removeCondition(type: string): this {
    requireType(type);
    this.conditions.set(type, undefined);
    return this;
  }

  write(): Promise<void> {
    return this.#write();
  }
}

function requireType(type: unknown): void {
  if (typeof type === "string" && isQualifiedName(type)) return;
  throw new TypeError(
    `Invalid type of a condition: expected a name such as "Ready", received ${
      typeof type === "string" ? JSON.stringify(type.slice(0, 100)) : nameOf(type)
    }`,
  );
}

function nameOf(value: unknown): string {
  if (value === null || typeof value === "boolean") return String(value);
  return Array.isArray(value) ? "an array" : `a value of type ${typeof value}`;
}
