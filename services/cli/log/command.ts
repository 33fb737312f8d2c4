// The command line of npm run log.
import { parseArgs } from "node:util";
import { messageOf } from "../../../schemas/errors.ts";
import { type ContainerCodec, codecNames } from "../../recorded/stretch/container.ts";
import { type AskedSelection, parseSelection, selectionOptions } from "../replay/asked-selection.ts";

const USAGE = `npm run log -- export SELECTION --out FILE [--force] [--codec deflate|null]
SELECTION, one of
  --data-source NAME --from TIME --to TIME   this event time, without its end; repeat it for more data sources
  --partition P --offsets A..B               these messages of the camera-log, without B; repeat the pair
  --tracks ID,ID                             these tracks
npm run log -- import FILE [--namespace NAME] [--at now] [--force]
npm run log -- show FILE`;

export type LogCommand =
  | {
      readonly name: "export";
      readonly selection: AskedSelection;
      readonly out: string;
      readonly codec: ContainerCodec;
      readonly replaces: boolean;
    }
  | {
      readonly name: "import";
      readonly path: string;
      /** Undefined for that of the settings. */
      readonly namespace: string | undefined;
      readonly isNow: boolean;
      readonly forces: boolean;
    }
  | { readonly name: "show"; readonly path: string };

/** Throws with one sentence about the fault, and the usage. */
export function parseLogCommand([name, ...args]: readonly string[]): LogCommand {
  try {
    if (name === "export") return parseExport(args);
    if (name === "import") return parseImport(args);
    if (name === "show") return { name, path: parseFile(args, {}).path };
    throw new Error("Say export, import or show");
  } catch (error) {
    // After its first sentence parseArgs gives advice about dashes.
    const [sentence] = messageOf(error).split(/\.(?:\s|$)|\n/);
    throw new Error(`${sentence}.\n${USAGE}`, { cause: error });
  }
}

const text = { type: "string" } as const;
const flag = { type: "boolean", default: false } as const;

function parseExport(args: readonly string[]): LogCommand {
  const { values } = parseArgs({
    args: [...args],
    options: { ...selectionOptions, to: text, out: text, codec: text, force: flag },
  });
  const codec = codecNames.find((each) => each === (values.codec ?? "deflate"));
  if (codec === undefined) throw new Error("--codec takes deflate or null");
  if (values.out === undefined || values.out === "") throw new Error("--out needs a file");
  return {
    name: "export",
    selection: parseSelection(values, values.to),
    out: values.out,
    codec,
    replaces: values.force,
  };
}

function parseImport(args: readonly string[]): LogCommand {
  const { path, values } = parseFile(args, { namespace: text, at: text, force: flag });
  const { namespace, at, force } = values;
  if (at !== undefined && at !== "now") throw new Error("--at takes now");
  if (namespace !== undefined && !/^[a-zA-Z0-9_-]+$/.test(namespace)) {
    throw new Error("--namespace needs a name of letters, digits, - and _");
  }
  return { name: "import", path, namespace, isNow: at === "now", forces: force === true };
}

type TextsAndFlags = Readonly<Record<string, typeof text | typeof flag>>;

function parseFile<T extends TextsAndFlags>(args: readonly string[], options: T) {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [path, ...more] = positionals;
  if (path === undefined || path === "" || more.length > 0) throw new Error("Name one file");
  return { path, values };
}
