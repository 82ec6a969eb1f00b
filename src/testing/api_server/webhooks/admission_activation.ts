import { accountGroups, type Authorizer, type UserInfo } from "../access/mod.ts";
import {
  type AccessCheck,
  type Activation,
  authorizerValue,
  jsonValue,
  noSuchVariable,
  resourceAuthorizerValue,
  type Value,
} from "@kubeloop/controller/internal/cel";
import { objectKey, type Storage } from "../storage/mod.ts";
import { getObject, type Json, type JsonObject } from "../../values/mod.ts";
import { type AdmissionAttributes, admissionReview, type Invocation } from "./admission_request.ts";

/** The parts of the server that the variables of expressions are read from. */
export interface ActivationSources {
  readonly authorizer: Authorizer;
  readonly storage: Storage;
}

/** The request for which an expression is evaluated. */
export interface ActivationInput {
  readonly attributes: AdmissionAttributes;
  readonly invocation: Invocation;
  /** The parameter of a policy; undefined if it has none. */
  readonly params?: JsonObject | undefined;
}

/** Returns the variables of the expressions of admission webhooks and policies. */
export function admissionActivation(
  { attributes, invocation, params }: ActivationInput,
  { authorizer, storage }: ActivationSources,
): Activation {
  const known = new Map<string, Value>();
  const review = admissionReview(attributes, invocation, "v1", "");
  const request = getObject(review, "request");
  const check = accessCheck(authorizer, attributes.user);
  const read = (name: string): Value => {
    switch (name) {
      case "object":
      case "oldObject":
        return jsonValue(request[name] as Json);
      case "request": {
        const { uid: _, object: __, oldObject: ___, ...rest } = request;
        return jsonValue(rest);
      }
      case "namespaceObject":
        return jsonValue(namespaceOf(attributes, storage));
      case "params":
        return jsonValue(params ?? null);
      case "authorizer":
        return authorizerValue(check);
      case "authorizer.requestResource": {
        const { resource, subresource, namespace, name: object } = attributes;
        const { group, plural } = resource.definition;
        return resourceAuthorizerValue(check, {
          group,
          resource: plural,
          subresource,
          namespace,
          name: object,
        });
      }
      default:
        throw noSuchVariable(name);
    }
  };
  return (name) => {
    let value = known.get(name);
    if (value === undefined) known.set(name, value = read(name));
    return value;
  };
}

/** Returns the namespace of a request; an empty object for cluster-scoped objects. */
function namespaceOf({ resource, namespace }: AdmissionAttributes, storage: Storage): Json {
  if (namespace === "" || resource.record.isNamespace) return {};
  const stored = storage.store("namespaces").get(objectKey("", namespace));
  return stored === undefined ? {} : stored.parse() as unknown as Json;
}

function accessCheck(authorizer: Authorizer, user: UserInfo): AccessCheck {
  return ({ verb, path, serviceAccount, ...rest }) => {
    const asked = serviceAccount === undefined
      ? user
      : { username: serviceAccount, groups: groupsOf(serviceAccount) };
    return authorizer.decide(asked as UserInfo, {
      verb,
      ...(path === undefined ? {} : { path }),
      group: rest.group ?? "",
      resource: rest.resource ?? "",
      subresource: rest.subresource ?? "",
      namespace: rest.namespace ?? "",
      name: rest.name ?? "",
    });
  };
}

function groupsOf(serviceAccount: string): string[] {
  const namespace = serviceAccount.split(":")[2] ?? "";
  return [...accountGroups(namespace), "system:authenticated"];
}
