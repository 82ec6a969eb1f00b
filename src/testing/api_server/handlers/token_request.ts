import { formatTime, type KubeObject } from "@kubeloop/controller/types";
import { ISSUER, type TokenOrder } from "../access/mod.ts";
import type { Answer, ResourceExchange } from "./exchange.ts";
import { findObject } from "./read_handlers.ts";
import { admitBody } from "./subresource_body.ts";
import { TOKEN_REQUEST } from "./subresource_kinds.ts";
import {
  badRequest,
  conflict,
  encodeJson,
  type FieldError,
  getArray,
  getObject,
  getPath,
  getString,
  invalid,
  invalidValue,
  isObject,
  type JsonObject,
  notFound,
  quote,
  withPath,
} from "../../values/mod.ts";
import { objectKey } from "../storage/mod.ts";
import { canonical } from "../schema/mod.ts";
import { checkNamespaceMatches, updateManagedFields } from "../kinds/mod.ts";
import { readObject, readWriteOptions, type WriteOptions } from "./write_context.ts";

/** How long a token is valid that names no time, in seconds. */
const HOUR = 3600;

/** The shortest and the longest time for which a token can be asked, in seconds. */
const MIN_SECONDS = 600;
const MAX_SECONDS = 2 ** 32;

/**
 * The time for which kubelets ask, and for which a real server then issues the tokens of Pods, in seconds: clients that
 * never read the token again shall get on for a year.
 */
const KUBELET_SECONDS = 3607;
const YEAR_SECONDS = 365 * 24 * 3600;

type Bound = TokenOrder["bound"];

/** Answers a POST of a TokenRequest: issues a token of the service account. */
export async function handleTokenRequest(exchange: ResourceExchange): Promise<Answer> {
  const { info, server } = exchange;
  const options = readWriteOptions(exchange, "CreateOptions");
  const body = await readObject(exchange, options, TOKEN_REQUEST);
  checkNamespaceMatches(info.namespace, body);
  const { body: sent, confirm } = await admitBody(
    exchange,
    owned(body, options),
    TOKEN_REQUEST,
    options,
  );
  checkName(exchange, sent);
  const stored = findObject(exchange);
  if (stored === undefined) throw notFound(exchange.resource.definition, info.name);
  const account = stored.parse() as unknown as JsonObject;
  const uid = getString(sent, "metadata", "uid");
  if (uid !== "" && uid !== stored.uid) {
    const why =
      `the UID in the token request (${uid}) does not match the UID of the service account (${stored.uid})`;
    throw conflict({ group: TOKEN_REQUEST.group, plural: TOKEN_REQUEST.kind }, info.name, why);
  }
  const now = server.clock.wallNow();
  const given = getArray(sent, "spec", "audiences").map(String);
  const audiences = given.length === 0 ? [ISSUER] : given;
  const seconds = Number(getPath(sent, "spec", "expirationSeconds"));
  const metadata = {
    ...getObject(sent, "metadata"),
    name: info.name,
    namespace: info.namespace,
    uid: stored.uid,
    creationTimestamp: formatTime(now),
  };
  const spec = { ...getObject(sent, "spec"), audiences };
  const request: JsonObject = { ...sent, metadata, spec };
  delete request["status"];
  const errors = secondsErrors(seconds);
  if (errors.length > 0) throw invalid(TOKEN_REQUEST, "", errors);
  await confirm(request);
  const bound = boundObjects(exchange, getPath(spec, "boundObjectRef"));
  const isLong = bound.pod !== undefined && seconds === KUBELET_SECONDS &&
    audiences.every((audience) => audience === ISSUER);
  const token = server.accounts.issue({
    account,
    audiences,
    bound,
    ...(isLong ? { seconds: YEAR_SECONDS, warnAfterSeconds: seconds } : { seconds }),
  });
  const expirationTimestamp = formatTime(now + seconds * 1000);
  const object = { ...request, status: { token, expirationTimestamp } };
  const { schema } = TOKEN_REQUEST;
  const text = encodeJson(canonical(object as unknown as KubeObject, schema), schema);
  return { type: "final", code: 201, text };
}

