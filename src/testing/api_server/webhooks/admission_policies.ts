import { AdmissionPolicy, type PolicyDenial } from "../../cel/mod.ts";
import { matchesSelector, type ResourceInfo, type ResourceRegistry } from "../kinds/mod.ts";
import type { ResourceStore, Storage, StoredObject } from "../storage/mod.ts";
import {
  ApiError,
  forbidden,
  getArray,
  getObject,
  getOwn,
  getString,
  isObject,
  type JsonObject,
} from "../../values/mod.ts";
import type { LabelSelector } from "@kubeloop/controller/types";
import { type ActivationSources, admissionActivation } from "./admission_activation.ts";
import type { AdmissionAttributes, Invocation } from "./admission_request.ts";
import { isUnlimited, RequestSelector } from "./request_selector.ts";
import { invocationByRules } from "./invocation.ts";

const GROUP = "admissionregistration.k8s.io";

/** The codes of the reasons that a policy may give. */
const CODES: Readonly<Record<string, number>> = {
  Unauthorized: 401,
  Forbidden: 403,
  RequestEntityTooLarge: 413,
  Invalid: 422,
};

/** The parts of the server that policies use. */
export interface PolicyOptions extends ActivationSources {
  readonly storage: Storage;
  readonly registry: ResourceRegistry;
  /** Returns the attributes with the objects in the version of an invocation. */
  readonly convert: (
    attributes: AdmissionAttributes,
    invocation: Invocation,
  ) => Promise<AdmissionAttributes>;
}

/** A denial, with the policy and binding that it comes from. */
interface Refusal extends PolicyDenial {
  readonly policy: string;
  /** The name of the binding; undefined if the policy itself is wrong. */
  readonly binding: string | undefined;
}

/** Evaluates the stored `ValidatingAdmissionPolicy` objects that have a binding. */
export class AdmissionPolicies {
  readonly #options: PolicyOptions;
  readonly #selector: RequestSelector;
  readonly #policies: ResourceStore;
  readonly #bindings: ResourceStore;
  readonly #compiled = new WeakMap<StoredObject, AdmissionPolicy>();

  /** Creates the evaluation of the policies in the storage. */
  constructor(options: PolicyOptions) {
    this.#options = options;
    this.#selector = new RequestSelector(options.storage);
    this.#policies = options.storage.store(`validatingadmissionpolicies.${GROUP}`);
    this.#bindings = options.storage.store(`validatingadmissionpolicybindings.${GROUP}`);
  }

  /** Whether no policy is bound, so that nothing need be evaluated. */
  get isEmpty(): boolean {
    return this.#policies.size === 0 || this.#bindings.size === 0;
  }

  /**
   * Evaluates the policies for a request.
   *
   * @throws {ApiError} If one of them denies it: by default 422.
   */
  async validate(attributes: AdmissionAttributes): Promise<void> {
    if (this.isEmpty) return;
    const bindings = this.#bindings.list("").map((one) => one.parse() as unknown as JsonObject);
    let first: Refusal | undefined;
    for (const stored of this.#policies.list("")) {
      const own = bindings.filter((one) => getString(one, "spec", "policyName") === stored.name);
      if (own.length === 0) continue;
      const refusals = await this.#evaluate(this.#policy(stored), own, attributes);
      first ??= refusals[0];
    }
    if (first !== undefined) throw refusalError(first, attributes);
  }

