import {
  checkedElsewhere,
  encodeBase64,
  isFunction,
  isObject,
  isRecord,
  type Logger,
  type OptionChecks,
  parseJson,
  requireOptions,
  stringifyJson,
} from "../base/mod.ts";
import {
  apiVersionOf,
  type KubeObject,
  type LabelSelector,
  type ObjectOf,
  type Resource,
  type ResourceDescriptor,
  resourceName,
  type Status,
} from "../types/mod.ts";
import type {
  AdmissionFunctions,
  AdmissionOperation,
  AdmissionRequest,
  AdmissionUser,
  AdmissionVerdict,
  FieldProblem,
} from "./admission_request.ts";
import { jsonPatchOf } from "./json_patch.ts";
import {
  callUser,
  REVIEW_CHECKS,
  reviewHandler,
  type ReviewOptions,
  type ReviewRequest,
  shown,
} from "./review.ts";

/** Options of {@linkcode admission}. */
export interface AdmissionOptions extends ReviewOptions {
  /** The operations for which the webhook is called. Default: CREATE and UPDATE. */
  readonly operations?: readonly AdmissionOperation[] | undefined;
  /** The subresources for which the webhook is called too, such as `status`. Default: none. */
  readonly subresources?: readonly string[] | undefined;
  /** Whether the API server denies (`Fail`) or allows (`Ignore`) a request if it cannot call the webhook. Default: `Fail`. */
  readonly failurePolicy?: "Fail" | "Ignore" | undefined;
  /** Selects the namespaces of the objects. Default: see `admissionConfigurations`. */
  readonly namespaceSelector?: LabelSelector | undefined;
  /** Selects the objects by their labels. Default: all objects. */
  readonly objectSelector?: LabelSelector | undefined;
}

/** A mode of an admission webhook: it changes or validates objects. */
export type AdmissionMode = "mutate" | "validate";

/** An admission webhook: a fetch handler and its configuration. */
export interface AdmissionHandler {
  /** Answers an AdmissionReview. Never rejects. */
  (request: Request): Promise<Response>;
  /** The configuration, for `admissionConfigurations` and `WebhookServer`. */
  readonly admission: AdmissionWebhook;
}

/** The configuration of an admission webhook. */
export interface AdmissionWebhook {
  /** The resource of the objects. */
  readonly resource: ResourceDescriptor;
  /** The modes. Each is a webhook of its own in the API. */
  readonly modes: readonly AdmissionMode[];
  /** The operations for which the webhook is called. */
  readonly operations: readonly AdmissionOperation[];
  /** The subresources for which the webhook is called too. */
  readonly subresources: readonly string[];
  /** Whether the API server denies or allows a request if it cannot call the webhook. */
  readonly failurePolicy: "Fail" | "Ignore";
  /** Selects the namespaces of the objects. */
  readonly namespaceSelector: LabelSelector | undefined;
  /** Selects the objects by their labels. */
  readonly objectSelector: LabelSelector | undefined;
}

const FUNCTION_CHECKS: OptionChecks<AdmissionFunctions<KubeObject>> = {
  validate: isFunction,
  mutate: isFunction,
};

const CHECKS: OptionChecks<AdmissionOptions> = {
  ...REVIEW_CHECKS,
  operations: checkedElsewhere,
  subresources: checkedElsewhere,
  failurePolicy: checkedElsewhere,
  namespaceSelector: isObject,
  objectSelector: isObject,
};

const OPERATIONS: readonly string[] = ["CREATE", "UPDATE", "DELETE"];

/** Limits of warnings, as in the API server. */
const MAX_WARNINGS = 20;
const MAX_WARNING_LENGTH = 256;

