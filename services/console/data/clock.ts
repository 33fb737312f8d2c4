// The server's time. The clock of a viewer may be hours wrong, and the times of all data are those of the server.

/** A header Date has whole seconds: the server wrote the answer in this second. */
const DATE_STEP_MS = 1_000;
/** A difference that people should know of. */
const NOTICED_MS = 5_000;

/**
 * Learns how far the server's clock is from the viewer's. An answer came from the server between the sending of its
 * request and its arrival, which bounds the difference. All answers together bound it better than each one.
 */
export class ServerClock {
  readonly #viewerNow: () => number;
  /** Bounds of the server's time minus the viewer's. */
  #least = Number.NEGATIVE_INFINITY;
  #most = Number.POSITIVE_INFINITY;

  constructor(viewerNow: () => number = Date.now) {
    this.#viewerNow = viewerNow;
  }

  /** The server's time, in milliseconds since the epoch. Before the first answer, it is the viewer's. */
  now(): number {
    return this.#viewerNow() + this.differenceMs;
  }

  /** The server's time minus the viewer's; 0 while they may be the same. */
  get differenceMs(): number {
    if (!Number.isFinite(this.#least) || (this.#least <= 0 && this.#most >= 0)) return 0;
    return Math.round((this.#least + this.#most) / 2);
  }

  /** Whether people should know of the difference. */
  get isViewerWrong(): boolean {
    return Math.min(Math.abs(this.#least), Math.abs(this.#most)) > NOTICED_MS && this.differenceMs !== 0;
  }

  /** To be called when a request is sent. @returns a function for the header Date of its answer. */
  sent(): (date: string | null) => void {
    const sentAt = this.#viewerNow();
    return (date) => {
      const at = Date.parse(date ?? "");
      if (!Number.isNaN(at)) this.#learn(at - this.#viewerNow(), at + DATE_STEP_MS - sentAt);
    };
  }

  #learn(least: number, most: number): void {
    // A clock that was set during the request bounds nothing.
    if (least > most) return;
    // A clock was set since the last answer, or the clocks drift: what was learned before does not hold any more.
    const isOther = least > this.#most || most < this.#least;
    this.#least = isOther ? least : Math.max(least, this.#least);
    this.#most = isOther ? most : Math.min(most, this.#most);
  }
}

/** The console has one server, and so one clock. */
export const serverClock = new ServerClock();

export const serverNow = (): number => serverClock.now();

const FIRST_WITHIN_MS = 3_000;

/** Resolves when the clock is known, or the server is too slow: the first questions name times of the server. */
export async function learnServerTime(url: string): Promise<void> {
  const answered = serverClock.sent();
  try {
    const signal = AbortSignal.timeout(FIRST_WITHIN_MS);
    const { headers } = await fetch(url, { method: "HEAD", cache: "no-store", credentials: "omit", signal });
    answered(headers.get("date"));
  } catch {
    // The next answers bring it.
  }
}
