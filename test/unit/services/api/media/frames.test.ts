import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import ffmpeg from "@ffmpeg-installer/ffmpeg";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { createFrames } from "../../../../../services/api/media/frames.ts";
import { imageFormat } from "../../../../../services/api/media/image-format.ts";
import { createLog } from "../../../../../services/common/log.ts";
import { standIn } from "../../../../support/running/stand-in.ts";
import { png } from "../../../../support/scenes/images.ts";

const limits = { maxRunning: 1, maxWaiting: 1, timeoutMs: 60_000, maxBytes: 1_000_000 };
const log = createLog("test", "silent");
const video = { path: "gate/a.mp4", input: "file:/media/gate/a.mp4", protocols: "file" };

afterEach(() => {
  vi.unstubAllEnvs();
});

async function tempDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "tracklog-frames-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** A stand-in that runs the script; the file `frame` beside it is a PNG. */
async function framesBy(script: string, more: Partial<typeof limits> = {}) {
  const dir = await tempDir();
  await writeFile(join(dir, "frame"), png());
  vi.stubEnv("PATH", await standIn(dir, `cd ${dir}\n${script}`));
  const frames = createFrames({ ...limits, ...more, log });
  onTestFinished(frames.stop);
  return { dir, frames };
}

test("a frame is what the program writes", async () => {
  const { dir, frames } = await framesBy('echo "$@" > arguments; cat frame');

  expect(await frames.take(video, 61_500)).toEqual(png());
  const args = await readFile(join(dir, "arguments"), "utf8");
  expect(args).toContain("-protocol_whitelist file -ss 61.500 -f mov -i file:/media/gate/a.mp4 ");
});

test("at the end of a video the last frame counts", async () => {
  const { frames } = await framesBy('case "$*" in *"-ss 59.000"*) cat frame;; esac');

  expect(await frames.take(video, 60_000)).toEqual(png());
  expect(await frames.take(video, 62_000)).toBeUndefined();
});

test("without the program there is no frame", async () => {
  vi.stubEnv("PATH", await tempDir());

  expect(await createFrames({ ...limits, log }).take(video, 0)).toBeUndefined();
});

test.each([
  ["fails", "echo broken >&2; cat frame; exit 1", {}],
  ["writes without end", "exec yes", {}],
  ["hangs", "exec sleep 1000", { timeoutMs: 50 }],
])("there is no frame of a program that %s", async (_, script, more) => {
  const { frames } = await framesBy(script, more);

  expect(await frames.take(video, 0)).toBeUndefined();
});

test("only files that are named as videos are read", async () => {
  const { frames } = await framesBy("cat frame");

  for (const path of ["list.m3u8", "list.txt", "page.html", "image.png", "nothing", "a.constructor"]) {
    expect(await frames.take({ ...video, path }, 0)).toBeUndefined();
  }
});

test("a second one waits, a third one is refused, and stopping ends all", async () => {
  const { frames } = await framesBy("exec sleep 1000");
  const [first, second] = [frames.take(video, 0), frames.take(video, 1)];

  await expect(frames.take(video, 2)).rejects.toMatchObject({ code: "UNAVAILABLE", retryAfterMs: 1_000 });
  frames.stop();

  expect(await Promise.all([first, second])).toEqual([undefined, undefined]);
});

test("a client that is gone has no frame and no place in the line", async () => {
  const { frames } = await framesBy('case "$*" in *"-ss 3.000"*) cat frame;; *) exec sleep 1000;; esac');
  const [runs, waits] = [new AbortController(), new AbortController()];
  const first = frames.take(video, 0, runs.signal);
  const second = frames.take(video, 1_000, waits.signal);

  waits.abort();
  await expect(second).rejects.toMatchObject({ code: "UNAVAILABLE" });
  const third = frames.take(video, 3_000);
  runs.abort();

  await expect(first).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await expect(frames.take(video, 0, runs.signal)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(await third).toEqual(png());
});

test("ffmpeg takes the frame at an instant, and the last one at the end", async () => {
  const file = join(await tempDir(), "a.mkv");
  const scene = ["-f", "lavfi", "-i", "testsrc=duration=2:size=64x48:rate=5"];
  vi.stubEnv("PATH", `${dirname(ffmpeg.path)}:${process.env["PATH"]}`);
  execFileSync(ffmpeg.path, ["-loglevel", "error", ...scene, "-c:v", "mjpeg", "-pix_fmt", "yuvj420p", file]);
  const frames = createFrames({ ...limits, log });
  const taken = (atMs: number) => frames.take({ path: "a.mkv", input: `file:${file}`, protocols: "file" }, atMs);

  const [start, middle, end] = [await taken(0), await taken(1_000), await taken(2_000)];

  for (const frame of [start, middle, end]) {
    expect(imageFormat(frame ?? Buffer.alloc(0))).toEqual({ ending: "jpg", width: 64, height: 48 });
  }
  expect(start).not.toEqual(middle);
});
