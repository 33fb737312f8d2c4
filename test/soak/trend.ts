// Whether the figures of a soak are flat at its end.
import type { Sample } from "./sample.ts";

/** Columns of the table: medians of so many equal parts of the time. */
const PARTS = 6;
/** A figure grows when its last part exceeds the last but two by this share, and by so much. */
const SHARE = 0.1;
const LEAST_GROWTH = 4;
/**
 * Messages. A reader's lag is the messages since its last commit: at 18 a second, the sample may find none or a dozen.
 * A reader that is one hundredth too slow exceeds this within the last ten minutes of half an hour.
 */
const LEAST_LAG_GROWTH = 60;
const LAG = / lag$/;
/** Pages that the allocator keeps are not what a process holds: the heap and the external memory say that. */
const NOT_CHECKED = / resident MiB$/;

/** The names of the figures whose medians still rise from the fourth to the fifth and from there to the sixth part. */
export function growing(samples: readonly Sample[]): string[] {
  return namesOf(samples).filter((name) => {
    if (NOT_CHECKED.test(name)) return false;
    const [before = 0, between = 0, last = 0] = partsOf(samples, name).slice(-3);
    const least = LAG.test(name) ? LEAST_LAG_GROWTH : LEAST_GROWTH;
    const bound = before + Math.max(least, SHARE * before);
    return between > before && last > between && last > bound;
  });
}

/** One row per figure, in Markdown. */
export function tableOf(samples: readonly Sample[]): string {
  const head = ["figure", ...Array.from({ length: PARTS }, (_, i) => `${i + 1}/${PARTS}`), "highest"];
  const rows = namesOf(samples).map((name) => {
    const highest = Math.max(...samples.map((sample) => sample[name] ?? 0));
    return [name, ...[...partsOf(samples, name), highest].map(rounded)];
  });
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? "---" : "--:"))), ...rows.map(line)].join("\n");
}

const namesOf = (samples: readonly Sample[]): string[] => [...new Set(samples.flatMap(Object.keys))];

function partsOf(samples: readonly Sample[], name: string): number[] {
  const size = samples.length / PARTS;
  return Array.from({ length: PARTS }, (_, i) => {
    const part = samples.slice(Math.floor(i * size), Math.floor((i + 1) * size));
    const values = part.map((sample) => sample[name] ?? 0).sort((a, b) => a - b);
    return values[Math.floor(values.length / 2)] ?? 0;
  });
}

const rounded = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(1));
