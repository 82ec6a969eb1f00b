import { dnsLabel, dnsSubdomain } from "../../values/mod.ts";
import {
  AUTHORIZER,
  type CelType,
  DECISION,
  GROUP_CHECK,
  PATH_CHECK,
  RESOURCE_CHECK,
} from "../types/mod.ts";
import { CelError, type Opaque } from "../values/mod.ts";
import { define, type Overload } from "./overload.ts";

/** A question of an expression to the authorizer. */
export interface AccessQuestion {
  readonly verb: string;
  /** The path, of a question that concerns no resource. */
  readonly path?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** The user name of a service account; undefined for the user of the request. */
  readonly serviceAccount?: string;
}

/** Answers a question: whether it is allowed, and why. */
export type AccessCheck = (
  question: AccessQuestion,
) => { readonly allowed: boolean; readonly reason: string };

type Question = { readonly [Key in keyof AccessQuestion]?: string };

/** A part of a question. */
class CheckValue implements Opaque {
  readonly opaque: CelType;
  readonly #check: AccessCheck;
  readonly #question: Question;

  constructor(opaque: CelType, check: AccessCheck, question: Question) {
    this.opaque = opaque;
    this.#check = check;
    this.#question = question;
  }

  equals(other: Opaque): boolean {
    return other instanceof CheckValue && this.#check === other.#check &&
      JSON.stringify(this.#question) === JSON.stringify(other.#question);
  }

  with(type: CelType, more: Question): CheckValue {
    return new CheckValue(type, this.#check, { ...this.#question, ...more });
  }

  decide(verb: string): DecisionValue {
    const { allowed, reason } = this.#check({ ...this.#question, verb } as AccessQuestion);
    return new DecisionValue(allowed, reason);
  }
}

/** The answer to a question. */
class DecisionValue implements Opaque {
  readonly opaque = DECISION;
  readonly allowed: boolean;
  readonly reason: string;

  constructor(allowed: boolean, reason: string) {
    this.allowed = allowed;
    this.reason = reason;
  }

  equals(other: Opaque): boolean {
    return other instanceof DecisionValue && this.allowed === other.allowed &&
      this.reason === other.reason;
  }
}

/** Returns the value of the variable `authorizer`. */
export function authorizerValue(check: AccessCheck): Opaque {
  return new CheckValue(AUTHORIZER, check, {});
}

/** Returns the value of the variable `authorizer.requestResource`. */
export function resourceAuthorizerValue(
  check: AccessCheck,
  question: Omit<AccessQuestion, "verb">,
): Opaque {
  return new CheckValue(RESOURCE_CHECK, check, question);
}

function named(text: string, what: string): string {
  if (text.trim() === "") throw new CelError(`${what} must not be empty`);
  return text;
}

function serviceAccount(check: CheckValue, namespace: string, name: string): CheckValue {
  if (dnsSubdomain(name).length > 0) throw new CelError("Invalid service account name");
  if (dnsLabel(namespace).length > 0) throw new CelError("Invalid service account namespace");
  return check.with(AUTHORIZER, { serviceAccount: `system:serviceaccount:${namespace}:${name}` });
}

const part = (key: keyof AccessQuestion) => (check: CheckValue, text: string) =>
  check.with(RESOURCE_CHECK, { [key]: text });
const same = (check: CheckValue) => check;
const decide = (check: CheckValue, verb: string) => check.decide(verb);

/** The functions of the authorizer. */
export const AUTHORIZERS: readonly Overload[] = [
  define(
    "path",
    "authorizer_path",
    "Authorizer.string -> PathCheck",
    (check: CheckValue, path: string) => check.with(PATH_CHECK, { path: named(path, "path") }),
  ),
  define(
    "group",
    "authorizer_group",
    "Authorizer.string -> GroupCheck",
    (check: CheckValue, group: string) => check.with(GROUP_CHECK, { group }),
  ),
  define(
    "serviceAccount",
    "authorizer_serviceaccount",
    "Authorizer.string, string -> Authorizer",
    serviceAccount,
  ),
  define(
    "resource",
    "groupcheck_resource",
    "GroupCheck.string -> ResourceCheck",
    (check: CheckValue, resource: string) =>
      check.with(RESOURCE_CHECK, { resource: named(resource, "resource") }),
  ),
  define(
    "subresource",
    "resourcecheck_subresource",
    "ResourceCheck.string -> ResourceCheck",
    part("subresource"),
  ),
  define(
    "namespace",
    "resourcecheck_namespace",
    "ResourceCheck.string -> ResourceCheck",
    part("namespace"),
  ),
  define("name", "resourcecheck_name", "ResourceCheck.string -> ResourceCheck", part("name")),
  define(
    "fieldSelector",
    "authorizer_fieldselector",
    "ResourceCheck.string -> ResourceCheck",
    same,
  ),
  define(
    "labelSelector",
    "authorizer_labelselector",
    "ResourceCheck.string -> ResourceCheck",
    same,
  ),
  define("check", "pathcheck_check", "PathCheck.string -> Decision", decide),
  define("check", "resourcecheck_check", "ResourceCheck.string -> Decision", decide),
  define("errored", "decision_errored", "Decision. -> bool", () => false),
  define("error", "decision_error", "Decision. -> string", () => ""),
  define(
    "allowed",
    "decision_allowed",
    "Decision. -> bool",
    ({ allowed }: DecisionValue) => allowed,
  ),
  define("reason", "decision_reason", "Decision. -> string", ({ reason }: DecisionValue) => reason),
];
