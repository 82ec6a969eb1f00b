// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `discovery`. */
export const MESSAGES: string = `
Endpoint addresses:[s!,conditions:EndpointConditions!,hostname:s?,targetRef:core.ObjectReference?,deprecatedTopology:{s,nodeName:s?,zone:s?,hints:EndpointHints?
EndpointConditions ready:b?,serving:b?,terminating:b?
EndpointHints forZones:[ForZone,forNodes:[ForNode
EndpointPort name:s?,protocol:s?,port:i?,appProtocol:s?
+EndpointSlice metadata:meta.ObjectMeta!,4addressType:s!,2endpoints:[Endpoint!,ports:[EndpointPort!
ForNode name:s!
ForZone name:s!
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["core", "meta"];
