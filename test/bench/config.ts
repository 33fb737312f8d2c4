/** A benchmark's parameter from the environment: a number with a default. */
export function parameter(name: `BENCH_${string}`, otherwise: number): number {
  const value = Number(process.env[name] ?? otherwise);
  if (!(value > 0)) throw new Error(`${name} must be a positive number`);
  return value;
}
