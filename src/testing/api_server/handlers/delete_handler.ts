import { formatTime, type KubeObject, type Namespace } from "@kubeloop/controller/types";
import {
  DELETE_OPTIONS,
  type DeleteOptions,
  finalizersFor,
  mediaType,
  PROTOBUF,
  readDeleteOptions,
  readListQuery,
  readObjectText,
  unknownBodyFormat,
  unsafeCollection,
} from "../http/mod.ts";
import { attributesOf } from "../access/mod.ts";
import { NAMES_UNREADABLE } from "../webhooks/mod.ts";
import { deleteAdmission, type WriteAdmission } from "./admission.ts";
import { markDefinition } from "../controllers/mod.ts";
import type { Answer, ResourceExchange } from "./exchange.ts";
import {
  conflict,
  encodeJson,
  forbidden,
  type Json,
  jsonEqual,
  type JsonObject,
  modified,
  notFound,
} from "../../values/mod.ts";
import { hasMoved, MAX_TRIES, writePresent } from "./present_object.ts";
import { findObject, readPage, selectorOf } from "./read_handlers.ts";
import { StoredObject } from "../storage/mod.ts";
import { decodable, isReadable } from "./unreadable.ts";
import { listAnswer } from "./views.ts";
import { OBJECT_MEDIA_TYPES } from "./write_context.ts";

const BODY_TYPES: ReadonlySet<string> = new Set([
  "",
  "application/json",
  "application/yaml",
  PROTOBUF,
]);

/** Answers a DELETE of one object. */
export async function handleDelete(exchange: ResourceExchange): Promise<Answer> {
  const options = await readOptions(exchange);
  const { info, resource } = exchange;
  if (options.isUnsafe) return await deleteUnreadable(exchange, options);
  if (resource.record.deletion.undeletable?.onlyByName) refuseUndeletable(exchange, info.name);
  return writePresent(exchange, async (stored) => {
    if (stored === undefined) throw notFound(resource.definition, info.name);
    const reviewed = reviewedOptions(exchange, stored, options);
    const deletion = await admittedDeletion(exchange, stored, options, {
      admission: reviewed && deleteAdmission(exchange, reviewed, info.name),
    });
    if (deletion === undefined) return undefined;
    const { object, removed } = deletion;
    if (removed && !resource.record.deletion.returnsObject) {
      return { type: "final", code: 200, text: successText(exchange, stored) };
    }
    return { type: "object", code: 200, text: resource.encode(await served(exchange, object)) };
  });
}

/**
 * Deletes an object that cannot be read, whatever its finalizers and webhooks say.
 *
 * @throws {ApiError} 403, if the user may not do that; 404; 409, if the object can be read.
 */
async function deleteUnreadable(
  exchange: ResourceExchange,
  { dryRun }: DeleteOptions,
): Promise<Answer> {
  const { info, resource, server, store, user } = exchange;
  const { definition } = resource;
  const verb = "unsafe-delete-ignore-read-errors";
  const { allowed, reason } = server.authorizer.decide(user, { ...attributesOf(info), verb });
  if (!allowed) {
    const why = `not permitted to do ${JSON.stringify(verb)}, reason: ${reason}`;
    throw forbidden(definition, info.name, why);
  }
  const stored = findObject(exchange);
  if (stored === undefined) throw notFound(definition, info.name);
  if (await isReadable(exchange, stored)) throw decodable(exchange, stored);
  if (hasMoved(exchange, stored)) throw modified(definition, info.name);
  if (!dryRun) server.remove(resource, store, stored, exchange.author);
  const details = { name: info.name, kind: definition.kind };
  const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details };
  return { type: "final", code: 200, text: encodeJson({ ...status, code: 200 }) };
}

/**
 * Deletes an object after webhooks have been asked; undefined if another request has changed the object meanwhile. As in a
 * real server, they are asked again about an object that was changed before it is removed.
 */
async function admittedDeletion(
  exchange: ResourceExchange,
  stored: StoredObject,
  options: DeleteOptions,
  { admission }: { readonly admission: WriteAdmission | undefined },
): Promise<Deletion | undefined> {
  if (admission === undefined) return deleteObject(exchange, stored, options);
  const { resource, store } = exchange;
  checkPreconditions(exchange, stored, options);
  await admission.remove(resource.read(stored));
  if (hasMoved(exchange, stored)) return undefined;
  const started = startDeletion(exchange, stored, options);
  const { current, object } = started;
  if (current === undefined || current === stored) return finishDeletion(exchange, started);
  const prepared = exchange.server.converter.prepare(resource, [current]);
  if (prepared !== undefined) await prepared;
  await admission.remove(resource.read(current));
  const present = store.get(current.key);
  return present === undefined
    ? { object, removed: true }
    : finishDeletion(exchange, { object, current: present });
}

