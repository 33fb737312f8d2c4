// Directories for the data of stores that end with the tests. In memory, an insert into ClickHouse costs a third of the
// processor time that it costs on a disk. A process that is killed loses nothing there; only a machine would.
import { mkdtemp, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MIB } from "../../../schemas/units.ts";

const GIB = 1024 * MIB;
const IN_MEMORY = "/dev/shm";
/** Linux' number for file systems in memory. */
const TMPFS = 0x01021994;
/** The data of a whole run is smaller than one GiB. */
const ROOM_BYTES = 4 * GIB;
/** The processes of a whole run need about six GiB. */
const MEMORY_BYTES = 12 * GIB;

/** The caller removes it. */
export const scratchDir = async (prefix: string): Promise<string> => mkdtemp(join(await scratchRoot(), prefix));

async function scratchRoot(): Promise<string> {
  const found = await statfs(IN_MEMORY).catch(() => undefined);
  const hasRoom = found !== undefined && found.type === TMPFS && found.bavail * found.bsize >= ROOM_BYTES;
  return hasRoom && process.availableMemory() >= MEMORY_BYTES ? IN_MEMORY : tmpdir();
}
