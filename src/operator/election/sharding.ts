export interface ShardingOptions {
  readonly name: string;
  readonly namespace?: string | undefined;
}
export interface ShardHandler {
  acquired(n: number): void;
  drain(n: number): Promise<void>;
  lost(n: number): void;
}
export class Sharding {
  constructor(_c: unknown, _o: unknown) {}
  owns(_k: string): boolean {
    return true;
  }
  signalOf(_k: string): AbortSignal | undefined {
    return undefined;
  }
  shardOf(_k: string): number {
    return 0;
  }
  run(_h: ShardHandler, _c: unknown): Promise<void> {
    return Promise.resolve();
  }
}
