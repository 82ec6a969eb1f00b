import { defineResource, type ObjectOf } from "@kubeloop/controller";
import { z } from "zod";

/** The kind of most programs. */
export const Widgets = defineResource({
  group: "acme.io",
  version: "v1",
  kind: "Widget",
  spec: z.object({
    size: z.int().min(1).default(1),
    image: z.string(),
    secret: z.string().optional(),
    paused: z.boolean().optional(),
    ports: z.array(z.object({ name: z.string(), port: z.int() })).optional(),
    selector: z.record(z.string(), z.string()).optional(),
  }),
  status: z.object({ ready: z.int(), phase: z.enum(["Starting", "Running"]).optional() }),
});

export type Widget = ObjectOf<typeof Widgets>;
