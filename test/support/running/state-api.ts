// The REST interface of a system as a process, for tests that need it beside the other services.
import { freePort } from "../../../services/embedded/tools/free-port.ts";
import type { System } from "./launch-system.ts";

/** Started; resolves with its `http://host:port`. It is stopped with the system. */
export async function startStateApi(
  system: Pick<System, "start">,
  settings: Readonly<Record<string, string>> = {},
): Promise<string> {
  const port = String(await freePort());
  await system.start("state-api", { STATE_API_HOST: "127.0.0.1", STATE_API_PORT: port, ...settings });
  return `http://127.0.0.1:${port}`;
}
