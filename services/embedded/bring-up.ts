// Brings the services up on running stores: topics and tables, a token, the processes.
import { runCommand } from "./commands.ts";
import { type DevToken, developmentToken, keptToken } from "./dev-token.ts";
import { preparationOf } from "./prepared.ts";
import { type Env, type Services, startServices } from "./services.ts";
import { EmbeddedError } from "./tools/errors.ts";

export interface BringUpOptions {
  readonly dataDir: string;
  readonly settings: Env;
  /** True when all stores were started here. */
  readonly areStoresOwn: boolean;
  readonly print: (text: string) => void;
  /** Folder of the logs. */
  readonly logDir: string;
  /** Returns whether the API admits the token. */
  readonly admits: (token: DevToken) => Promise<boolean>;
  /** Called with services that have started, also before a later step fails. */
  readonly onServices: (services: Services) => void;
}

export interface BroughtUp {
  /** The API admits it. */
  readonly token: DevToken;
  readonly apiOpsUrl: string;
}

/** Throws EmbeddedError. */
export async function bringUp(options: BringUpOptions): Promise<BroughtUp> {
  const { dataDir, settings, print } = options;
  const preparation = await preparationOf(dataDir, settings, options.areStoresOwn);
  const prepare = async () => {
    await Promise.all([runCommand("cli/provision/main", settings), runCommand("projector/migrate", settings)]);
    await preparation.remember();
  };
  const kept = preparation.isKnown ? await keptToken(dataDir) : undefined;
  const early = kept === undefined ? undefined : await startEarly(options);
  if (kept !== undefined && early !== undefined) {
    // The commands find nothing to do, as before. Until now they would only have delayed the first answer.
    await prepare();
    const token = (await options.admits(kept)) ? kept : await developmentToken(dataDir, settings);
    return { token, apiOpsUrl: early.apiOpsUrl };
  }
  print("Preparing topics and tables");
  await prepare();
  const token = await developmentToken(dataDir, settings);
  const { apiOpsUrl } = await start(options);
  return { token, apiOpsUrl };
}

async function start({ settings, logDir, print, onServices }: BringUpOptions): Promise<Services> {
  print("Starting the services");
  const services = await startServices(settings, logDir);
  onServices(services);
  return services;
}

/** @returns undefined when the services do not find what the stores had after the last preparation. */
async function startEarly(options: BringUpOptions): Promise<Services | undefined> {
  try {
    return await start(options);
  } catch (error) {
    if (error instanceof EmbeddedError) return undefined;
    throw error;
  }
}
