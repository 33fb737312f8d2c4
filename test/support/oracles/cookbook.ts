// The examples of docs/queries.md, and the comparison of their answers: "…" stands for what the text leaves out.
import { readFileSync } from "node:fs";

export interface Example {
  readonly title: string;
  readonly document: string;
  readonly variables: object;
  /** undefined: a subscription, which is only begun. */
  readonly answer: unknown;
}

export function readExamples(): Example[] {
  const text = readFileSync(new URL("../../../docs/queries.md", import.meta.url), "utf8");
  return text
    .split("\n### ")
    .slice(1)
    .map((section) => {
      const fenced = (kind: string) => section.match(new RegExp(`^\`\`\`${kind}\n(.*?)^\`\`\``, "ms"))?.[1];
      const [title = ""] = section.split("\n");
      const answer = fenced("json answer");
      return {
        title,
        document: fenced("graphql") ?? "",
        variables: JSON.parse(fenced("json variables") ?? "{}"),
        answer: answer === undefined ? undefined : JSON.parse(answer),
      };
    });
}

const ANY = "…";

/** The answer with what the example leaves out put in its place, so that a difference is shown as one of the whole. */
export function leaveOut(answer: unknown, example: unknown): unknown {
  if (example === ANY && answer != null) return ANY;
  if (Array.isArray(answer) && Array.isArray(example)) {
    const open = example.at(-1) === ANY;
    const stated = open ? example.slice(0, -1) : example;
    const shown = open ? answer.slice(0, stated.length) : answer;
    const entries = shown.map((entry, i) => leaveOut(entry, stated[i]));
    return open && answer.length > stated.length ? [...entries, ANY] : entries;
  }
  if (!isObject(answer) || !isObject(example)) return answer;
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, leaveOut(value, example[name])]));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
