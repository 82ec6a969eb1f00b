import type { KubeObject } from "@kubeloop/controller/types";
import { MutatingPolicy, type Mutation } from "@kubeloop/controller/internal/cel";
import {
  ApiError,
  forbidden,
  getString,
  internalFailure,
  type Json,
  jsonEqual,
  type JsonObject,
  quote,
} from "../../values/mod.ts";
import { applyConfiguration, applyDefaults, ConfigurationError } from "../kinds/mod.ts";
import {
  jsonPatch,
  JsonPatchError,
  type JsonPatchOperation,
  JsonPatchTestError,
} from "../patch/mod.ts";
import { apiVersionOf, DecodeError, type KindInfo, readObject } from "../schema/mod.ts";
import { admissionActivation } from "./admission_activation.ts";
import type { AdmissionAttributes, Invocation } from "./admission_request.ts";
import type { ObjectConverter } from "./object_converter.ts";
import {
  type BoundPolicy,
  PolicyBindings,
  type PolicyFault,
  type PolicyOptions,
} from "./policy_bindings.ts";
import type { Reinvocation } from "./reinvocation.ts";

/** The object of a request in the version of one kind, which policies change. */
interface Form {
  readonly invocation: Invocation;
  attributes: AdmissionAttributes;
  isChanged: boolean;
}

/** A failure, with the policy and binding that it comes from. */
interface Failure extends PolicyFault<MutatingPolicy> {
  /** The reason of the Status; empty for that of a forbidden request. */
  readonly reason: string;
}

/** Evaluates the stored `MutatingAdmissionPolicy` objects that have a binding. */
export class MutatingPolicies {
  readonly #options: PolicyOptions;
  readonly #converter: ObjectConverter;
  readonly #bindings: PolicyBindings<MutatingPolicy>;

  /** Creates the evaluation of the policies in the storage. */
  constructor(options: PolicyOptions, converter: ObjectConverter) {
    this.#options = options;
    this.#converter = converter;
    this.#bindings = new PolicyBindings(
      options,
      "mutatingadmissionpolicy",
      (policy) => new MutatingPolicy(policy),
    );
  }

  /** Whether no policy is bound, so that nothing need be evaluated. */
  get isEmpty(): boolean {
    return this.#bindings.isEmpty;
  }

  /**
   * Evaluates the policies one after the other, and returns the object that they have made of `attributes.object`.
   *
   * @param repeated Whether this is the second round, which evaluates only the policies that `again` requires.
   * @throws {ApiError} 403, if one of them cannot be evaluated, or 500, if its result is not an object of the kind.
   */
  async mutate(
    attributes: AdmissionAttributes,
    again: Reinvocation,
    repeated: boolean,
  ): Promise<KubeObject | undefined> {
    if (attributes.operation === "DELETE") return attributes.object;
    const failures: Failure[] = [];
    const forms = new Map<KindInfo, Form>();
    let last: Form | undefined;
    for (const bound of this.#bindings.boundTo(attributes)) {
      if (!("params" in bound)) {
        failures.push({ ...bound, reason: "" });
        continue;
      }
      const { invocation } = bound;
      last = forms.get(invocation.kind) ?? {
        invocation,
        attributes: await this.#options.convert(attributes, invocation),
        isChanged: false,
      };
      forms.set(invocation.kind, last);
      for (const params of bound.params) {
        const call = { bound, params, again, repeated };
        for (const message of this.#call(call, last)) {
          failures.push({ ...bound, message, reason: "Invalid" });
        }
      }
    }
    const fatal = failures.filter(({ policy }) => !policy.ignoresFailure);
    if (fatal.length > 0) throw failed(fatal, attributes);
    if (last?.isChanged !== true) return attributes.object;
    again.changed();
    return await this.#original(last, attributes);
  }

  /** Evaluates one policy with one parameter, and returns the messages of its failures. */
  #call(
    { bound: { policy, binding, invocation }, params, again, repeated }: {
      readonly bound: BoundPolicy<MutatingPolicy>;
      readonly params: JsonObject | undefined;
      readonly again: Reinvocation;
      readonly repeated: boolean;
    },
    form: Form,
  ): string[] {
    const activation = () =>
      admissionActivation({ attributes: form.attributes, invocation, params }, this.#options);
    const match = policy.match(activation());
    if ("error" in match) return [match.error];
    if (!match.matches) return [];
    const [namespace, name] = ["namespace", "name"].map((key) =>
      getString(params, "metadata", key)
    );
    const id = [policy.name, binding, namespace, name].join("/");
    if (repeated && !again.calls(id)) return [];
    const messages: string[] = [];
    const before = form.attributes.object;
    for (const evaluate of policy.mutations) {
      const { object } = form.attributes;
      if (object === undefined) continue;
      const mutation = evaluate(activation());
      const next = "error" in mutation ? mutation.error : changed(object, mutation, invocation);
      if (typeof next === "string") messages.push(next);
      else {
        form.attributes = { ...form.attributes, object: next };
        form.isChanged = true;
      }
    }
    if (!same(before, form.attributes.object)) again.changed();
    if (policy.reinvoked) again.called(id);
    return messages;
  }

  /** Returns the changed object in the version of the request. */
  async #original(
    { attributes: { object }, invocation: { resource: from, kind } }: Form,
    { resource: to, kind: wanted, signal }: AdmissionAttributes,
  ): Promise<KubeObject | undefined> {
    if (object === undefined || from === to || kind === wanted) return object;
    return await this.#converter.between(object, { from, to, signal });
  }
}

