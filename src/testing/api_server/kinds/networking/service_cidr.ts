import {
  type FieldError,
  firstAddress,
  getArray,
  invalidValue,
  ipText,
  item,
  type JsonObject,
  NO_CIDR,
  parseCidr,
  required,
} from "../../../values/mod.ts";
import { defineKind, type KindRecord, STATUS } from "../record/mod.ts";
import { AGE, column, immutable, NAME, named, since } from "../shared/mod.ts";

/** ServiceCIDRs. */
export const SERVICE_CIDR: KindRecord = defineKind(
  "networking.k8s.io/v1",
  "servicecidrs",
  "ServiceCIDR",
  {
    namespaced: false,
    subresources: [STATUS],
    statusKeeps: ["*"],
    // As in a real server, where a write of the status takes the spec over, although it does not change it.
    resets: { "": [["status"]], status: [] },
    names: "subdomain",
    validatesAgain: false,
    validate: validateCidrs,
    validateChange: validateCidrUpdate,
    table: {
      columns: [
        NAME,
        since(
          column(
            "CIDRs",
            'CIDRs defines the IP blocks in CIDR notation (e.g. "192.168.0.0/24" or "2001:db8::/64") from which to assign service cluster IPs. Max of two CIDRs is allowed, one of each IP family. This field is immutable.',
          ),
          "1.37",
          'cidrs defines the IP blocks in CIDR notation (e.g. "192.168.0.0/24" or "2001:db8::/64") from which to assign service cluster IPs. Max of two CIDRs is allowed, one of each IP family. This field is immutable.',
        ),
        AGE,
      ],
      row: named((one) => [getArray(one, "spec", "cidrs").join(",")]),
    },
  },
  {
    since: "1.36",
    gate: "ServiceCIDRStatusFieldWiping",
    resets: { "": [["status"]], status: [["spec"], ["metadata"]] },
  },
);

function validateCidrs(one: JsonObject): FieldError[] {
  const field = "spec.cidrs";
  const all = getArray(one, "spec", "cidrs").map(String);
  if (all.length === 0) return [required(field, "at least one CIDR required")];
  if (all.length > 2) return [invalidValue(field, { CIDRs: all }, "may only hold up to 2 values")];
  const [first, second] = all.map(parseCidr);
  const errors: FieldError[] = [];
  if (first !== undefined && second !== undefined && first.bits === second.bits) {
    const reason =
      "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64";
    errors.push(invalidValue(field, all, reason));
  }
  all.forEach((text, index) => {
    errors.push(
      ...cidrErrors(text).map((reason) => invalidValue(item(field, index), text, reason)),
    );
  });
  return errors;
}

function cidrErrors(text: string): string[] {
  const cidr = parseCidr(text);
  if (cidr === undefined) return [NO_CIDR];
  const bits = "must not have bits set beyond the prefix length";
  if (firstAddress(cidr) !== cidr.address) return [bits];
  const canonical = `${ipText(cidr.address, cidr.bits)}/${cidr.prefix}`;
  return canonical === text ? [] : [`must be in canonical form ("${canonical}")`];
}

/** A second block may be added to one, and nothing else may change. */
function validateCidrUpdate(next: JsonObject, old: JsonObject): FieldError[] {
  const field = "spec.cidrs";
  const [cidrs, before] = [next, old].map((one) => getArray(one, "spec", "cidrs").map(String)) as [
    string[],
    string[],
  ];
  if (before.length === 1 && cidrs.length === 2) {
    const same = cidrs[0] === before[0];
    const fixed = same ? [] : [invalidValue(item(field, 0), cidrs[0], "field is immutable")];
    return [...fixed, ...validateCidrs(next)];
  }
  if (before.length !== cidrs.length) return immutable(next, old, "spec", "cidrs");
  return cidrs.flatMap((cidr, index) =>
    cidr === before[index] ? [] : [invalidValue(item(field, index), cidr, "field is immutable")]
  );
}
