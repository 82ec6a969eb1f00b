import { type PolicyDenial, ValidatingPolicy } from "@kubeloop/controller/internal/cel";
import { ApiError, forbidden, getArray } from "../../values/mod.ts";
import { admissionActivation } from "./admission_activation.ts";
import type { AdmissionAttributes } from "./admission_request.ts";
import { type BoundPolicy, PolicyBindings, type PolicyOptions } from "./policy_bindings.ts";

/** The codes of the reasons that a policy may give. */
const CODES: Readonly<Record<string, number>> = {
  Unauthorized: 401,
  Forbidden: 403,
  RequestEntityTooLarge: 413,
  Invalid: 422,
};

/** A denial, with the policy and binding that it comes from. */
interface Refusal extends PolicyDenial {
  readonly policy: string;
  /** The name of the binding; undefined if the policy itself is wrong. */
  readonly binding: string | undefined;
}

/** Evaluates the stored `ValidatingAdmissionPolicy` objects that have a binding. */
export class ValidatingPolicies {
  readonly #options: PolicyOptions;
  readonly #bindings: PolicyBindings<ValidatingPolicy>;

  /** Creates the evaluation of the policies in the storage. */
  constructor(options: PolicyOptions) {
    this.#options = options;
    this.#bindings = new PolicyBindings(
      options,
      "validatingadmissionpolicy",
      (policy) => new ValidatingPolicy(policy),
    );
  }

  /** Whether no policy is bound, so that nothing need be evaluated. */
  get isEmpty(): boolean {
    return this.#bindings.isEmpty;
  }

  /**
   * Evaluates the policies for a request.
   *
   * @throws {ApiError} If one of them denies it: by default 422.
   */
  async validate(attributes: AdmissionAttributes): Promise<void> {
    const refusals: Refusal[] = [];
    for (const bound of this.#bindings.boundTo(attributes)) {
      if ("params" in bound) refusals.push(...await this.#evaluate(bound, attributes));
      else if (!bound.policy.ignoresFailure) {
        refusals.push({ ...bound, policy: bound.policy.name, reason: "" });
      }
    }
    if (refusals[0] !== undefined) throw refusalError(refusals[0], attributes);
  }

  async #evaluate(
    { policy, binding, spec, invocation, params }: BoundPolicy<ValidatingPolicy>,
    attributes: AdmissionAttributes,
  ): Promise<Refusal[]> {
    const shown = await this.#options.convert(attributes, invocation);
    const denials = params.flatMap((one) =>
      policy.evaluate(
        admissionActivation({ attributes: shown, invocation, params: one }, this.#options),
      )
    );
    const refusals: Refusal[] = [];
    for (const action of getArray(spec, "validationActions")) {
      for (const denial of denials) {
        if (action === "Deny") refusals.push({ ...denial, policy: policy.name, binding });
        else if (action === "Warn") {
          attributes.warnings.push(
            `Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${binding}': ${denial.message}`,
          );
        }
      }
    }
    return refusals;
  }
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