function same(a: KubeObject | undefined, b: KubeObject | undefined): boolean {
  return a === b || jsonEqual(a as unknown as Json, b as unknown as Json);
}

/**
 * Returns the object that a mutation makes, with its defaults, or why it makes none.
 *
 * @throws {ApiError} 500, if a JSON patch makes something that is not an object of the kind.
 */
function changed(
  object: KubeObject,
  mutation: Exclude<Mutation, { readonly error: string }>,
  invocation: Invocation,
): KubeObject | string {
  const { kind } = invocation;
  try {
    const next = "patch" in mutation
      ? patched(object, mutation.patch, kind)
      : applyConfiguration(object, mutation.configuration, invocation);
    return applyDefaults(kind, next);
  } catch (error) {
    if (error instanceof ConfigurationError) return `error applying patch: ${error.message}`;
    if (error instanceof JsonPatchError) return `JSON Patch: ${error.message}`;
    if (!(error instanceof DecodeError)) throw error;
    if ("patch" in mutation) throw internalFailure(error.message);
    const from = Number.isInteger(error.mismatch?.value) ? "int64" : "float64";
    const to = error.mismatch?.goType ?? kind.kind;
    return `unable to convert unstructured object to ${
      apiVersionOf(kind)
    }, Kind=${kind.kind}: cannot convert ${from} to ${to}`;
  }
}

/** Applies a JSON patch; returns the object itself if one of its tests fails. */
function patched(object: KubeObject, patch: readonly JsonObject[], kind: KindInfo): KubeObject {
  try {
    const next = jsonPatch(object as unknown as Json, patch as readonly JsonPatchOperation[]);
    const { object: read, strict } = readObject(next, kind);
    if (kind.custom === undefined && strict.length > 0) {
      throw new DecodeError(`strict decoding error: ${strict.join(", ")}`);
    }
    return read;
  } catch (error) {
    if (error instanceof JsonPatchTestError) return object;
    throw error;
  }
}

/** Returns the error for a request for which policies failed: the first message, with the others as causes. */
function failed(failures: readonly Failure[], { resource, name }: AdmissionAttributes): ApiError {
  const messages = failures.map(({ policy, binding, message }) =>
    binding === undefined
      ? `policy ${quote(policy.name)} denied request: ${message}`
      : `policy '${policy.name}' with binding '${binding}' denied request: ${message}`
  );
  const [text = ""] = messages;
  const causes = messages.map((message) => ({ message }));
  const { status } = forbidden(resource.definition, name || "Unknown", text, causes);
  const { reason } = failures[0]!;
  return new ApiError({ ...status, message: text, ...(reason === "" ? {} : { reason }) });
}
