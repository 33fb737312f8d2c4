import { SingleBar } from "cli-progress";

const LINE_EVERY = 0.1;

export interface ImportProgress {
  start(total: number): void;
  /** Shows `done` of the total given at the start. */
  update(done: number): void;
  stop(): void;
}

/** Shows a bar on a terminal; elsewhere plain lines, one per tenth, because the output is kept. */
export const createImportProgress = (stream: NodeJS.WriteStream): ImportProgress =>
  stream.isTTY ? bar(stream) : lines(stream);

function bar(stream: NodeJS.WriteStream): ImportProgress {
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

function lines(stream: NodeJS.WriteStream): ImportProgress {
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
