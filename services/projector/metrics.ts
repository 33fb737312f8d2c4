// The metrics of the history's writer.
import { counter, durations, sizes } from "../common/metrics/define.ts";

export const insertSeconds = durations("insert_seconds", "Time until ClickHouse has the rows of a flush.");

export const flushRows = sizes("flush_rows", "Rows in a flush, of all tables together.");

export const deadLetters = counter("dead_letters_total", "Messages that could not be read, by their topic.", ["topic"]);
