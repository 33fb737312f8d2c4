import { SingleBar } from "cli-progress";

export interface FoldProgress {
  /** A message of the log is folded next. `share` of the run is done, from 0 to 1. */
  passed(offset: number, share: number): void;
  raised(count: number): void;
  stop(): void;
  readonly messages: () => number;
}

interface Shown {
  readonly share: number;
  readonly messages: number;
  readonly signals: number;
  /** Messages a second, since the beginning. */
  readonly rate: number;
  /** Seconds; undefined while they cannot be estimated. */
  readonly left: number | undefined;
  /** Seconds since the last message. */
  readonly waiting: number;
}

type Show = (shown: Shown) => void;

interface Display {
  readonly show: Show;
  readonly stop: () => void;
}

/** Shows a bar on a terminal; elsewhere plain lines, one per tenth, because the output is kept. */
export const createReplayProgress = (stream: NodeJS.WriteStream): FoldProgress =>
  countingProgress(stream.isTTY ? bar(stream) : lines(stream));

const SHOW_EVERY_MS = 200;
const WAITING_MS = 10_000;

function countingProgress({ show, stop }: Display): FoldProgress {
  const begunAt = performance.now();
  let shownAt = begunAt;
  let passedAt = begunAt;
  let last = -1;
  let share = 0;
  let messages = 0;
  let signals = 0;

  function showAll(): void {
    shownAt = performance.now();
    const seconds = Math.max(0.001, (shownAt - begunAt) / 1_000);
    const left = share > 0 && share < 1 ? (seconds / share) * (1 - share) : undefined;
    const waiting = Math.floor((shownAt - passedAt) / 1_000);
    show({ share, messages, signals, rate: messages / seconds, left, waiting });
  }

  // A store that is away is waited for, and the person who waits must see that.
  const timer = setInterval(showAll, WAITING_MS).unref();

  return {
    messages: () => messages,
    passed(offset, done) {
      if (offset === last) return;
      last = offset;
      share = done;
      messages += 1;
      passedAt = performance.now();
      if (passedAt - shownAt >= SHOW_EVERY_MS) showAll();
    },
    raised: (count) => {
      signals += count;
    },
    stop() {
      clearInterval(timer);
      stop();
    },
  };
}

function bar(stream: NodeJS.WriteStream): Display {
  const single = new SingleBar({
    stream,
    format: "replaying {bar} {percentage}% | {messages} messages, {rate}/s | {signals} signals | {left}",
    hideCursor: true,
    clearOnComplete: true,
    stopOnComplete: false,
  });
  const unknown = { messages: "0", rate: "0", signals: "0", left: "? left" };
  single.start(100, 0, unknown);
  return {
    show: (shown) => single.update(Math.floor(shown.share * 100), textsOf(shown)),
    stop: () => single.stop(),
  };
}

const LINE_EVERY = 0.1;
/** Without a tenth that is done, a line shows from time to time that the run goes on, or waits. */
const LINE_EVERY_MS = 60_000;

function lines(stream: NodeJS.WriteStream): Display {
  let next = LINE_EVERY;
  let shownAt = performance.now();
  return {
    show(shown) {
      const isDue = shown.share >= next || performance.now() - shownAt >= LINE_EVERY_MS;
      if (!isDue) return;
      const { messages, rate, signals, left } = textsOf(shown);
      const percentage = Math.floor(shown.share * 100);
      stream.write(`replayed ${percentage}%: ${messages} messages, ${rate}/s, ${signals} signals, ${left}\n`);
      shownAt = performance.now();
      next = Math.floor(shown.share / LINE_EVERY + 1) * LINE_EVERY;
    },
    stop: () => undefined,
  };
}

const textsOf = ({ messages, rate, signals, left, waiting }: Shown) => ({
  messages: wholeText(messages),
  rate: wholeText(Math.round(rate)),
  signals: wholeText(signals),
  left: waiting * 1_000 >= WAITING_MS ? `waiting for ${durationText(waiting)}` : leftText(left),
});

export const wholeText = (value: number): string => value.toLocaleString("en-US");

const leftText = (seconds: number | undefined): string => `${seconds === undefined ? "?" : durationText(seconds)} left`;

function durationText(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 120 ? `${whole} s` : `${Math.ceil(whole / 60)} min`;
}