/**
 * Returns the options of a deletion as webhooks see them: with the grace period of the kind. Undefined if the object is
 * being deleted and the request changes nothing, so that webhooks are not asked.
 */
function reviewedOptions(
  { resource }: ResourceExchange,
  stored: StoredObject,
  options: DeleteOptions,
): DeleteOptions | undefined {
  const { mode, gracePeriod } = resource.record.deletion;
  const asked = atLeastNow(options.gracePeriodSeconds);
  const given = asked === undefined ? options : { ...options, gracePeriodSeconds: asked };
  const old = stored.parse();
  const { deletionTimestamp, deletionGracePeriodSeconds } = old.metadata;
  if (mode === "namespace") {
    const isPending = deletionTimestamp !== undefined &&
      ((old as Namespace).spec?.finalizers ?? []).length > 0;
    const preconditions = { uid: stored.uid, ...options.preconditions };
    return isPending ? undefined : { ...given, preconditions };
  }
  if (mode !== "graceful") return given;
  if (deletionTimestamp === undefined) {
    const seconds = gracePeriod?.(old as unknown as JsonObject, options.gracePeriodSeconds) ?? 0;
    return { ...given, gracePeriodSeconds: atLeastNow(seconds) };
  }
  if (deletionGracePeriodSeconds === undefined) return given;
  return asked === undefined || asked >= deletionGracePeriodSeconds ? undefined : given;
}

/** Returns an object in the requested version, given the storage version; waits for a webhook if one converts it. */
function served(
  { resource, server }: ResourceExchange,
  object: KubeObject,
): KubeObject | Promise<KubeObject> {
  if (resource.conversionWebhook === undefined) return resource.fromStorage(object);
  const copy = new StoredObject(object, 0, resource.encodeStored(object));
  const prepared = server.converter.prepare(resource, [copy]);
  return prepared === undefined ? object : prepared.then(() => resource.read(copy));
}

/** Answers a DELETE of a collection with the list of the objects that matched. */
export async function handleDeleteCollection(exchange: ResourceExchange): Promise<Answer> {
  const query = readListQuery(exchange.query, false);
  const matches = selectorOf(exchange, query);
  const options = await readOptions(exchange);
  if (options.isUnsafe) throw unsafeCollection();
  const page = await readPage(exchange, query, matches);
  for (const object of page.objects) await deleteOfCollection(exchange, object.key, options);
  return listAnswer(exchange, page.objects, page.listMeta);
}

/** Deletes one object of a collection. As in the real server, webhooks get an empty name. */
async function deleteOfCollection(
  exchange: ResourceExchange,
  key: string,
  options: DeleteOptions,
): Promise<void> {
  const { resource, server, store } = exchange;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const current = store.get(key);
    if (current === undefined) return;
    const prepared = server.converter.prepare(resource, [current]);
    if (prepared !== undefined) await prepared;
    if (hasMoved(exchange, current)) continue;
    const isAsked = reviewedOptions(exchange, current, options) !== undefined;
    const admission = isAsked ? deleteAdmission(exchange, options, "") : undefined;
    const named = { ...exchange, info: { ...exchange.info, name: current.name } };
    if (await admittedDeletion(named, current, options, { admission }) !== undefined) return;
  }
  throw modified(resource.definition, key);
}

async function readOptions(exchange: ResourceExchange): Promise<DeleteOptions> {
  const text = await readObjectText(exchange.request, DELETE_OPTIONS);
  const type = mediaType(exchange.request);
  if (text !== "" && !BODY_TYPES.has(type)) {
    throw unknownBodyFormat(OBJECT_MEDIA_TYPES);
  }
  const allowsUnsafe = exchange.resource.kind.release.isOn(NAMES_UNREADABLE);
  const options = readDeleteOptions(text, exchange.query, type, allowsUnsafe);
  const warning = exchange.resource.record.deletion.orphansByDefault;
  if (warning && options.propagationPolicy === undefined) exchange.warnings.push(warning);
  return options;
}

/** The result of a deletion. */
interface Deletion {
  /** The object as the answer shows it, in the storage version. */
  readonly object: KubeObject;
  /** Whether the object is removed, rather than only marked for deletion. */
  readonly removed: boolean;
}

/** A deletion whose object may be left to remove. */
interface StartedDeletion {
  /** The object as the answer shows it, in the storage version. */
  readonly object: KubeObject;
  /** The object that is to be removed; undefined if it stays. */
  readonly current: StoredObject | undefined;
  /** Whether the object counts as removed, although it stays. */
  readonly isDryRun?: boolean;
}

