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
}

type Show = (shown: Shown) => void;

interface Display {
  readonly everyMs: number;
  readonly show: Show;
  readonly stop: () => void;
}

/** Shows a bar on a terminal; elsewhere plain lines, one per tenth, because the output is kept. */
export const createReplayProgress = (stream: NodeJS.WriteStream): FoldProgress =>
  countingProgress(stream.isTTY ? bar(stream) : lines(stream), () => performance.now());

/** `now` is the time of any clock, ms. */
export function countingProgress({ everyMs, show, stop }: Display, now: () => number): FoldProgress {
  const begunAt = now();
  let shownAt = begunAt;
  let last = -1;
  let messages = 0;
  let signals = 0;

  function shown(share: number): Shown {
    const seconds = Math.max(0.001, (now() - begunAt) / 1_000);
    const left = share > 0 && share < 1 ? (seconds / share) * (1 - share) : undefined;
    return { share, messages, signals, rate: messages / seconds, left };
  }

  return {
    messages: () => messages,
    passed(offset, share) {
      if (offset === last) return;
      last = offset;
      messages += 1;
      if (now() - shownAt < everyMs) return;
      shownAt = now();
      show(shown(share));
    },
    raised: (count) => {
      signals += count;
    },
    stop,
  };
}

const BAR_EVERY_MS = 200;

function bar(stream: NodeJS.WriteStream): Display {
  const single = new SingleBar({
    stream,
    format: "replaying {bar} {percentage}% | {messages} messages, {rate}/s | {signals} signals | {left} left",
    hideCursor: true,
    clearOnComplete: true,
    stopOnComplete: false,
  });
  const unknown = { messages: "0", rate: "0", signals: "0", left: "?" };
  single.start(100, 0, unknown);
  return {
    everyMs: BAR_EVERY_MS,
    show: (shown) => single.update(Math.floor(shown.share * 100), textsOf(shown)),
    stop: () => single.stop(),
  };
}

const LINE_EVERY = 0.1;
/** Without a tenth that is done, a line shows from time to time that the run goes on. */
const LINE_EVERY_MS = 10_000;

function lines(stream: NodeJS.WriteStream): Display {
  let next = LINE_EVERY;
  let shownAt = performance.now();
  return {
    everyMs: 0,
    show(shown) {
      const isDue = shown.share >= next || performance.now() - shownAt >= LINE_EVERY_MS;
      if (!isDue) return;
      const { messages, rate, signals, left } = textsOf(shown);
      const percentage = Math.floor(shown.share * 100);
      stream.write(`replayed ${percentage}%: ${messages} messages, ${rate}/s, ${signals} signals, ${left} left\n`);
      shownAt = performance.now();
      next = Math.floor(shown.share / LINE_EVERY + 1) * LINE_EVERY;
    },
    stop: () => undefined,
  };
}

const textsOf = ({ messages, rate, signals, left }: Shown) => ({
  messages: wholeText(messages),
  rate: wholeText(Math.round(rate)),
  signals: wholeText(signals),
  left: left === undefined ? "?" : durationText(left),
});

export const wholeText = (value: number): string => value.toLocaleString("en-US");

function durationText(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 120 ? `${whole} s` : `${Math.ceil(whole / 60)} min`;
}
