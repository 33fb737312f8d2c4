// A launcher for tests that kill it: starts Redis and ClickHouse only, notifies its parent, and waits.
import { startStores } from "../../../services/embedded/stores.ts";

const [dataDir = ""] = process.argv.slice(2);
const stores = await startStores({
  dataDir,
  env: { ...process.env, KAFKA_BROKERS: "unused:1", SCHEMA_REGISTRY_URL: "http://unused" },
});
process.send?.({ pids: Object.values(stores.pids()), guardPid: stores.guardPid });
await stores.failed;
