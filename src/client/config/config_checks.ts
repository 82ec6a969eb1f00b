import {
  checkedElsewhere,
  describeValue,
  isFlag,
  isList,
  isName,
  isObject,
  isOneOf,
  isRecord,
  isText,
  type OptionCheck,
  type OptionChecks,
  requireOptions,
} from "../../base/mod.ts";
import type { PartialConfig } from "./config.ts";
import type { ExecConfig } from "./exec_config.ts";
import type { Impersonation } from "./impersonation.ts";

/** Checks an option that is a secret text. The error does not show the value. */
const isSecret: OptionCheck = (name, value): void => {
  if (typeof value === "string") return;
  throw new TypeError(`${name} must be a text: received a value of type ${typeof value}`);
};

/** Checks an option that is PEM text. Its labels are checked elsewhere. */
const isPem: OptionCheck = (name, value): void => {
  if (typeof value === "string") return;
  const received = ArrayBuffer.isView(value) ? "bytes: decode them first" : describeValue(value);
  throw new TypeError(`${name} must be PEM text: received ${received}`);
};

/** Checks an option that is a list of texts, which may be secrets. */
const isListOfTexts: OptionCheck = (name, value): void => {
  isList(name, value);
  if ((value as unknown[]).every((item) => typeof item === "string")) return;
  throw new TypeError(`${name} must contain texts only`);
};

const EXEC_CHECKS: OptionChecks<ExecConfig> = {
  apiVersion: isOneOf(
    "client.authentication.k8s.io/v1",
    "client.authentication.k8s.io/v1beta1",
  ),
  command: isName,
  args: isListOfTexts,
  env: (name, value) => {
    isList(name, value);
    const isVariable = (one: unknown) =>
      isRecord(one) && typeof one.name === "string" && typeof one.value === "string";
    if ((value as unknown[]).every(isVariable)) return;
    throw new TypeError(`${name} must contain objects { name, value } with texts only`);
  },
  installHint: isText,
  provideClusterInfo: isFlag,
  interactiveMode: isOneOf("Never", "IfAvailable", "Always"),
  cluster: isObject,
  timeoutMs: checkedElsewhere,
};

const IMPERSONATION_CHECKS: OptionChecks<Impersonation> = {
  user: isText,
  uid: isText,
  groups: isListOfTexts,
  extra: (name, value) => {
    isObject(name, value);
    for (const list of Object.values(value as object)) isListOfTexts(`${name} of a key`, list);
  },
};

/** The checks of the types in a configuration. {@linkcode requireConfig} checks the values. */
export const CONFIG_CHECKS: OptionChecks<PartialConfig> = {
  server: checkedElsewhere,
  token: isSecret,
  tokenFile: isText,
  username: isSecret,
  password: isSecret,
  exec: (name, value) => requireOptions(name, value, EXEC_CHECKS),
  impersonate: (name, value) => requireOptions(name, value, IMPERSONATION_CHECKS),
  caData: isPem,
  caFile: isText,
  certData: isPem,
  certFile: isText,
  keyData: isPem,
  keyFile: isText,
  tlsServerName: isText,
  insecureSkipTlsVerify: isFlag,
  proxyUrl: isText,
  namespace: isText,
  allowInsecureToken: isFlag,
};
