/**
 * What tests of controllers stand on: a clock that is moved by hand and chance that repeats.
 *
 * @module
 */

export {
  ApiServer,
  type ApiServerOptions,
  type Cut,
  type Fault,
  FaultInjector,
  type FaultRequest,
  type FaultTarget,
  type ServedApi,
  type ServeOptions,
  type TokenUser,
} from "./api_server/mod.ts";
export {
  type FakeChange,
  FakeControllerSource,
  type FakeControllerSourceOptions,
} from "./fake_controller_source.ts";
export { SeededRandom } from "./seeded_random.ts";
export { VirtualClock, type VirtualClockOptions } from "./virtual_clock.ts";
