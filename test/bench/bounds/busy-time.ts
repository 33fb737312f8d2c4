/** Processor time of this thread, in which the event loop runs: neither other processes nor the collector's helpers add to it. */
export function busyMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
