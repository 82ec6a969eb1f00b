import {
  checkedElsewhere,
  describeValue,
  hasMethods,
  isCount,
  isFlag,
  isSignal,
  isTimeLimit,
  type OptionCheck,
  type OptionChecks,
  requireTimeLimit,
} from "../../base/mod.ts";
import { requireSource } from "./feed_stdin.ts";
import type { OpenPortOptions, PortForwardOptions } from "./forward_options.ts";
import type { ExecOptions, OpenExecOptions, StdinSource } from "./options.ts";

const isContainer: OptionCheck = (_name, value) => {
  if (typeof value === "string" && value !== "") return;
  throw new TypeError(`Invalid container: expected its name, received ${describeValue(value)}`);
};

const isSink: OptionCheck = (name, value) =>
  hasMethods(`${name} to be a WritableStream`, "getWriter", "abort")(name, value);

const isAsyncIterable: OptionCheck = (name, value) => {
  if (typeof value === "object" && value !== null && Symbol.asyncIterator in value) return;
  throw new TypeError(`${name} must be an async iterable: received ${describeValue(value)}`);
};

/** The checks of the options of `openExec()` and `openAttach()`. */
export const OPEN_CHECKS: OptionChecks<OpenExecOptions> = {
  // The path of the Pod checks it, together with that of the Pod.
  namespace: checkedElsewhere,
  container: isContainer,
  stdin: isFlag,
  stdout: isFlag,
  stderr: isFlag,
  tty: isFlag,
  signal: isSignal,
};

/** The checks of the options of `exec()` and `attach()`. */
export const RUN_CHECKS: OptionChecks<ExecOptions> = {
  namespace: checkedElsewhere,
  container: isContainer,
  stdin: (_name, value) => requireSource(value as StdinSource),
  stdout: isSink,
  stderr: isSink,
  maxOutputBytes: isCount(0),
  tty: isFlag,
  resize: isAsyncIterable,
  signal: isSignal,
  timeoutMs: isTimeLimit,
};

/** The checks of the options of `openPort()`. */
export const PORT_CHECKS: OptionChecks<OpenPortOptions> = {
  namespace: checkedElsewhere,
  signal: isSignal,
};

/** The checks of the options of `portForward()`. */
export const FORWARD_CHECKS: OptionChecks<PortForwardOptions> = {
  namespace: checkedElsewhere,
  address: (_name, value) => {
    if (typeof value === "string" && value !== "") return;
    throw new TypeError(
      `Invalid address: expected an IP address, received ${describeValue(value)}`,
    );
  },
  waitForPodMs: (name, value) => {
    if (value !== 0) requireTimeLimit(name, value as number);
  },
  maxConnections: isCount(1),
  signal: isSignal,
};
