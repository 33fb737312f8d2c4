// docs/configuration.md: every variable with its default, unit, values, meaning, and relations to others, as the
// configurations declare them.
import { z } from "zod";
import { DAY_MS, HOUR_MS, MIB, MINUTE_MS } from "../../schemas/units.ts";
import { dataDirEnv, wantedBy } from "../../services/common/config.ts";
import { relationsOf } from "../../services/common/config-conflicts.ts";
import { type ConfigSection, type ConfiguredProcess, configSections, configuredProcesses } from "./configurations.ts";

export interface VariableEntry {
  readonly name: string;
  readonly config: z.ZodObject;
  readonly about: string;
  /** Empty for texts and choices. */
  readonly unit: string;
  /** @returns undefined when the variable is required. */
  readonly fallback: unknown;
  readonly isRequired: boolean;
  /** @returns undefined when any text is accepted. */
  readonly values: string | undefined;
  readonly relations: readonly string[];
  readonly readBy: readonly ConfiguredProcess[];
}

export function configurationManual(): string {
  const sections = variablesBySection();
  const known = new Set([...sections.values()].flat().map(({ name }) => name));
  const anchored = new Set<string>();
  const parts = [...sections].map(([section, variables]) => sectionText(section, variables, known, anchored));
  return `${[INTRODUCTION, processTable(sections), ...parts, IMPORT_TOKEN].join("\n\n")}\n`;
}

/** Each variable is in the first section whose configuration has it; the launcher repeats those of others. */
export function variablesBySection(): ReadonlyMap<ConfigSection, readonly VariableEntry[]> {
  const placed = new Set<string>();
  return new Map(
    configSections.map((section) => {
      const isRepeated = (name: string) => section.isOfLauncher === true && !(name in dataDirEnv.shape);
      const own = Object.keys(section.config.shape).filter((name) => !placed.has(name) || isRepeated(name));
      for (const name of own) placed.add(name);
      return [section, own.map((name) => entryOf(name, section.config))];
    }),
  );
}

const metaOf = z.looseObject({ about: z.string().default(""), unit: z.string().optional() });

function entryOf(name: string, config: z.ZodObject): VariableEntry {
  const schema = config.shape[name];
  const { about, unit } = metaOf.parse(z.globalRegistry.get(schema) ?? {});
  const { success, data } = z.safeParse(schema, undefined);
  const wanted = wantedBy(config, name);
  return {
    name,
    config,
    about,
    unit: unit ?? unitOf(name, typeof data === "number"),
    fallback: data,
    isRequired: !success,
    values: wanted,
    relations: [...relationsOf(name), ...refinementsOf(name, config)],
    readBy: configuredProcesses.filter((process) => name in process.config.shape),
  };
}

const UNITS: Readonly<Record<string, string>> = { MS: "ms", S: "s", SECONDS: "s", PERCENT: "%", PORT: "port" };

/** Names carry their units: API_QUEUE_MS, REPLAY_SESSIONS, API_SUBSCRIPTION_BYTES_PER_TOKEN. */
function unitOf(name: string, isNumber: boolean): string {
  if (!isNumber) return "";
  const word =
    name
      .replace(/_PER_[A-Z]+$/, "")
      .split("_")
      .at(-1) ?? "";
  return UNITS[word] ?? (word.endsWith("S") ? word.toLowerCase() : "");
}

const refinement = z.looseObject({
  path: z.array(z.string()),
  error: z.function({ input: [z.unknown()], output: z.string() }),
});

/** The checks of a configuration as a whole name one variable, and how it must fit another. */
function refinementsOf(name: string, config: z.ZodObject): readonly string[] {
  return (config.def.checks ?? []).flatMap((check) => {
    const { success, data } = refinement.safeParse(check._zod.def);
    return success && data.path.includes(name) ? [data.error({})] : [];
  });
}

const INTRODUCTION = `# Configuration

\`npm run docs\` makes this page from the configurations in services/ (zod schemas).

A process reads its variables from the environment once, when it starts. If a value is not usable, the process ends with code 1 and
a list of all variables at fault. An empty variable counts as not set. Each variable may be in a file instead: \`NAME_FILE\` names the
file, and \`NAME\` is then not set. [.env.example](../.env.example) lists all variables with their defaults.`;