/** Returns a request with its default and its managed fields. */
function owned(body: KubeObject, { manager, now }: WriteOptions): JsonObject {
  const sent = body as unknown as JsonObject;
  const seconds = getPath(sent, "spec", "expirationSeconds") ?? HOUR;
  const next = withPath(sent, ["spec", "expirationSeconds"], seconds) as unknown as KubeObject;
  const subresource = "token";
  return updateManagedFields({ kind: TOKEN_REQUEST, next, manager, subresource, now }) as unknown as
    & JsonObject
    & KubeObject;
}

/** Checks that the name in a request, if any, matches its path. */
function checkName({ info }: ResourceExchange, sent: JsonObject): void {
  const name = getString(sent, "metadata", "name");
  if (name === "" || name === info.name) return;
  const why = "must match the service account name if specified";
  throw invalid(TOKEN_REQUEST, info.name, [invalidValue("metadata.name", name, why)]);
}

function secondsErrors(seconds: number): FieldError[] {
  const field = "spec.expirationSeconds";
  if (seconds < MIN_SECONDS) {
    return [invalidValue(field, seconds, "may not specify a duration less than 10 minutes")];
  }
  if (seconds <= MAX_SECONDS) return [];
  return [invalidValue(field, seconds, "may not specify a duration larger than 2^32 seconds")];
}

/**
 * Returns the objects that a token is to be bound to.
 *
 * @throws {ApiError} 404, if the object does not exist; 409, if it has another UID; 400, if it is of another kind, or a
 * Pod of another service account.
 */
function boundObjects(exchange: ResourceExchange, reference: unknown): Bound {
  if (!isObject(reference)) return {};
  const { info } = exchange;
  const kind = getString(reference, "kind");
  const apiVersion = getString(reference, "apiVersion");
  const name = getString(reference, "name");
  const find = (plural: string, namespace = info.namespace) => {
    const object = readStored(exchange, plural, namespace, name);
    if (object === undefined) throw notFound({ group: "", plural }, name);
    const uid = getString(reference, "uid");
    const named = { name, uid: getString(object, "metadata", "uid") };
    const check = () => {
      if (uid === "" || uid === named.uid) return;
      const why =
        `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
      throw conflict({ group: "", plural: kind }, name, why);
    };
    return { object, named, check };
  };
  // Only the group counts, as in a real server.
  switch (apiVersion.includes("/") ? "" : kind) {
    case "Pod": {
      const { object, named, check } = find("pods");
      if (getString(object, "spec", "serviceAccountName") !== info.name) {
        throw badRequest(
          `cannot bind token for serviceaccount ${
            quote(info.name)
          } to pod running with different serviceaccount name.`,
        );
      }
      check();
      const node = getString(object, "spec", "nodeName");
      if (node === "") return { pod: named };
      const uid = getString(readStored(exchange, "nodes", "", node), "metadata", "uid");
      return { pod: named, node: { name: node, ...(uid === "" ? {} : { uid }) } };
    }
    case "Secret": {
      const { named, check } = find("secrets");
      check();
      return { secret: named };
    }
    case "Node": {
      const { named, check } = find("nodes", "");
      check();
      return { node: named };
    }
    default: {
      const shown = apiVersion.includes("/") ? apiVersion : `/${apiVersion}`;
      throw badRequest(`cannot bind token to object of type ${shown}, Kind=${kind}`);
    }
  }
}

function readStored(
  { server }: ResourceExchange,
  plural: string,
  namespace: string,
  name: string,
): JsonObject | undefined {
  const stored = server.storage.store(plural).get(objectKey(namespace, name));
  return stored?.parse() as unknown as JsonObject | undefined;
}
