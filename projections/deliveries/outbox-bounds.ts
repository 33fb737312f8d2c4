// How much the delivery log may have to be told, of each partition of the signals: the log may be away for long. Bytes.

const MIB = 1024 * 1024;
/** Beyond this, what is told comes without its payload. */
export const OUTBOX_BYTES = 32 * MIB;
/** Beyond this, no signals are taken in, and nobody can ask for a delivery. */
export const FULL_OUTBOX_BYTES = 2 * OUTBOX_BYTES;
