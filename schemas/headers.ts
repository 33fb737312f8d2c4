// CloudEvents attributes as Kafka headers (Kafka protocol binding of CloudEvents 1.0, binary mode).

export interface EventHeaders {
  readonly id: string;
  readonly type: string;
  /** The process that wrote the event, e.g. "tracklog/api". */
  readonly source: string;
  readonly timeMs: number;
}

/** The type of the event as its producer knew it. */
export const TYPE = "ce_type";

/** On messages derived from the camera-log: the id of the log that the offsets in the event belong to. */
export const LOG_ID = "ce_logid";

/**
 * On outputs of a partition whose log has lost its end: where the log and the outputs ended then. Offsets are given anew
 * from there, so causes with and without it, or with another one, cannot be compared.
 */
export const LOST_END = "ce_loglostend";

/** Readers get these headers alone: a header that some code is to read must be among them. */
export const READ_HEADERS: readonly string[] = [TYPE, LOG_ID, LOST_END];

/** The log to which the offset of a cause belongs; undefined in outputs written before the header existed. */
export function logOf(headers: Readonly<Record<string, { toString(): string } | undefined>> | undefined) {
  const id = headers?.[LOG_ID]?.toString();
  const lostEnd = headers?.[LOST_END]?.toString();
  return lostEnd === undefined ? id : `${id} from ${lostEnd}`;
}

export function headersOf({ id, type, source, timeMs }: EventHeaders): Record<string, string> {
  return {
    ce_id: id,
    [TYPE]: `io.tracklog.${type}`,
    ce_source: source,
    ce_time: new Date(timeMs).toISOString(),
  };
}
