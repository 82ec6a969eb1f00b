import * as admissionregistration from "./admissionregistration/mod.ts";
import * as apiextensions from "./apiextensions/mod.ts";
import * as apiregistration from "./apiregistration/mod.ts";
import * as apps from "./apps/mod.ts";
import * as authentication from "./authentication/mod.ts";
import * as authorization from "./authorization/mod.ts";
import * as autoscaling from "./autoscaling/mod.ts";
import * as batch from "./batch/mod.ts";
import * as certificates from "./certificates/mod.ts";
import * as coordination from "./coordination/mod.ts";
import * as core from "./core/mod.ts";
import * as limits from "./core/limits/mod.ts";
import * as pod from "./core/pod/mod.ts";
import * as service from "./core/service/mod.ts";
import * as volumes from "./core/volumes/mod.ts";
import * as discovery from "./discovery/mod.ts";
import * as events from "./events/mod.ts";
import * as flowcontrol from "./flowcontrol/mod.ts";
import * as networking from "./networking/mod.ts";
import * as node from "./node/mod.ts";
import * as policy from "./policy/mod.ts";
import * as rbac from "./rbac/mod.ts";
import * as resource from "./resource/mod.ts";
import * as scheduling from "./scheduling/mod.ts";
import * as storage from "./storage/mod.ts";
import * as storagemigration from "./storagemigration/mod.ts";
import type { KindRecord } from "./record/mod.ts";

/** The rooms of kinds, in the order of discovery. */
const ROOMS: readonly Readonly<Record<string, unknown>>[] = [
  core,
  limits,
  pod,
  service,
  volumes,
  apiregistration,
  apps,
  events,
  authentication,
  authorization,
  autoscaling,
  batch,
  certificates,
  networking,
  policy,
  rbac,
  storage,
  admissionregistration,
  apiextensions,
  scheduling,
  coordination,
  node,
  discovery,
  resource,
  flowcontrol,
  storagemigration,
];

/** The built-in kinds: each `KindRecord` that a room exports. */
export const BUILTIN_KINDS: readonly KindRecord[] = ROOMS.flatMap((room) =>
  Object.values(room).filter(isKind)
);

function isKind(value: unknown): value is KindRecord {
  return typeof value === "object" && value !== null && "definition" in value;
}
