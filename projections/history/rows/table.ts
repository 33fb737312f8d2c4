export interface Table {
  readonly name: string;
  /** In the order of a row's values. */
  readonly columns: readonly string[];
}

/** Where and when the log recorded a message. */
export interface Recorded {
  readonly partition: number;
  readonly offset: number;
  /** Broker time, ms. */
  readonly recordedAt: number;
}
