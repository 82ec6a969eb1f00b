import type { Release } from "../../release/mod.ts";
import {
  child,
  type FieldError,
  forbiddenField,
  getArray,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isInside,
  isObject,
  item,
  type Json,
  type JsonObject,
  NO_CIDR,
  notSupported,
  parseLegacyCidr,
  portName,
  portNumber,
  required,
} from "../../../values/mod.ts";
import { legacyCidrWarnings, objects, validateLabelSelector } from "../shared/mod.ts";

const PROTOCOLS = ["TCP", "UDP", "SCTP"];
const POLICY_TYPES = ["Ingress", "Egress"];

/** The lists of rules, with the names of their lists of peers. */
const RULES = [["ingress", "from"], ["egress", "to"]] as const;

/** Returns the errors of a NetworkPolicy apart from its metadata. */
export function validateNetworkPolicy(policy: JsonObject, release: Release): FieldError[] {
  const spec = getObject(policy, "spec");
  const errors = validateLabelSelector(getObject(spec, "podSelector"), "spec.podSelector");
  for (const [list, peers] of RULES) {
    objects(spec, list).forEach((rule, index) => {
      const field = item(child("spec", list), index);
      objects(rule, "ports").forEach((port, at) => {
        errors.push(...validatePort(port, item(child(field, "ports"), at), release));
      });
      objects(rule, peers).forEach((peer, at) => {
        errors.push(...validatePeer(peer, item(child(field, peers), at)));
      });
    });
  }
  const types = getArray(spec, "policyTypes");
  if (types.length > POLICY_TYPES.length) {
    const reason = "may not specify more than two policyTypes";
    return [...errors, invalidValue("spec.policyTypes", [...types], reason)];
  }
  types.forEach((type, index) => {
    if (POLICY_TYPES.includes(String(type))) return;
    errors.push(notSupported(item("spec.policyTypes", index), type, POLICY_TYPES));
  });
  return errors;
}

function validatePort(port: JsonObject, field: string, release: Release): FieldError[] {
  const errors: FieldError[] = [];
  const protocol = getString(port, "protocol");
  if (!PROTOCOLS.includes(protocol)) {
    errors.push(notSupported(child(field, "protocol"), protocol, PROTOCOLS));
  }
  const number = getOwn(port, "port");
  const end = getOwn(port, "endPort");
  const at = child(field, "endPort");
  const refuse = (value: Json, reason: string) => errors.push(invalidValue(at, value, reason));
  if (number === undefined) {
    if (end !== undefined) refuse(end, "may not be specified when `port` is not specified");
    return errors;
  }
  const reasons = typeof number === "number" ? portNumber(number) : portName(String(number));
  const wrong = reasons.map((reason) => invalidValue(child(field, "port"), number, reason));
  if (typeof number !== "number" && end !== undefined) {
    refuse(end, "may not be specified when `port` is non-numeric");
  }
  errors.push(...wrong);
  if (typeof end !== "number" || typeof number !== "number") return errors;
  const shown = release.has({ since: "1.37" }) ? end : number;
  if (end < number) refuse(shown, "must be greater than or equal to `port`");
  errors.push(...portNumber(end).map((reason) => invalidValue(at, end, reason)));
  return errors;
}

function validatePeer(peer: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const selectors = ["podSelector", "namespaceSelector"].filter((name) =>
    isObject(getOwn(peer, name))
  );
  for (const name of selectors) {
    errors.push(...validateLabelSelector(getObject(peer, name), child(field, name)));
  }
  const block = getOwn(peer, "ipBlock");
  if (isObject(block)) errors.push(...validateBlock(block, child(field, "ipBlock")));
  if (isObject(block) && selectors.length > 0) {
    errors.push(forbiddenField(field, "may not specify both ipBlock and another peer"));
  }
  if (!isObject(block) && selectors.length === 0) {
    errors.push(required(field, "must specify a peer"));
  }
  return errors;
}

function validateBlock(block: JsonObject, field: string): FieldError[] {
  const text = getString(block, "cidr");
  const at = child(field, "cidr");
  if (text === "") return [required(at)];
  const cidr = parseLegacyCidr(text);
  if (cidr === undefined) return [invalidValue(at, text, NO_CIDR)];
  return getArray(block, "except").flatMap((one, index) => {
    const except = String(one);
    const where = item(child(field, "except"), index);
    const inner = parseLegacyCidr(except);
    if (inner === undefined) return [invalidValue(where, except, NO_CIDR)];
    if (isInside(inner, cidr)) return [];
    return [invalidValue(where, except, "must be a strict subset of `cidr`")];
  });
}

/** Returns the warnings for a write of a NetworkPolicy: about blocks of addresses in an unusual form. */
export function policyWarnings(policy: JsonObject): string[] {
  return RULES.flatMap(([list, peers]) =>
    objects(policy, "spec", list).flatMap((rule, index) =>
      objects(rule, peers).flatMap((peer, at) => {
        const field = child(item(child(item(child("spec", list), index), peers), at), "ipBlock");
        const block = getObject(peer, "ipBlock");
        return [
          ...legacyCidrWarnings(getString(block, "cidr"), child(field, "cidr")),
          ...getArray(block, "except").flatMap((one, position) =>
            legacyCidrWarnings(String(one), item(child(field, "except"), position))
          ),
        ];
      })
    )
  );
}
