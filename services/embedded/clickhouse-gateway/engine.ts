// The ClickHouse engine in this process, through chdb's native addon: the only way to insert binary formats and to
// count the statements of a text with the engine's own parser. It is no public interface, so its version is pinned.
import { createRequire } from "node:module";

export interface RunResult {
  readonly bytes?: Buffer;
  /** Seconds that the query took. */
  readonly elapsed: number;
  readonly rowsRead?: number;
  readonly bytesRead?: number;
  readonly rowsWritten?: number;
  readonly bytesWritten?: number;
}

/** Handle of the addon; only the addon knows its members. */
type NativeConnection = object;
type NativeStream = object;

interface Native {
  CreateConnection(dir: string, args: readonly string[]): NativeConnection;
  CloseConnection(connection: NativeConnection): void;
  QueryAsyncConnection(connection: NativeConnection, sql: string, format: string): Promise<RunResult>;
  InsertRawAsyncConnection(
    connection: NativeConnection,
    sql: string,
    data: Buffer,
    countLines: boolean,
  ): Promise<RunResult>;
  DurableClassifyAsync(
    connection: NativeConnection,
    sql: string,
    database: string,
  ): Promise<{ readonly statementCount: number }>;
  StreamQuery(connection: NativeConnection, sql: string, format: string): NativeStream;
  StreamFetch(stream: NativeStream): Promise<{ readonly bytes: Buffer; readonly done: boolean }>;
  StreamCancel(stream: NativeStream): void;
}

const PACKAGES: Readonly<Record<string, string>> = {
  "linux-x64": "@chdb/lib-linux-x64-gnu",
  "linux-arm64": "@chdb/lib-linux-arm64-gnu",
  "darwin-x64": "@chdb/lib-darwin-x64",
  "darwin-arm64": "@chdb/lib-darwin-arm64",
};

export interface EngineConnection {
  run(sql: string, format: string): Promise<RunResult>;
  /** The engine takes the data without a copy. The data must not contain an empty line: see insert.ts. */
  insert(sql: string, data: Buffer): Promise<RunResult>;
  /** Resolves with 0 also for a text that cannot be parsed. */
  countStatements(sql: string, database: string): Promise<number>;
  /** Yields chunks of whole rows. The chunks of the format must be joinable. */
  stream(sql: string, format: string): AsyncGenerator<Buffer, void, undefined>;
  /**
   * May be called only when no call on the connection is running: the engine would free the connection under that call.
   */
  close(): void;
}

export interface Engine {
  /** A connection costs 0.1 ms, so each request has its own: settings and left-over rows end with it. */
  connect(): EngineConnection;
  close(): void;
}

/** Opens the data directory; throws when another process has it. */
export function openEngine(dataDir: string, configFile: string): Engine {
  const native = loadNative();
  const keep = native.CreateConnection(dataDir, [`--config-file=${configFile}`]);
  return {
    connect: () => connectionOf(native, native.CreateConnection(dataDir, [])),
    close: () => native.CloseConnection(keep),
  };
}

function connectionOf(native: Native, handle: NativeConnection): EngineConnection {
  return {
    run: (sql, format) => native.QueryAsyncConnection(handle, sql, format),
    insert: (sql, data) => native.InsertRawAsyncConnection(handle, sql, data, false),
    countStatements: async (sql, database) => (await native.DurableClassifyAsync(handle, sql, database)).statementCount,
    stream: (sql, format) => chunksOf(native, native.StreamQuery(handle, sql, format)),
    close: () => native.CloseConnection(handle),
  };
}

async function* chunksOf(native: Native, stream: NativeStream): AsyncGenerator<Buffer, void, undefined> {
  try {
    for (;;) {
      const { bytes, done } = await native.StreamFetch(stream);
      if (done) return;
      yield bytes;
    }
  } finally {
    native.StreamCancel(stream);
  }
}

function loadNative(): Native {
  const name = PACKAGES[`${process.platform}-${process.arch}`];
  if (name === undefined) throw new Error(`chdb does not run on ${process.platform}-${process.arch}`);
  const requireFromChdb = createRequire(createRequire(import.meta.url).resolve("chdb/package.json"));
  return requireFromChdb(name) as Native;
}
