// CloudEvents attributes as Kafka headers (Kafka protocol binding of CloudEvents 1.0, binary mode).

export interface EventHeaders {
  readonly id: string;
  readonly type: string;
  /** The process that wrote the event, e.g. "tracklog/api". */
  readonly source: string;
  readonly timeMs: number;
}

/** On messages derived from the camera-log: the id of the log that the offsets in the event belong to. */
export const LOG_ID = "ce_logid";

export function headersOf({ id, type, source, timeMs }: EventHeaders): Record<string, string> {
  return {
    ce_id: id,
    ce_type: `io.tracklog.${type}`,
    ce_source: source,
    ce_time: new Date(timeMs).toISOString(),
  };
}
