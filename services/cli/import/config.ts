// The command line and the token, checked before the command reads or sends anything.
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { messageOf } from "../../../schemas/errors.ts";
import { isoTime } from "../../../schemas/identity.ts";
import { DEFAULT_API_URL, dataDirEnv, loadConfig } from "../../common/config.ts";
import { ImportError } from "./errors.ts";
import type { FormatName } from "./formats/formats.ts";

const USAGE = `npm run import -- FILE --format mot|sdd --data-source NAME --fps N --start ISO-TIME
    [--zones zones.geojson] [--speed N|max] [--tag T] [--recording NAME]
    [--skip-bad-lines] [--url URL]`;

const FORMATS = ["mot", "sdd"] as const satisfies readonly FormatName[];

export interface ImportToken {
  readonly id: string;
  readonly value: string;
}

export interface ImportConfig {
  readonly file: string;
  readonly format: FormatName;
  readonly dataSource: string;
  readonly fps: number;
  /** Milliseconds since the epoch. */
  readonly start: number;
  /** Name of the recording within its data source; importing the same name again adds nothing. */
  readonly recording: string;
  readonly zonesFile: string | undefined;
  /** Multiple of the recording's own pace; Infinity for full speed. */
  readonly speed: number;
  readonly tag: string;
  readonly skipBadLines: boolean;
  readonly url: string;
  readonly token: ImportToken;
  /** The maximum number of detections in one createDetections. They take about 20 kB in the log. */
  readonly maxDetections: number;
  /** Milliseconds that an answer may take, and for which a mutation is repeated before the import gives up. */
  readonly answerWithinMs: number;
  readonly giveUpAfterMs: number;
}

// zod reports a missing option as a value of the wrong type. This message names the option as the user types it.
const required = (what: string) => ({ error: `give ${what}` });

const optionsSchema = z.object({
  file: z.string(required("the file to import")).min(1),
  format: z.enum(FORMATS, required("--format mot or --format sdd")),
  "data-source": z.string(required("--data-source NAME")).trim().min(1, "give --data-source a name"),
  fps: z.coerce.number("--fps is a number, such as 30 or 29.97").min(0.01).max(1_000),
  start: z.iso
    .datetime({ offset: true, error: "give --start as ISO 8601 time with offset, such as 2026-01-01T00:00:00Z" })
    .transform((text) => Date.parse(text)),
  zones: z.string().optional(),
  speed: z
    .union([z.literal("max"), z.coerce.number().positive()], { error: '--speed is a number above 0, or "max"' })
    .default("max")
    .transform((speed) => (speed === "max" ? Number.POSITIVE_INFINITY : speed)),
  tag: z.string().trim().min(1, "give --tag a name").toLowerCase().default("pedestrian"),
  recording: z.string().trim().min(1, "give --recording a name").optional(),
  "skip-bad-lines": z.boolean().default(false),
  url: z.url({ protocol: /^https?$/, error: "--url is an http or https URL" }).default(DEFAULT_API_URL),
});

const tokenSchema = z.object({ id: z.string().min(1), value: z.string().min(1) });

/** @throws ImportError with every fault of the command line, or with the possible sources of a token. */
export async function loadImportConfig(args: readonly string[], env: NodeJS.ProcessEnv): Promise<ImportConfig> {
  const parsed = optionsSchema.safeParse(readArguments(args));
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => describe(String(path[0]), message));
    throw new ImportError(`${[...new Set(problems)].join("; ")}.\n${USAGE}`);
  }
  const options = parsed.data;
  return {
    file: options.file,
    format: options.format,
    dataSource: options["data-source"],
    fps: options.fps,
    start: options.start,
    recording: options.recording ?? `${basename(options.file)} ${isoTime(options.start)}`,
    zonesFile: options.zones,
    speed: options.speed,
    tag: options.tag,
    skipBadLines: options["skip-bad-lines"],
    url: options.url,
    token: await loadToken(env),
    maxDetections: 200,
    answerWithinMs: 30_000,
    giveUpAfterMs: 120_000,
  };
}

/** The messages of zod do not name the option. */
const describe = (option: string, message: string): string =>
  message.includes("--") || option === "file" ? message : `--${option}: ${message}`;

function readArguments(args: readonly string[]): Record<string, unknown> {
  const text = { type: "string" } as const;
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        format: text,
        "data-source": text,
        fps: text,
        start: text,
        zones: text,
        speed: text,
        tag: text,
        recording: text,
        url: text,
        "skip-bad-lines": { type: "boolean" },
      },
    });
    if (positionals.length > 1) throw new Error(`One file at a time, not ${positionals.join(" and ")}`);
    return { ...values, file: positionals[0] };
  } catch (cause) {
    throw new ImportError(`${messageOf(cause).replace(/\.$/, "")}.\n${USAGE}`, { cause });
  }
}

/** Takes the token of the environment, else that of `npm start`. @throws ImportError when there is neither. */
export async function loadToken(env: NodeJS.ProcessEnv): Promise<ImportToken> {
  const { TRACKLOG_TOKEN_ID: id, TRACKLOG_TOKEN_VALUE: value } = env;
  if (id && value) return { id, value };
  const file = join(loadConfig(dataDirEnv, env).TRACKLOG_DATA_DIR, "dev-token.json");
  try {
    return tokenSchema.parse(JSON.parse(await readFile(file, "utf8")));
  } catch (cause) {
    const advice = `set TRACKLOG_TOKEN_ID and TRACKLOG_TOKEN_VALUE, or run "npm start" here first, which writes ${file}`;
    throw new ImportError(`There is no token to call the API with: ${advice}.`, { cause });
  }
}