/** Deletes an object, or marks it for deletion if a finalizer or a grace period keeps it. */
export function deleteObject(
  exchange: ResourceExchange,
  stored: StoredObject,
  options: DeleteOptions,
): Deletion {
  return finishDeletion(exchange, startDeletion(exchange, stored, options));
}

/** Removes the object of a deletion, unless it stays. */
function finishDeletion(
  exchange: ResourceExchange,
  { object, current, isDryRun = false }: StartedDeletion,
): Deletion {
  if (current === undefined) return { object, removed: isDryRun };
  const { resource, server, store } = exchange;
  const last = server.remove(resource, store, current, exchange.author);
  return { object: last.parse(), removed: true };
}

/** Marks an object for deletion, if a finalizer or a grace period keeps it. */
function startDeletion(
  exchange: ResourceExchange,
  stored: StoredObject,
  given: DeleteOptions,
): StartedDeletion {
  const { resource, server } = exchange;
  // The finalizer of an earlier deletion decides before the default does.
  const isOrphaned = resource.record.deletion.orphansByDefault !== undefined &&
    given.propagationPolicy === undefined &&
    !(stored.parse().metadata.finalizers ?? []).includes("foregroundDeletion");
  const options: DeleteOptions = isOrphaned ? { ...given, propagationPolicy: "Orphan" } : given;
  checkPreconditions(exchange, stored, options);
  const { mode, gracePeriod, ignoresPropagation } = resource.record.deletion;
  if (mode === "namespace") {
    return { object: deleteNamespace(exchange, stored, options), current: undefined };
  }
  const old = stored.parse();
  const next = stored.parse();
  if (mode === "definition") {
    return { object: deleteDefinition(exchange, next, options), current: undefined };
  }
  const graceful = mode === "graceful";
  const nowMs = server.clock.wallNow();
  // Once an object is being deleted, only a shorter grace period changes it.
  const seconds = () =>
    gracePeriod?.(old as unknown as JsonObject, options.gracePeriodSeconds) ?? 0;
  const pending = graceful && !setGracePeriod(next, old, { seconds, options, nowMs });
  const present = old.metadata.finalizers ?? [];
  const finalizers = pending
    ? present
    : ignoresPropagation
    ? present
    : finalizersFor(present, options);
  if (finalizers.length > 0) next.metadata.finalizers = [...finalizers];
  else delete next.metadata.finalizers;
  if (!graceful && finalizers.length > 0 && old.metadata.deletionTimestamp === undefined) {
    mark(next, nowMs, 0);
  }
  let current = stored;
  const isChanged = graceful || finalizers.length > 0;
  if (isChanged && !options.dryRun && !jsonEqual(next as unknown as Json, old as unknown as Json)) {
    current = put(exchange, next);
    server.written(resource, current);
  }
  if (finalizers.length > 0 || (graceful && (next.metadata.deletionGracePeriodSeconds ?? 0) > 0)) {
    return { object: next, current: undefined };
  }
  if (options.dryRun) return { object: next, current: undefined, isDryRun: true };
  return { object: next, current };
}

function refuseUndeletable({ resource }: ResourceExchange, name: string): void {
  const { names = [], why = "" } = resource.record.deletion.undeletable ?? {};
  if (names.includes(name)) throw forbidden(resource.definition, name, why);
}

/** Sets the deletion timestamp and grace period of an object, and increments its generation if it has one. */
function mark(object: KubeObject, nowMs: number, graceSeconds: number): void {
  const { metadata } = object;
  metadata.deletionTimestamp = formatTime(nowMs + graceSeconds * 1000);
  metadata.deletionGracePeriodSeconds = graceSeconds;
  if ((metadata.generation ?? 0) > 0) metadata.generation = metadata.generation! + 1;
}

/**
 * Sets the grace period of an object and reports whether anything changed. Once the object is being deleted, the grace
 * period can only become shorter.
 */
function setGracePeriod(
  next: KubeObject,
  old: KubeObject,
  { seconds, options, nowMs }: {
    readonly seconds: () => number;
    readonly options: DeleteOptions;
    readonly nowMs: number;
  },
): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds: before = 0 } = old.metadata;
  if (deletionTimestamp === undefined) {
    mark(next, nowMs, atLeastNow(seconds()));
    return true;
  }
  const asked = atLeastNow(options.gracePeriodSeconds);
  if (before === 0 || asked === undefined || asked >= before) return false;
  const startMs = Date.parse(deletionTimestamp) - before * 1000;
  next.metadata.deletionTimestamp = formatTime(startMs + asked * 1000);
  next.metadata.deletionGracePeriodSeconds = asked;
  return true;
}