  #policy(stored: StoredObject): AdmissionPolicy {
    let policy = this.#compiled.get(stored);
    if (policy === undefined) {
      policy = new AdmissionPolicy(stored.parse() as unknown as JsonObject);
      this.#compiled.set(stored, policy);
    }
    return policy;
  }

  async #evaluate(
    policy: AdmissionPolicy,
    bindings: readonly JsonObject[],
    attributes: AdmissionAttributes,
  ): Promise<Refusal[]> {
    const constraints = getObject(policy.spec, "matchConstraints");
    const invocation = this.#invocation(constraints, attributes);
    if (invocation === undefined) return [];
    const paramKind = getOwn(policy.spec, "paramKind");
    const paramResource = isObject(paramKind) ? this.#paramResource(paramKind) : undefined;
    if (isObject(paramKind) && paramResource === undefined) {
      if (policy.ignoresFailure) return [];
      const why = `failed to find resource referenced by paramKind: '${showParamKind(paramKind)}'`;
      const message = `failed to configure policy: ${why}`;
      return [{ policy: policy.name, binding: undefined, message, reason: "" }];
    }
    const refusals: Refusal[] = [];
    for (const binding of bindings) {
      const spec = getObject(binding, "spec");
      const name = getString(binding, "metadata", "name");
      const resources = getOwn(spec, "matchResources");
      if (isObject(resources) && this.#invocation(resources, attributes) === undefined) continue;
      const params = paramResource === undefined
        ? [undefined]
        : this.#params(paramResource, getOwn(spec, "paramRef"), attributes);
      if (typeof params === "string") {
        if (policy.ignoresFailure) continue;
        const message = `failed to configure binding: ${params}`;
        refusals.push({ policy: policy.name, binding: name, message, reason: "" });
        continue;
      }
      const shown = await this.#options.convert(attributes, invocation);
      const denials = params.flatMap((one) =>
        policy.evaluate(
          admissionActivation({ attributes: shown, invocation, params: one }, this.#options),
        )
      );
      for (const action of getArray(spec, "validationActions")) {
        for (const denial of denials) {
          if (action === "Deny") refusals.push({ ...denial, policy: policy.name, binding: name });
          else if (action === "Warn") {
            attributes.warnings.push(
              `Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${name}': ${denial.message}`,
            );
          }
        }
      }
    }
    return refusals;
  }

  /** Returns the form in which `matchConstraints` select a request; undefined if they do not. */
  #invocation(
    constraints: JsonObject,
    attributes: AdmissionAttributes,
  ): Invocation | undefined {
    if (!this.#selector.matches(constraints, attributes)) return undefined;
    const equivalent = getString(constraints, "matchPolicy") !== "Exact";
    const find = (name: string) =>
      invocationByRules(
        getArray(constraints, name).filter(isObject).filter((rule) =>
          namesObject(rule, attributes)
        ),
        equivalent,
        attributes,
        this.#options.registry,
      );
    if (find("excludeResourceRules") !== undefined) return undefined;
    if (getArray(constraints, "resourceRules").length > 0) return find("resourceRules");
    return { resource: attributes.resource, kind: attributes.kind };
  }

  /** Returns the parameters of a binding, or why there are none. */
  #params(
    resource: ResourceInfo,
    ref: unknown,
    attributes: AdmissionAttributes,
  ): readonly (JsonObject | undefined)[] | string {
    if (!isObject(ref as JsonObject)) return [undefined];
    const paramRef = ref as JsonObject;
    let namespace = "";
    const given = getString(paramRef, "namespace");
    if (resource.namespaced) {
      namespace = given || attributes.namespace;
      if (namespace === "") {
        return "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources";
      }
    } else if (given !== "") {
      return "paramRef.namespace must not be provided for a cluster-scoped `paramKind`";
    }
    const name = getString(paramRef, "name");
    const selector = getObject(paramRef, "selector") as LabelSelector;
    const found = this.#options.storage.store(resource.storageName).list(namespace)
      .filter((one) =>
        name === ""
          ? isUnlimited(selector) || matchesSelector(selector, { ...one.labels })
          : one.name === name
      )
      .map((one) => resource.read(one) as unknown as JsonObject);
    if (found.length === 0 && getString(paramRef, "parameterNotFoundAction") === "Deny") {
      return "no params found for policy binding with `Deny` parameterNotFoundAction";
    }
    return found;
  }

  #paramResource(kind: JsonObject): ResourceInfo | undefined {
    const [apiVersion, name] = [getString(kind, "apiVersion"), getString(kind, "kind")];
    return this.#options.registry.all().find((resource) =>
      resource.kind.kind === name && resource.apiVersion === apiVersion
    );
  }
}

/** Formats the kind of parameters as Go prints a `GroupVersionKind`. */
function showParamKind(kind: JsonObject): string {
  const [version = "", group = ""] = getString(kind, "apiVersion").split("/").reverse();
  return `${group}/${version}, Kind=${getString(kind, "kind")}`;
}

/** Reports whether a rule with `resourceNames` names the object of a request. */
function namesObject(rule: JsonObject, { name }: AdmissionAttributes): boolean {
  const names = getArray(rule, "resourceNames");
  return names.length === 0 || names.includes(name);
}

function refusalError(
  { policy, binding, message, reason: given }: Refusal,
  { resource, name }: AdmissionAttributes,
): ApiError {
  const by = binding === undefined ? "" : ` with binding '${binding}'`;
  const text = `ValidatingAdmissionPolicy '${policy}'${by} denied request: ${message}`;
  const reason = given === "" ? "Invalid" : given;
  const known = name || "Unknown";
  const { status } = forbidden(resource.definition, known, text, [{ message: text }]);
  return new ApiError({ ...status, reason, code: CODES[reason] ?? 422 });
}
