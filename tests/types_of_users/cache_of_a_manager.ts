// Compiles: caches are of their kind.

import { type Cached, type Manager, metadataOf, Secrets } from "@kubeloop/controller";
import { same } from "./_same.ts";
import { type Widget, Widgets } from "./_widgets.ts";

declare const manager: Manager;

const widgets = manager.cache(Widgets, { namespaces: ["a"], labelSelector: "app=web" });
same<ReturnType<typeof widgets.get>, Cached<Widget> | undefined>(true);
same<ReturnType<typeof widgets.list>[number]["spec"]["size"], number>(true);
const secrets = manager.cache(metadataOf(Secrets));
same<ReturnType<typeof secrets.list>[number]["metadata"]["uid"], string>(true);
await manager.removeCache(widgets);
await manager.removeCache(secrets);