/** Replaces a negative grace period by one second. */
function atLeastNow<T extends number | undefined>(seconds: T): T | 1 {
  return seconds !== undefined && seconds < 0 ? 1 : seconds;
}

/**
 * Marks a namespace as Terminating. Only a second deletion removes it, even if it has no finalizers, in its spec either.
 */
function deleteNamespace(
  exchange: ResourceExchange,
  stored: StoredObject,
  options: DeleteOptions,
): KubeObject {
  const { resource, server } = exchange;
  refuseUndeletable(exchange, stored.name);
  const next = resource.read(stored) as KubeObject & {
    spec?: { finalizers?: string[] };
    status?: { phase?: string };
  };
  if (next.metadata.deletionTimestamp === undefined) {
    next.metadata.deletionTimestamp = formatTime(server.clock.wallNow());
    next.status = { ...next.status, phase: "Terminating" };
    const finalizers = finalizersFor(next.metadata.finalizers ?? [], options);
    if (finalizers.length > 0) next.metadata.finalizers = finalizers;
    else delete next.metadata.finalizers;
    if (options.dryRun) return next;
    const written = put(exchange, next);
    server.written(resource, written);
    return resource.read(written);
  }
  if ((next.spec?.finalizers ?? []).length > 0) return next;
  const finalizers = finalizersFor(next.metadata.finalizers ?? [], options);
  if (finalizers.length === 0) {
    if (options.dryRun) return next;
    const last = server.remove(resource, exchange.store, stored, exchange.author);
    return resource.read(last);
  }
  next.metadata = { ...next.metadata, finalizers, deletionGracePeriodSeconds: 0 };
  if (
    options.dryRun || jsonEqual(next as unknown as Json, resource.read(stored) as unknown as Json)
  ) {
    return next;
  }
  const written = put(exchange, next);
  server.written(resource, written);
  return resource.read(written);
}

/** Marks a definition for deletion. The definition controller then removes its custom resources and the definition. */
function deleteDefinition(
  exchange: ResourceExchange,
  next: KubeObject,
  options: DeleteOptions,
): KubeObject {
  const { resource, server } = exchange;
  if (next.metadata.deletionTimestamp !== undefined) {
    const isMarked = next.metadata.deletionGracePeriodSeconds !== undefined;
    // Only a second deletion writes the grace period of a definition.
    next.metadata.deletionGracePeriodSeconds = 0;
    if (isMarked || options.dryRun) return next;
    const again = put(exchange, next);
    return resource.read(again);
  }
  const marked = markDefinition(next, formatTime(server.clock.wallNow()));
  if (options.dryRun) return marked;
  const written = put(exchange, marked);
  // Read it before the controller continues: the answer shows only the first step.
  const object = resource.read(written);
  server.written(resource, written);
  return object;
}

function checkPreconditions(
  { resource, info }: ResourceExchange,
  stored: StoredObject,
  { preconditions }: DeleteOptions,
): void {
  const { group, kind } = resource.definition;
  const { uid, resourceVersion } = preconditions ?? {};
  const { deletion: { mode }, errorGroup } = resource.record;
  if (mode === "namespace" || mode === "definition") {
    // The real server deletes these with separate code, which has other messages.
    const own = [["UID", uid, stored.uid], [
      "ResourceVersion",
      resourceVersion,
      String(stored.revision),
    ]] as const;
    for (const [name, wanted, is] of own) {
      if (wanted === undefined || wanted === is) continue;
      const isLower = mode === "definition" && resource.kind.release.has({ since: "1.37" });
      const why = `${
        isLower ? "p" : "P"
      }recondition failed: ${name} in precondition: ${wanted}, ${name} in object meta: ${is}`;
      throw conflict(resource.definition, info.name, why);
    }
  }
  const subject = { group: errorGroup ?? group, plural: kind };
  if (uid !== undefined && uid !== stored.uid) {
    throw conflict(
      subject,
      info.name,
      `the UID in the precondition (${uid}) does not match the UID in record (${stored.uid}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== String(stored.revision)) {
    throw conflict(
      subject,
      info.name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${stored.revision}). The object might have been modified`,
    );
  }
}

function successText({ resource, info }: ResourceExchange, stored: StoredObject): string {
  const { group, plural } = resource.definition;
  return encodeJson({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: {
      name: info.name,
      ...(group === "" ? {} : { group }),
      kind: plural,
      uid: stored.uid,
    },
  });
}

function put(exchange: ResourceExchange, object: KubeObject): StoredObject {
  const { resource, server, store } = exchange;
  return server.storage.put(store, object, resource.encodeStored, exchange.author);
}
