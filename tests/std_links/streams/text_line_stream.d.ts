export interface TextLineStreamOptions {
  allowCR?: boolean;
}
export declare class TextLineStream extends TransformStream<string, string> {
  constructor(options?: TextLineStreamOptions);
}
