// The embedded engine has no Keeper: it parses ON CLUSTER and replicated engines, and runs neither. This is what
// remains of a statement when there is one server, and one replica of each shard. Distributed tables run as they are.
import { withLocalNames } from "../../projections/history/layout/placement.ts";

const ON_CLUSTER = / ON CLUSTER '[^']*'/g;
const REPLICATED = /\bReplicated(\w*MergeTree)\('[^']*', '\{replica\}'(?:, )?/g;

export const plainForm = (statement: string): string =>
  statement
    .replace(ON_CLUSTER, "")
    .replace(REPLICATED, "$1(")
    .replace(/\breplicated_deduplication_window/g, "non_replicated_deduplication_window");

/** Statements of tests about the tables themselves, which they know by the names on one server. */
const ABOUT_TABLES =
  /^\s*(?:OPTIMIZE|SYSTEM|DELETE FROM|EXCHANGE|TRUNCATE|ALTER TABLE \w+ DROP |CREATE TABLE aside)|\bsystem\.(?:parts|mutations)\b/;

export const inLocalNames = (statement: string): string =>
  ABOUT_TABLES.test(statement) ? withLocalNames(statement) : statement;
