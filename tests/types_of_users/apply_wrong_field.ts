// Refused: fields and values that the applied kind does not have.

import { ConfigMaps, Deployments, type Manager, Pods } from "@kubeloop/controller";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

manager.controller(Widgets).owns(Deployments).owns(Pods).owns(ConfigMaps).reconcile(
  async ({ name, apply }) => {
    // @ts-expect-error TS2561: but 'replica' does not exist in type
    await apply(Deployments, { metadata: { name }, spec: { replica: 1 } });
    // @ts-expect-error TS2561: but 'contaniers' does not exist in type
    await apply(Pods, { metadata: { name }, spec: { contaniers: [] } });
    // @ts-expect-error TS2322: Type 'number' is not assignable to type
    await apply(ConfigMaps, { metadata: { name }, data: { size: 1 } });
    // @ts-expect-error TS2322, in several lines: Property 'name' is missing in type
    await apply(ConfigMaps, { metadata: {} });
    // @ts-expect-error TS2353: 'force' does not exist in type 'ApplyCallOptions'
    await apply(ConfigMaps, { metadata: { name } }, { force: true });
  },
);
