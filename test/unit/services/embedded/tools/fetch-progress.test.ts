import { expect, test } from "vitest";
import { createFetchProgress } from "../../../../../services/embedded/tools/fetch-progress.ts";

const REPOSITORY = "https://repo.maven.apache.org/maven2/org/apache/kafka";
const line = (file: string, size: string): string =>
  `[INFO] Downloaded from central: ${REPOSITORY}/${file} (${size} at 1.2 MB/s)`;

test("a download of many files shows a line each few seconds, and what it was in the end", () => {
  const progress = createFetchProgress("Kafka", 1_000);

  const shown = Array.from({ length: 150 }, (_, i) => progress.line(line(`${i}.jar`, "500 kB"), 1_000 + i * 100));

  expect(shown.filter((text) => text !== undefined)).toEqual([
    "fetching Kafka: 51 files, 26 MB so far",
    "fetching Kafka: 101 files, 51 MB so far",
  ]);
  expect(progress.total()).toBe("150 files, 75 MB");
});

test("descriptions of files and what Maven says beside count for nothing", () => {
  const progress = createFetchProgress("Kafka", 0);
  expect(progress.total()).toBe("Maven had all files already");

  progress.line(line("kafka.pom", "8.6 kB"), 10_000);
  progress.line(`[INFO] Downloading from central: ${REPOSITORY}/kafka.jar`, 20_000);
  expect(progress.line(line("kafka.jar", "1.6 GB"), 30_000)).toBe("fetching Kafka: 1 file, 1600 MB so far");
});