/**
 * Makes an admission webhook of functions: a handler that answers AdmissionReviews of `admission.k8s.io/v1`.
 *
 * By default the webhook is called for CREATE and UPDATE, and not for subresources. Other requests are allowed. At the
 * path of {@linkcode admissionPath} for `mutate` the handler only mutates, at the path for `validate` it only validates, and
 * at any other path it mutates and then validates the result.
 *
 * If a function throws a new `StatusError`, the handler denies the request with its Status. It logs any other error and
 * denies the request with a 500 without details. After the timeout of the API server, it denies the request with 504.
 *
 * @typeParam R The type of the resource, which determines the type of the objects.
 * @param resource The resource of the objects.
 * @param functions `validate`, `mutate` or both.
 * @param options The operations, the subresources, and the logger.
 * @throws {TypeError} If there is no function, or an option is unknown or of another type.
 *
 * @example
 * ```ts
 * import { admission } from "@kubeloop/controller/webhooks";
 * import { defineResource, type KubeObject } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * interface Widget extends KubeObject {
 *   spec: { size: number };
 * }
 * const Widgets = defineResource<Widget>({
 *   group: "acme.io",
 *   version: "v1",
 *   plural: "widgets",
 *   kind: "Widget",
 *   namespaced: true,
 * });
 * const handler = admission(Widgets, {
 *   validate: ({ object, oldObject }) => {
 *     const least = oldObject?.spec.size ?? 0;
 *     return object.spec.size < least ? [{ field: "spec.size", message: "cannot shrink" }] : [];
 *   },
 * });
 *
 * const kind = { group: "acme.io", version: "v1", kind: "Widget" };
 * const widget = (size: number) => ({ metadata: { name: "a" }, spec: { size } });
 * const request = { uid: "1", kind, operation: "UPDATE", object: widget(1), oldObject: widget(2) };
 * const review = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request };
 * const response = await handler(
 *   new Request("https://webhooks/", {
 *     method: "POST",
 *     headers: { "content-type": "application/json" },
 *     body: JSON.stringify(review),
 *   }),
 * );
 * const { response: { allowed, status } } = await response.json();
 * assertEquals(allowed, false);
 * assertEquals(status.message, 'Widget.acme.io "a" is invalid: spec.size: cannot shrink');
 * ```
 */
