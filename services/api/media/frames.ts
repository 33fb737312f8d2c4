// Takes frames out of videos with ffmpeg, where it is on the PATH.
import { unavailable } from "../../../schemas/errors.ts";
import type { Log } from "../../common/log.ts";
import type { MediumSource } from "../../common/media/store.ts";
import { demuxerOf } from "../../common/media/types.ts";
import { runBounded } from "./run-bounded.ts";

export interface Frames {
  /**
   * The frame at an instant from the video's start, as an image file. undefined = there is no ffmpeg here, or it finds
   * none. Rejects with UNAVAILABLE when too many wait.
   */
  take(source: MediumSource, atMs: number): Promise<Buffer | undefined>;
  /** Ends what runs. */
  stop(): void;
}

export interface FramesOptions {
  readonly maxRunning: number;
  readonly maxWaiting: number;
  /** Of one run. */
  readonly timeoutMs: number;
  /** Of one frame. */
  readonly maxBytes: number;
  readonly log: Log;
}

const RETRY_AFTER_MS = 1_000;
/** A frame is shown for less, even in the slowest recordings. */
const LAST_FRAME_MS = 1_000;

export function createFrames({ maxRunning, maxWaiting, timeoutMs, maxBytes, log }: FramesOptions): Frames {
  const stopped = new AbortController();
  const turns = createTurns(maxRunning, maxWaiting);

  /** Empty = the video has no frame there. */
  async function run(source: MediumSource, args: readonly string[]): Promise<Buffer | undefined> {
    if (stopped.signal.aborted) return undefined;
    const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(timeoutMs)]);
    const { output, found, code, said } = await runBounded({ file: "ffmpeg", args, maxBytes, signal });
    // What it says names its input, which may be a link that nobody but the program should have.
    const about = { path: source.path, code, said: said.replaceAll(source.input, source.path) };
    if (output === undefined && found) log.warn(about, "no frame taken");
    return output;
  }

  return {
    async take(source, atMs) {
      const demuxer = demuxerOf(source.path);
      if (demuxer === undefined) return undefined;
      await turns.next();
      try {
        const frame = await run(source, argumentsOf(source, demuxer, atMs));
        if (frame === undefined || frame.length > 0) return frame;
        // Behind the last frame there is none, although the video shows that one for a moment longer.
        const last = await run(source, argumentsOf(source, demuxer, Math.max(0, atMs - LAST_FRAME_MS)));
        return last === undefined || last.length === 0 ? undefined : last;
      } finally {
        turns.done();
      }
    },
    stop: () => stopped.abort(),
  };
}

/** The input is the one file, read in the one way that its name says: what is in a video can name no other file. */
function argumentsOf({ input, protocols }: MediumSource, demuxer: string, atMs: number): string[] {
  const reading = ["-protocol_whitelist", protocols, "-ss", (atMs / 1_000).toFixed(3), "-f", demuxer, "-i", input];
  const writing = ["-map", "0:v:0", "-frames:v", "1", "-f", "image2pipe", "-c:v", "mjpeg", "-q:v", "2", "pipe:1"];
  return ["-nostdin", "-hide_banner", "-loglevel", "error", "-threads", "1", ...reading, ...writing];
}

function createTurns(maxRunning: number, maxWaiting: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async next(): Promise<void> {
      if (running < maxRunning) {
        running += 1;
        return;
      }
      if (waiting.length >= maxWaiting) throw unavailable("too many frames are being taken", RETRY_AFTER_MS);
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      await promise;
    },
    /** The turn goes on to the next one in line. */
    done(): void {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    },
  };
}