const IMPORT_TOKEN = `## npm run import

\`TRACKLOG_TOKEN_ID\` and \`TRACKLOG_TOKEN_VALUE\` are the token with which the command calls the API. Without them it takes the token
that \`npm start\` wrote to the data directory. All else is given as options.`;

function processTable(sections: ReadonlyMap<ConfigSection, readonly VariableEntry[]>): string {
  const rows = configuredProcesses.map(({ name, command, config }) => {
    const links = [...sections].flatMap(([{ title, isOfLauncher = false }, variables]) => {
      const isOwn = (variable: string) => name !== "launcher" || variable in dataDirEnv.shape;
      const isRead = isOfLauncher
        ? name === "launcher"
        : variables.some((each) => each.name in config.shape && isOwn(each.name));
      return isRead ? [`[${title}](#${anchorOf(title)})`] : [];
    });
    return row([name, `\`${command}\``, links.join(", ")]);
  });
  return ["## Processes", "", row(["process", "started by", "reads"]), "|---|---|---|", ...rows].join("\n");
}

function sectionText(
  { title, about }: ConfigSection,
  variables: readonly VariableEntry[],
  known: ReadonlySet<string>,
  anchored: Set<string>,
): string {
  const readers = new Set(variables.map(readersOf));
  const isUniform = readers.size === 1;
  const head = ["variable", "default", "unit", "values", "meaning", ...(isUniform ? [] : ["read by"])];
  const rows = variables.map((entry) => {
    const anchor = anchored.has(entry.name) ? "" : `<a id="${entry.name.toLowerCase()}"></a>`;
    anchored.add(entry.name);
    return row([
      `${anchor}\`${entry.name}\``,
      defaultOf(entry),
      entry.unit,
      entry.values ?? "any text",
      meaningOf(entry, known),
      ...(isUniform ? [] : [readersOf(entry)]),
    ]);
  });
  const intro = [about, isUniform ? `Read by: ${[...readers].join("")}.` : ""].filter((text) => text !== "").join(" ");
  return [
    `## ${title}`,
    "",
    ...(intro === "" ? [] : [intro, ""]),
    row(head),
    `|${"---|".repeat(head.length)}`,
    ...rows,
  ].join("\n");
}

const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;

const anchorOf = (title: string): string => title.toLowerCase().replaceAll(" ", "-");

const services = configuredProcesses.filter(({ kind }) => kind === "service");

/** Names all services at once when all of them read the variable. */
function readersOf({ readBy }: VariableEntry): string {
  const isByAll = services.every((service) => readBy.includes(service));
  const named = isByAll ? readBy.filter(({ kind }) => kind !== "service") : readBy;
  return [...(isByAll ? ["all services"] : []), ...named.map(({ name }) => name)].join(", ");
}

function meaningOf({ name, about, relations }: VariableEntry, known: ReadonlySet<string>): string {
  const linked = (text: string) =>
    text.replace(/\b[A-Z]+(?:_[A-Z]+)+\b/g, (word) =>
      word !== name && known.has(word) ? `[\`${word}\`](#${word.toLowerCase()})` : word,
    );
  return [about, ...relations.map((relation) => `It ${relation}.`)].map(linked).join(" ");
}

function defaultOf({ isRequired, fallback, unit }: VariableEntry): string {
  if (isRequired) return "required";
  const text = String(fallback);
  if (text === "") return "empty";
  const words = typeof fallback === "number" ? inWords(fallback, unit) : "";
  return `\`${text}\`${words === "" ? "" : ` (${words})`}`;
}

/** Larger numbers in larger units. */
function inWords(value: number, unit: string): string {
  if (unit === "bytes" && value >= 1_024) return value % MIB === 0 ? `${value / MIB} MiB` : `${value / 1_024} KiB`;
  const ms = unit === "ms" ? value : unit === "s" ? value * 1_000 : 0;
  const scales: readonly (readonly [number, string])[] = [
    [DAY_MS, "days"],
    [HOUR_MS, "h"],
    [MINUTE_MS, "min"],
    [1_000, "s"],
  ];
  const scale = scales.find(([size]) => ms >= size && ms % size === 0);
  if (scale === undefined || (unit === "s" && scale[1] === "s")) return "";
  return `${ms / scale[0]} ${scale[1]}`;
}
