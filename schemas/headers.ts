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

/** Id of the log that the offsets in the event belong to. Messages derived from the camera-log have this header. */
export const LOG_ID = "ce_logid";

/**
 * The end offsets of the log and of the outputs at the time when the log lost its end. Outputs of a partition that this
 * happened to have this header. Kafka assigns the lost offsets again, so causes with and without the header, or with
 * different values of it, cannot be compared.
 */
export const LOST_END = "ce_loglostend";

/**
 * `partition/offset` of the message of another namespace of which this message is a copy. The outputs of the copied
 * message are copied, too: readers derive no output and no dead letter from a copy. Only messages that have the time of
 * their writer are copies; consumers do not get this header of others.
 */
export const COPIED_FROM = "ce_copiedfrom";

/** Consumers keep only these headers, so every header that code reads must be in this list. */
export const READ_HEADERS: readonly string[] = [TYPE, LOG_ID, LOST_END, COPIED_FROM];

/**
 * The log to which the offset of a cause belongs.
 * @returns undefined for outputs written before the header existed.
 */
export function logOf(headers: Readonly<Record<string, { toString(): string } | undefined>> | undefined) {
  const id = headers?.[LOG_ID]?.toString();
  const lostEnd = headers?.[LOST_END]?.toString();
  return lostEnd === undefined ? id : `${id} from ${lostEnd}`;
}

/** The headers of every message that tracklog writes. */
export function headersOf({ id, type, source, timeMs }: EventHeaders): Record<string, string> {
  return {
    ce_id: id,
    [TYPE]: `io.tracklog.${type}`,
    ce_source: source,
    ce_time: new Date(timeMs).toISOString(),
  };
}
