import { SingleBar } from "cli-progress";

const LINE_EVERY = 0.1;

export interface Progress {
  start(total: number): void;
  /** `done` of the total given at the start. */
  update(done: number): void;
  stop(): void;
}

/** A bar on a terminal; plain lines, one per tenth, where the output is kept. */
export const createProgress = (stream: NodeJS.WriteStream): Progress => (stream.isTTY ? bar(stream) : lines(stream));

function bar(stream: NodeJS.WriteStream): Progress {
  const single = new SingleBar({
    stream,
    format: "sending {bar} {percentage}% | {value}/{total} detections | {eta_formatted} left",
    hideCursor: true,
  });
  return {
    start: (total) => single.start(total, 0),
    update: (done) => single.update(done),
    stop: () => single.stop(),
  };
}

function lines(stream: NodeJS.WriteStream): Progress {
  let total = 0;
  let next = LINE_EVERY;
  return {
    start(all) {
      total = all;
    },
    update(done) {
      if (done < total * next) return;
      stream.write(`sent ${done} of ${total} detections\n`);
      next = Math.floor(done / total / LINE_EVERY + 1) * LINE_EVERY;
    },
    stop() {},
  };
}
