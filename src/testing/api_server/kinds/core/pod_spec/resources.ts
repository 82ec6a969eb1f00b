import { parseQuantity, storedQuantity } from "@kubeloop/controller/internal/base";
import {
  child,
  compareQuantities,
  dnsLabel,
  duplicate,
  type FieldError,
  forbiddenField,
  getObject,
  getString,
  invalidValue,
  item,
  type JsonObject,
  notFoundField,
  required,
} from "../../../../values/mod.ts";
import { amountErrors, isNativeResource, objects } from "../../shared/mod.ts";

const HUGE = "hugepages-";

/** Returns the errors of the name of a resource. */
type NameRule = (name: string, field: string) => FieldError[];

/**
 * Returns the errors of the requests, limits and claims of a container or a Pod.
 *
 * @param claims The names of the claims of the Pod.
 */
export function validateResources(
  resources: JsonObject,
  field: string,
  nameErrors: NameRule,
  claims: ReadonlySet<string>,
): FieldError[] {
  const limits = getObject(resources, "limits");
  const requests = getObject(resources, "requests");
  const errors: FieldError[] = [];
  for (const [list, amounts] of [["limits", limits], ["requests", requests]] as const) {
    for (const name of Object.keys(amounts)) {
      const at = item(child(field, list), name);
      const amount = getString(amounts, name);
      errors.push(...nameErrors(name, at), ...amountErrors(name, amount, at));
      if (list === "requests") errors.push(...validateLimited(name, amount, limits, field));
      errors.push(...validatePages(name, amount, at));
    }
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (
    names.some((name) => name.startsWith(HUGE)) && !names.includes("cpu") &&
    !names.includes("memory")
  ) errors.push(forbiddenField(field, "HugePages require cpu or memory"));
  return [...errors, ...validateClaimNames(resources, child(field, "claims"), claims)];
}

/** Returns the error of an amount of memory in huge pages that is not a number of whole pages. */
function validatePages(name: string, amount: string, field: string): FieldError[] {
  if (!name.startsWith(HUGE)) return [];
  const page = parseQuantity(name.slice(HUGE.length));
  const size = parseQuantity(amount);
  if (size === undefined) return [];
  const isWhole = page !== undefined && page.nano > 0n && page.nano % 1_000_000_000n === 0n &&
    size.nano % page.nano === 0n;
  const shown = canonical(amount);
  if (isWhole) return [];
  return [invalidValue(field, shown, `${shown} is not positive integer multiple of ${name}`)];
}

/** Returns the errors of a request that does not fit its limit. */
function validateLimited(
  name: string,
  amount: string,
  limits: JsonObject,
  field: string,
): FieldError[] {
  const limit = getString(limits, name);
  const overcommit = isNativeResource(name) && !name.startsWith(HUGE);
  if (limit === "") {
    if (overcommit) return [];
    const text = "Limit must be set for non overcommitable resources";
    return [required(child(field, "limits"), text)];
  }
  const order = compareQuantities(amount, limit)!;
  const relation = order !== 0 && !overcommit
    ? "equal to"
    : order > 0
    ? "less than or equal to"
    : undefined;
  if (relation === undefined) return [];
  const text = `must be ${relation} ${name} limit of ${canonical(limit)}`;
  return [invalidValue(child(field, "requests"), canonical(amount), text)];
}

/** Returns a quantity as the server shows it. */
export function canonical(amount: string): string {
  return storedQuantity(amount) ?? amount;
}

function validateClaimNames(
  resources: JsonObject,
  field: string,
  known: ReadonlySet<string>,
): FieldError[] {
  const used: ClaimUse = { keys: new Set(), partly: new Map() };
  return objects(resources, "claims").flatMap((claim, index) => {
    const at = item(field, index);
    const name = getString(claim, "name");
    if (name === "") return [required(at)];
    const errors = validateClaimUse(name, getString(claim, "request"), at, used);
    if (known.has(name)) return errors;
    const { message, ...rest } = notFoundField(at, name);
    const names = known.size === 0 ? " which is empty" : `: ${[...known].sort().join(", ")}`;
    const why = `must be one of the names in pod.spec.resourceClaims${names}`;
    return [...errors, { ...rest, message: `${message}: ${why}` }];
  });
}

/** The claims that a container uses: as a whole or by a request, and how many requests of each. */
interface ClaimUse {
  readonly keys: Set<string>;
  readonly partly: Map<string, number>;
}

/** Returns the errors of the use of a claim or of one of its requests. `used` has the former uses, and gets this one. */
function validateClaimUse(
  name: string,
  request: string,
  field: string,
  { keys, partly }: ClaimUse,
): FieldError[] {
  if (keys.has(name)) return [duplicate(field, name)];
  const at = child(field, "request");
  const key = request === "" ? name : `${name}/${request}`;
  const errors = request === ""
    ? Array.from({ length: partly.get(name) ?? 0 }, () => duplicate(field, name))
    : dnsLabel(request).map((text) => invalidValue(at, request, text));
  if (keys.has(key)) errors.push(duplicate(field, key));
  else if (request !== "") partly.set(name, (partly.get(name) ?? 0) + 1);
  keys.add(key);
  return errors;
}
