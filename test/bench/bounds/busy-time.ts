/**
 * Returns the processor time of this thread, in which the event loop runs. Neither other processes nor the threads of
 * the garbage collector add to it.
 */
export function busyMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
