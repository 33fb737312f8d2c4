// Bounds of the records that wait for the delivery log, in bytes, for each partition of the signals: the log may be
// unavailable for long.
import { MIB } from "../../../schemas/units.ts";

/** Beyond this size, records wait without their payload. */
export const OUTBOX_BYTES = 32 * MIB;
/** Beyond this size, the partition takes in no signals, and requests for a delivery are refused. */
export const FULL_OUTBOX_BYTES = 2 * OUTBOX_BYTES;
