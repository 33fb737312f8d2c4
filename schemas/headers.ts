// CloudEvents attributes as Kafka headers (Kafka protocol binding of CloudEvents 1.0, binary mode).

export interface EventHeaders {
  readonly id: string;
  readonly type: string;
  /** The process that wrote the event, e.g. "tracklog/api". */
  readonly source: string;
  readonly timeMs: number;
  readonly traceparent?: string | undefined;
}

export function headersOf({ id, type, source, timeMs, traceparent }: EventHeaders): Record<string, string> {
  const headers: Record<string, string> = {
    ce_id: id,
    ce_type: `io.tracklog.${type}`,
    ce_source: source,
    ce_time: new Date(timeMs).toISOString(),
  };
  if (traceparent !== undefined) headers["traceparent"] = traceparent;
  return headers;
}
