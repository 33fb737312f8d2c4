// Takes frames out of videos with ffmpeg, if it is on the PATH.
import { AppError, unavailable } from "../../../schemas/errors.ts";
import type { Log } from "../../common/log.ts";
import type { MediumSource } from "../../common/media/store.ts";
import { demuxerOf } from "../../common/media/types.ts";
import { runBounded } from "./run-bounded.ts";

export interface Frames {
  /**
   * Returns the frame at an instant from the video's start, as an image file. Rejects with UNAVAILABLE when too many
   * callers wait, and when `gone` aborts, because nobody waits for the frame then.
   * @returns undefined when there is no ffmpeg here, or it finds no frame.
   */
  take(source: MediumSource, atMs: number, gone?: AbortSignal): Promise<Buffer | undefined>;
  /** Ends the running ffmpeg processes. */
  stop(): void;
}

export interface FramesOptions {
  readonly maxRunning: number;
  readonly maxWaiting: number;
  /** Milliseconds of one run. */
  readonly timeoutMs: number;
  /** Bytes of one frame. */
  readonly maxBytes: number;
  readonly log: Log;
}

/** Milliseconds for which a frame is shown at most, even in the slowest recordings. */
const LAST_FRAME_MS = 1_000;

export function createFrames({ maxRunning, maxWaiting, timeoutMs, maxBytes, log }: FramesOptions): Frames {
  const stopped = new AbortController();
  const turns = createTurns(maxRunning, maxWaiting);

  /** @returns undefined when ffmpeg is missing or has failed, an empty buffer when the video has no frame there. */
  async function run(source: MediumSource, args: readonly string[], gone: AbortSignal): Promise<Buffer | undefined> {
    if (stopped.signal.aborted) return undefined;
    const signal = AbortSignal.any([stopped.signal, gone, AbortSignal.timeout(timeoutMs)]);
    const { output, found, code, stderr } = await runBounded({ file: "ffmpeg", args, maxBytes, signal });
    refuseIfGone(gone);
    // The output of the program names its input, which may be a link that only the program may have.
    const about = { path: source.path, code, stderr: stderr.replaceAll(source.input, source.path) };
    if (output === undefined && found) log.warn(about, "no frame taken");
    return output;
  }

  return {
    async take(source, atMs, gone = NEVER) {
      const demuxer = demuxerOf(source.path);
      if (demuxer === undefined) return undefined;
      await turns.next(gone);
      try {
        const frame = await run(source, argumentsOf(source, demuxer, atMs), gone);
        if (frame === undefined || frame.length > 0) return frame;
        // The instant may be after the start of the last frame, which the video shows for a moment longer. ffmpeg finds
        // only frames that start later.
        const last = await run(source, argumentsOf(source, demuxer, Math.max(0, atMs - LAST_FRAME_MS)), gone);
        return last === undefined || last.length === 0 ? undefined : last;
      } finally {
        turns.done();
      }
    },
    stop: () => stopped.abort(),
  };
}

const NEVER = new AbortController().signal;

function refuseIfGone(gone: AbortSignal): void {
  if (gone.aborted) throw new AppError("UNAVAILABLE", "the client is gone");
}

/** The input is this one file, in the one format that its name gives: the content of a video can name no other file. */
function argumentsOf({ input, protocols }: MediumSource, demuxer: string, atMs: number): string[] {
  const reading = ["-protocol_whitelist", protocols, "-ss", (atMs / 1_000).toFixed(3), "-f", demuxer, "-i", input];
  const writing = ["-map", "0:v:0", "-frames:v", "1", "-f", "image2pipe", "-c:v", "mjpeg", "-q:v", "2", "pipe:1"];
  return ["-nostdin", "-hide_banner", "-loglevel", "error", "-threads", "1", ...reading, ...writing];
}

function createTurns(maxRunning: number, maxWaiting: number) {
  /** Waiting callers in the order of arrival. */
  const waiting = new Set<(isTurn: boolean) => void>();
  let running = 0;
  return {
    async next(gone: AbortSignal): Promise<void> {
      refuseIfGone(gone);
      if (running < maxRunning) {
        running += 1;
        return;
      }
      if (waiting.size >= maxWaiting) throw unavailable("too many frames are being taken");
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const leave = () => {
        waiting.delete(resolve);
        resolve(false);
      };
      waiting.add(resolve);
      gone.addEventListener("abort", leave);
      const isTurn = await promise;
      gone.removeEventListener("abort", leave);
      if (!isTurn) refuseIfGone(gone);
    },
    /** Gives the turn to the next one in line. */
    done(): void {
      const [next] = waiting;
      if (next === undefined) {
        running -= 1;
        return;
      }
      waiting.delete(next);
      next(true);
    },
  };
}
