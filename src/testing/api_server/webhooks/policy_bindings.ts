import type { LabelSelector } from "@kubeloop/controller/types";
import type { CompiledPolicy } from "@kubeloop/controller/internal/cel";
import {
  getArray,
  getObject,
  getOwn,
  getString,
  isObject,
  type JsonObject,
} from "../../values/mod.ts";
import {
  matchesSelector,
  type ResourceInfo,
  type ResourceRegistry,
  VIRTUAL_RESOURCES,
} from "../kinds/mod.ts";
import type { ResourceStore, Storage, StoredObject } from "../storage/mod.ts";
import type { ActivationSources } from "./admission_activation.ts";
import type { AdmissionAttributes, Invocation } from "./admission_request.ts";
import { invocationByRules } from "./invocation.ts";
import { isUnlimited, RequestSelector } from "./request_selector.ts";

const GROUP = "admissionregistration.k8s.io";

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

/** A policy that is to be evaluated for a request, with the binding that says so. */
export interface BoundPolicy<P> {
  readonly policy: P;
  /** The name of the binding. */
  readonly binding: string;
  /** The desired state of the binding. */
  readonly spec: JsonObject;
  readonly invocation: Invocation;
  /** The parameters: the policy is evaluated once for each of them. Undefined means no parameter. */
  readonly params: readonly (JsonObject | undefined)[];
}

/** A policy or binding that is wrong, so that the policy cannot be evaluated. */
export interface PolicyFault<P> {
  readonly policy: P;
  /** The name of the binding; undefined if the policy itself is wrong. */
  readonly binding: string | undefined;
  readonly message: string;
}

/** The stored admission policies of one kind with their bindings. */
export class PolicyBindings<P extends CompiledPolicy> {
  readonly #options: PolicyOptions;
  readonly #selector: RequestSelector;
  readonly #policies: ResourceStore;
  readonly #bindings: ResourceStore;
  readonly #compile: (policy: JsonObject) => P;
  readonly #compiled = new WeakMap<StoredObject, P>();

  /**
   * Reads the policies in the storage.
   *
   * @param name The singular name of their resource, as in `validatingadmissionpolicy`.
   */
  constructor(options: PolicyOptions, name: string, compile: (policy: JsonObject) => P) {
    this.#options = options;
    this.#selector = new RequestSelector(options.storage);
    this.#policies = options.storage.store(`${name.replace(/y$/, "ies")}.${GROUP}`);
    this.#bindings = options.storage.store(`${name}bindings.${GROUP}`);
    this.#compile = compile;
  }

  /** Whether no policy is bound, so that nothing need be evaluated. */
  get isEmpty(): boolean {
    return this.#policies.size === 0 || this.#bindings.size === 0;
  }

  /** Returns the policies that are bound to a request, by name and then by the name of the binding. */
  boundTo(attributes: AdmissionAttributes): (BoundPolicy<P> | PolicyFault<P>)[] {
    if (this.isEmpty || VIRTUAL_RESOURCES.has(attributes.resource.storageName)) return [];
    const bindings = this.#bindings.list("").map((one) => one.parse() as unknown as JsonObject);
    return this.#policies.list("").flatMap((stored) => {
      const own = bindings.filter((one) => getString(one, "spec", "policyName") === stored.name);
      return own.length === 0 ? [] : this.#bound(this.#policy(stored), own, attributes);
    });
  }

  #policy(stored: StoredObject): P {
    let policy = this.#compiled.get(stored);
    if (policy === undefined) {
      policy = this.#compile(stored.parse() as unknown as JsonObject);
      this.#compiled.set(stored, policy);
    }
    return policy;
  }

  #bound(
    policy: P,
    bindings: readonly JsonObject[],
    attributes: AdmissionAttributes,
  ): (BoundPolicy<P> | PolicyFault<P>)[] {
    const invocation = this.#invocation(getObject(policy.spec, "matchConstraints"), attributes);
    if (invocation === undefined) return [];
    const paramKind = getOwn(policy.spec, "paramKind");
    const paramResource = isObject(paramKind) ? this.#paramResource(paramKind) : undefined;
    if (isObject(paramKind) && paramResource === undefined) {
      const why = `failed to find resource referenced by paramKind: '${showParamKind(paramKind)}'`;
      return [{ policy, binding: undefined, message: `failed to configure policy: ${why}` }];
    }
    return bindings.flatMap((one): (BoundPolicy<P> | PolicyFault<P>)[] => {
      const spec = getObject(one, "spec");
      const binding = getString(one, "metadata", "name");
      const resources = getOwn(spec, "matchResources");
      if (isObject(resources) && this.#invocation(resources, attributes) === undefined) return [];
      const params = paramResource === undefined
        ? [undefined]
        : this.#params(paramResource, getOwn(spec, "paramRef"), attributes);
      if (typeof params === "string") {
        return [{ policy, binding, message: `failed to configure binding: ${params}` }];
      }
      return [{ policy, binding, spec, invocation, params }];
    });
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
