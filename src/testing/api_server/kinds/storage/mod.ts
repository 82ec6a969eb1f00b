/**
 * StorageClasses, VolumeAttachments, CSI drivers, CSI nodes and VolumeAttributesClasses.
 *
 * @module
 */

export { CSI_DRIVER } from "./csi_driver.ts";
export { CSI_NODE } from "./csi_node.ts";
export { CSI_STORAGE_CAPACITY } from "./csi_storage_capacity.ts";
export { STORAGE_CLASS } from "./storage_class.ts";
export { VOLUME_ATTACHMENT } from "./volume_attachment.ts";
export { VOLUME_ATTRIBUTES_CLASS } from "./volume_attributes_class.ts";
