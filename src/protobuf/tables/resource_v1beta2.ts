// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `resource/v1beta2`. */
export const MESSAGES: string = `
DeviceTaint key:s!,value:s,effect:s!,timeAdded:t?
+DeviceTaintRule metadata:meta.ObjectMeta!,spec:DeviceTaintRuleSpec!,status:DeviceTaintRuleStatus!
DeviceTaintRuleSpec deviceSelector:DeviceTaintSelector?,taint:DeviceTaint!
DeviceTaintRuleStatus conditions:[meta.Condition
DeviceTaintSelector 2driver:s?,pool:s?,device:s?
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["meta"];