export function admission<R extends Resource>(
  resource: R,
  functions: AdmissionFunctions<ObjectOf<R>>,
  options?: AdmissionOptions,
): AdmissionHandler;
export function admission(
  resource: Resource,
  functions: AdmissionFunctions<KubeObject>,
  options: AdmissionOptions = {},
): AdmissionHandler {
  requireOptions("the functions of admission()", functions ?? {}, FUNCTION_CHECKS);
  requireOptions("admission()", options, CHECKS);
  const { validate, mutate } = functions ?? {};
  const modes: AdmissionMode[] = [];
  if (mutate !== undefined) modes.push("mutate");
  if (validate !== undefined) modes.push("validate");
  if (modes.length === 0) {
    throw new TypeError(`admission() of ${resourceName(resource)} needs validate, mutate or both`);
  }
  const { operations = ["CREATE", "UPDATE"], subresources = [], failurePolicy = "Fail" } = options;
  requireNames("operations", operations);
  requireNames("subresources", subresources);
  if (failurePolicy !== "Fail" && failurePolicy !== "Ignore") {
    throw new TypeError(`failurePolicy must be Fail or Ignore: received ${shown(failurePolicy)}`);
  }
  for (const operation of operations) {
    if (!OPERATIONS.includes(operation)) {
      throw new TypeError(
        `Cannot decide on the operation ${shown(operation)}: expected one of ${OPERATIONS.join()}`,
      );
    }
  }
  const webhook: AdmissionWebhook = {
    resource,
    modes,
    operations,
    subresources,
    failurePolicy,
    namespaceSelector: options.namespaceSelector,
    objectSelector: options.objectSelector,
  };
  const handler = reviewHandler(
    { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview" },
    options,
    (logger) => {
      const review = new Review(webhook, functions, logger);
      return (reviewed, signal, request) =>
        review.answer(reviewed, modesAt(request, webhook), signal);
    },
  );
  return Object.assign(handler, { admission: webhook });
}

function requireNames(option: string, value: unknown): void {
  if (Array.isArray(value) && value.every((name) => typeof name === "string")) return;
  throw new TypeError(`${option} must be a list of names: received ${shown(value)}`);
}

/**
 * Returns the path of a webhook, named as in controller-runtime: `/validate-acme-io-v1-widget`.
 *
 * @param mode The mode of the webhook at this path.
 * @param resource The resource of the objects.
 */
export function admissionPath(mode: AdmissionMode, resource: ResourceDescriptor): string {
  return `/${mode}-${pathOf(resource)}`;
}

/** Returns the last part of a path, such as `acme-io-v1-widget`. */
export function pathOf({ group, version, kind }: ResourceDescriptor): string {
  return `${group === "" ? "" : `${group.replaceAll(".", "-")}-`}${version}-${kind.toLowerCase()}`;
}

function modesAt(
  request: Request,
  { resource, modes }: AdmissionWebhook,
): readonly AdmissionMode[] {
  const { pathname } = new URL(request.url);
  const only = modes.filter((mode) => pathname.endsWith(admissionPath(mode, resource)));
  return only.length > 0 ? only : modes;
}

/** Answers the reviews of one resource. */
class Review<T extends KubeObject> {
  readonly #webhook: AdmissionWebhook;
  readonly #functions: AdmissionFunctions<T>;
  readonly #logger: Logger;

  constructor(webhook: AdmissionWebhook, functions: AdmissionFunctions<T>, logger: Logger) {
    this.#webhook = webhook;
    this.#functions = functions;
    this.#logger = logger;
  }

  /** Returns the `response` of the review. */
  async answer(
    request: ReviewRequest,
    modes: readonly AdmissionMode[],
    signal: AbortSignal,
  ): Promise<object> {
    const { operation, subResource } = request;
    const { operations, subresources, resource } = this.#webhook;
    const subresource = typeof subResource === "string" && subResource !== ""
      ? subResource
      : undefined;
    if (!operations.some((one) => one === operation)) return { allowed: true };
    if (subresource !== undefined && !subresources.includes(subresource)) return { allowed: true };
    const problem = this.#problemOf(request, subresource);
    if (problem !== undefined) {
      this.#logger.warn(`An AdmissionReview was denied: ${problem}`);
      return denied({ code: 400, reason: "BadRequest", message: problem });
    }
    const warnings: string[] = [];
    const asked = requestOf<T>(request, subresource, signal, warnings);
    const what = `The webhook for ${operation} of ${resource.kind} ${shown(asked.name)}`;
    const answer = await this.#decide(asked, modes, what);
    return warnings.length === 0 ? answer : { ...answer, warnings };
  }

  async #decide(
    asked: AdmissionRequest<T>,
    modes: readonly AdmissionMode[],
    what: string,
  ): Promise<object> {
    const context = { signal: asked.signal, logger: this.#logger };
    const { mutate, validate } = this.#functions;
    let { object } = asked;
    let patched = {};
    if (mutate !== undefined && modes.includes("mutate") && asked.operation !== "DELETE") {
      const draft = parseJson(stringifyJson(object)) as T;
      const mutated = await callUser(`${what}: mutate`, async () => {
        return jsonOf(await mutate({ ...asked, object: draft }) ?? draft);
      }, context);
      if ("failure" in mutated) return denied(mutated.failure);
      // Encoded before validate, which may change the object.
      patched = patchOf(object, mutated.result);
      object = mutated.result as T;
    }
    if (validate !== undefined && modes.includes("validate")) {
      const checked = await callUser(
        `${what}: validate`,
        async () =>
          statusOf(await validate({ ...asked, object }), this.#webhook.resource, asked.name),
        context,
      );
      if ("failure" in checked) return denied(checked.failure);
      if (checked.result !== undefined) return denied(checked.result);
    }
    return { allowed: true, ...patched };
  }

  /** Returns the reason why a request cannot be reviewed; undefined if it is valid. */
  #problemOf(request: ReviewRequest, subresource: string | undefined): string | undefined {
    const { resource } = this.#webhook;
    const { kind, operation, object, oldObject } = request;
    // The object of a subresource may have another kind, such as Scale.
    if (subresource === undefined) {
      const { group, version, kind: name } = isRecord(kind) ? kind : {};
      if (group !== resource.group || version !== resource.version || name !== resource.kind) {
        return `this webhook decides on ${resource.kind} of ${apiVersionOf(resource)}, ` +
          `and the request is for ${shown(kind)}: correct the rules of its configuration`;
      }
    }
    const needed = operation === "DELETE" ? oldObject : object;
    if (!isRecord(needed) || !isRecord(needed.metadata)) return "the request has no object";
    if (operation === "UPDATE" && !isRecord(oldObject)) return "the request has no oldObject";
    return undefined;
  }
}

function requestOf<T extends KubeObject>(
  request: ReviewRequest,
  subresource: string | undefined,
  signal: AbortSignal,
  warnings: string[],
): AdmissionRequest<T> {
  const { operation, object, oldObject, name, namespace, userInfo, dryRun, options } = request;
  const subject = (operation === "DELETE" ? oldObject : object) as T;
  const old = isRecord(oldObject) ? oldObject as T & Record<string, unknown> : undefined;
  return {
    operation: operation as AdmissionOperation,
    object: subject,
    oldObject: old,
    name: String(name ?? subject.metadata.name ?? ""),
    namespace: String(namespace ?? subject.metadata.namespace ?? ""),
    subresource,
    userInfo: isRecord(userInfo) ? userInfo as AdmissionUser : {},
    dryRun: dryRun === true,
    options: isRecord(options) ? options : {},
    request,
    signal,
    warn: (message) => {
      if (warnings.length < MAX_WARNINGS) {
        warnings.push(String(message).slice(0, MAX_WARNING_LENGTH));
      }
    },
  };
}

/** Returns the patch of a response; empty if the objects are equal. */
function patchOf(before: unknown, after: unknown): object {
  const patch = jsonPatchOf(before, after);
  if (patch.length === 0) return {};
  return { patchType: "JSONPatch", patch: encodeBase64(stringifyJson(patch)) };
}

/** Returns the Status of a verdict; undefined if it allows the request. */
function statusOf(
  verdict: AdmissionVerdict,
  { kind, group }: ResourceDescriptor,
  name: string,
): Status | undefined {
  if (verdict === undefined || verdict === null) return undefined;
  if (typeof verdict === "string") return { code: 403, reason: "Forbidden", message: verdict };
  if (!Array.isArray(verdict)) {
    throw new TypeError(
      `validate must return nothing, a message or a list of fields: received ${typeof verdict}`,
    );
  }
  const problems: readonly FieldProblem[] = verdict;
  const wrong = problems.find((one) =>
    !isRecord(one) || typeof one.field !== "string" || typeof one.message !== "string"
  );
  if (wrong !== undefined) {
    throw new TypeError(
      `validate must return fields as { field: "spec.size", message: "…" }: received ${
        shown(wrong)
      }`,
    );
  }
  if (problems.length === 0) return undefined;
  const texts = problems.map(({ field, message }) => `${field}: ${message}`);
  const text = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
  return {
    code: 422,
    reason: "Invalid",
    message: `${group === "" ? kind : `${kind}.${group}`} "${name}" is invalid: ${text}`,
    details: {
      name,
      group,
      kind,
      causes: problems.map(({ field, message, reason = "FieldValueInvalid" }) => ({
        reason,
        message,
        field,
      })),
    },
  };
}

function denied(status: Status): object {
  // The API server would replace a code below 400 by 400.
  const code = Number.isInteger(status.code) && status.code! >= 400 ? status.code : 403;
  return { allowed: false, status: { ...status, status: "Failure", code } };
}

/** Returns an object as JSON: without undefined fields, with dates as text. */
function jsonOf(object: unknown): unknown {
  const json = isRecord(object) ? parseJson(stringifyJson(object)) : undefined;
  if (isRecord(json) && isRecord(json.metadata)) return json;
  throw new TypeError("mutate must return nothing or an object with metadata");
}
