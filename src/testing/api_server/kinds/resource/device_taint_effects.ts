/** The effects of taints of devices. */
export const TAINT_EFFECTS: readonly string[] = ["NoExecute", "NoSchedule", "None"];
