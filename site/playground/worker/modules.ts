/**
 * The modules that a program can import.
 *
 * @module
 */

import * as controller from "@kubeloop/controller";
import * as cache from "@kubeloop/controller/cache";
import * as client from "@kubeloop/controller/client";
import * as loop from "@kubeloop/controller/controller";
import * as operator from "@kubeloop/controller/operator";
import * as types from "@kubeloop/controller/types";
import * as apps from "@kubeloop/controller/types/apps/v1";
import * as batch from "@kubeloop/controller/types/batch/v1";
import * as core from "@kubeloop/controller/types/core/v1";
import * as networking from "@kubeloop/controller/types/networking/v1";
import * as policy from "@kubeloop/controller/types/policy/v1";
import * as rbac from "@kubeloop/controller/types/rbac/v1";
import * as testing from "@kubeloop/testing";
import * as simulation from "@kubeloop/testing/simulation";
import { observedManager } from "./managers.ts";

type Exports = Readonly<Record<string, unknown>>;

const Manager = observedManager(controller.Manager);

/** The exports by the name of the module. */
export const MODULES: Readonly<Record<string, Exports>> = {
  __proto__: null as never,
  "@kubeloop/controller": { ...controller, Manager },
  "@kubeloop/controller/cache": cache,
  "@kubeloop/controller/client": client,
  "@kubeloop/controller/controller": loop,
  "@kubeloop/controller/operator": { ...operator, Manager },
  "@kubeloop/controller/types": types,
  "@kubeloop/controller/types/apps/v1": apps,
  "@kubeloop/controller/types/batch/v1": batch,
  "@kubeloop/controller/types/core/v1": core,
  "@kubeloop/controller/types/networking/v1": networking,
  "@kubeloop/controller/types/policy/v1": policy,
  "@kubeloop/controller/types/rbac/v1": rbac,
  "@kubeloop/testing": testing,
  "@kubeloop/testing/simulation": simulation,
};
