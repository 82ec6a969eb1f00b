import { getPath, getString } from "../../values/mod.ts";
import { defineKind, STATUS } from "../define_kind.ts";
import type { KindRecord } from "../kind_record.ts";
import { named } from "../table/cells.ts";
import { AGE, column, NAME } from "../table/column.ts";

/** VolumeAttachments. */
export const VOLUME_ATTACHMENT: KindRecord = defineKind(
  "storage.k8s.io/v1",
  "volumeattachments",
  "VolumeAttachment",
  {
    namespaced: false,
    subresources: [STATUS],
    statusKeeps: ["*"],
    allowUnconditionalUpdate: false,
    names: "subdomain",
    returnsDeleted: true,
    table: {
      columns: [
        NAME,
        column("Attacher"),
        column("PV"),
        column("Node"),
        column("Attached", "", 0, "boolean"),
        AGE,
      ],
      row: named((one) => [
        getString(one, "spec", "attacher"),
        getString(one, "spec", "source", "persistentVolumeName"),
        getString(one, "spec", "nodeName"),
        getPath(one, "status", "attached") === true,
      ]),
    },
  },
);
