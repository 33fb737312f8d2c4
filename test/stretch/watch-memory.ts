const SAMPLE_MS = 250;
const MIB = 1_024 * 1_024;

/** Samples the memory of this process until it is stopped. */
export function watchMemory() {
  const samples: number[] = [];
  const sample = () => samples.push(Math.round(process.memoryUsage.rss() / MIB));
  sample();
  const timer = setInterval(sample, SAMPLE_MS);
  return {
    stop() {
      clearInterval(timer);
      sample();
      const half = samples.length >> 1;
      return {
        samples: samples.length,
        mostMib: Math.max(...samples),
        firstHalfMib: Math.max(...samples.slice(0, half)),
        secondHalfMib: Math.max(...samples.slice(half)),
      };
    },
  };
}
