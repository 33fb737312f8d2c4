// The commands of docs/operations, run as they are written there. A test replaces the words that are only examples.
import { execFile, spawn } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { ROOT, readText } from "../../structure/repository.ts";
import { processEnv } from "../../support/running/processes.ts";

type Variables = Readonly<Record<string, string>>;

/** An example in a page, and the text that takes its place here. */
export type Examples = Readonly<Record<string, string>>;

export interface Ended {
  readonly code: number;
  readonly output: string;
}

const scripts: Readonly<Record<string, string>> = JSON.parse(readText("package.json")).scripts;

/** Code is indented by four columns, and by three more within a list. */
const CODE = /^ {4}(?: {3})?(\S.*)$/gm;

const inPages: ReadonlySet<string> = new Set(
  globSync("docs/operations/*.md", { cwd: ROOT }).flatMap((page) =>
    [...readFileSync(`${ROOT}${page}`, "utf8").matchAll(CODE)].map(([, line = ""]) => line),
  ),
);
const ran = new Set<string>();

/** The lines that no test has run so far. */
export const notRun = (): string[] => [...inPages].filter((line) => !ran.has(line));

/** Returns the line with its examples replaced. Throws when no page has the line. */
export function fromPage(line: string, examples: Examples = {}): string {
  if (!inPages.has(line)) throw new Error(`no page of docs/operations has the line: ${line}`);
  ran.add(line);
  return Object.entries(examples).reduce((text, [example, value]) => text.replaceAll(example, value), line);
}

/** npm itself would take longer than most commands. */
function withoutNpm(command: string): string {
  const [, name = "", args = ""] = /^npm run ([\w:-]+)(?: -- (.*))?$/.exec(command) ?? [];
  const script = scripts[name];
  if (name !== "" && script === undefined) throw new Error(`there is no npm run ${name}`);
  return script === undefined ? command : `${script.replace(/^node/, process.execPath)} ${args}`;
}

export async function runLine(line: string, variables: Variables, examples: Examples = {}): Promise<Ended> {
  const command = withoutNpm(fromPage(line, examples));
  const done = promisify(execFile)("sh", ["-c", command], { cwd: ROOT, env: envOf(variables) });
  return done.then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, output: `${stdout}${stderr}` }),
  );
}

/** Starts a command that runs until it is stopped. */
export function startLine(line: string, variables: Variables, examples: Examples = {}) {
  const command = `exec ${withoutNpm(fromPage(line, examples))}`;
  const child = spawn("sh", ["-c", command], { cwd: ROOT, env: envOf(variables) });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += String(chunk)));
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  return {
    output: () => output,
    /** Resolves with the exit code. */
    stop: () => {
      child.kill("SIGTERM");
      return ended;
    },
  };
}

const envOf = (variables: Variables) => ({ ...processEnv, LOG_LEVEL: "warn", ...variables });
