import { MIB } from "../../../schemas/units.ts";

const MARK_CACHE_BYTES = 128 * MIB;
const POOL_SIZE = 2;

/** The engine's configuration file. A server's defaults would claim the whole machine. `more` has further elements. */
export const engineConfig = (maxMemoryBytes: number, more: string): string => `<clickhouse>
  <max_server_memory_usage>${maxMemoryBytes}</max_server_memory_usage>
  <mark_cache_size>${MARK_CACHE_BYTES}</mark_cache_size>
  <background_pool_size>${POOL_SIZE}</background_pool_size>
  <merge_tree>
    <!-- Their defaults ask for more free threads than the small pool has: mutations would wait for ever. -->
    <number_of_free_entries_in_pool_to_execute_mutation>${POOL_SIZE}</number_of_free_entries_in_pool_to_execute_mutation>
    <number_of_free_entries_in_pool_to_lower_max_size_of_merge>${POOL_SIZE}</number_of_free_entries_in_pool_to_lower_max_size_of_merge>
    <number_of_free_entries_in_pool_to_execute_optimize_entire_partition>${POOL_SIZE}</number_of_free_entries_in_pool_to_execute_optimize_entire_partition>
  </merge_tree>
  ${more}
</clickhouse>
`;
