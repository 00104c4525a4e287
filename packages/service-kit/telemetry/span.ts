export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** A step of a trace that is under way. Never put secrets, parameters of statements or bodies into it. */
export interface ActiveSpan {
  readonly traceId: string;
  /** W3C's header: who continues the trace elsewhere names this step as its parent. */
  readonly traceparent: string;
  set(attributes: Attributes): void;
  /** It did not succeed; of what kind the error is, not its words. */
  fail(type: string): void;
  end(): void;
}
