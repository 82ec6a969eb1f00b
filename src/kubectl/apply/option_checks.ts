import {
  isCount,
  isFlag,
  isName,
  isRecord,
  isSignal,
  isTimeLimit,
  type OptionCheck,
  type OptionChecks,
  requireOptions,
} from "@kubeloop/controller/internal/base";
import type { ApplySetParent } from "./apply_set.ts";

type Checks<Name extends string> = Readonly<Record<Name, OptionCheck>>;

const PARENT_CHECKS: OptionChecks<ApplySetParent> = {
  name: isName,
  namespace: isName,
  kind: (_name, value) => {
    if (value === "ConfigMap" || value === "Secret") return;
    throw new TypeError('applySet.kind must be "ConfigMap" or "Secret": it remembers the set');
  },
};

/** Checks the identity of an apply set. */
export const isApplySet: OptionCheck = (_name, value) => {
  if (!isRecord(value) || typeof value.name !== "string" || value.name === "") {
    throw new TypeError('applySet must have a name, as in { applySet: { name: "web" } }');
  }
  requireOptions("applySet", value, PARENT_CHECKS);
};

/** Checks of the common options. */
export const COMMON_CHECKS: Checks<"namespace" | "concurrency" | "timeoutMs" | "signal"> = {
  namespace: isName,
  concurrency: isCount(1),
  timeoutMs: isTimeLimit,
  signal: isSignal,
};

/** Checks of the options that affect the changes of an apply. */
export const CHANGE_CHECKS:
  & typeof COMMON_CHECKS
  & Checks<"fieldManager" | "force" | "applySet" | "prune"> = {
    ...COMMON_CHECKS,
    fieldManager: isName,
    force: isFlag,
    applySet: isApplySet,
    prune: isFlag,
  };
