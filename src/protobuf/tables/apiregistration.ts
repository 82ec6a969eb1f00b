// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `apiregistration`. */
export const MESSAGES: string = `
+APIService metadata:meta.ObjectMeta!,spec:APIServiceSpec!,status:APIServiceStatus!
APIServiceCondition type:s!,status:s!,lastTransitionTime:t!,reason:s,message:s
APIServiceSpec service:ServiceReference?,group:s,version:s,insecureSkipTLSVerify:b,caBundle:y,7groupPriorityMinimum:i!,versionPriority:i!
APIServiceStatus conditions:[APIServiceCondition
ServiceReference namespace:s,name:s,port:i?
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["meta"];
