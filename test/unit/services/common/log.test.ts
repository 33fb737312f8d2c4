import { ReplyError } from "ioredis";
import { pino } from "pino";
import { expect, test } from "vitest";
import { logOptions } from "../../../../services/common/log.ts";
import { createHttpApp } from "../../../../services/common/process/http-app.ts";

const PASSWORD = "never-shown";

function logTo() {
  const lines: string[] = [];
  const log = pino(logOptions("test", "info"), { write: (line) => void lines.push(line) });
  return { log, text: () => lines.join(""), last: () => JSON.parse(lines.at(-1) ?? "") };
}

/** An error as ioredis makes it when the server refuses the handshake. */
const refused = (message = "WRONGPASS invalid username-password pair") =>
  Object.assign(new ReplyError(message), {
    code: "EAUTH",
    command: { name: "hello", args: ["3", "AUTH", "user", PASSWORD] },
  });

/** An error as ioredis makes it when no node of a Cluster lets it in. */
const allFailed = () => Object.assign(new Error("Failed to refresh slots cache."), { lastNodeError: refused() });

const missing = `ERR unknown command 'HELLO', with args beginning with: '3' 'AUTH' 'user' '${PASSWORD}'`;

test.each([
  ["an error of a server", refused()],
  ["its text about a command that it lacks", refused(missing)],
  ["a text instead of an error", missing],
  ["all nodes of a Cluster", allFailed()],
  ["a cause", new Error("outer", { cause: allFailed() })],
  ["an enumerable cause", Object.assign(new Error("outer"), { cause: { deep: [refused()] } })],
  ["several errors", new AggregateError([refused(), allFailed()])],
  ["enumerable errors", Object.assign(new Error("outer"), { errors: [refused()] })],
  ["a transaction", Object.assign(new Error("EXECABORT"), { previousErrors: [refused()] })],
  ["an error with a member that is an error", Object.assign(new Error("outer"), { inner: { error: refused() } })],
])("the log shows no arguments of a command: %s", (_name, err) => {
  const { log, text } = logTo();

  log.warn({ err }, "redis connection");
  log.child({ part: "a" }).warn({ err }, "redis connection");
  createHttpApp(log, {}).log.warn({ err }, "redis connection");

  expect(text()).toContain("redis connection");
  expect(text()).not.toContain(PASSWORD);
});

test("an error in the log keeps its message, its stack, its causes and its other members", () => {
  const { log, last } = logTo();
  const err = Object.assign(new Error("outer", { cause: refused() }), { code: "E_OUTER", details: { nth: [1] } });

  log.warn({ err }, "refused");

  expect(last().err).toMatchObject({ type: "Error", code: "E_OUTER", details: { nth: [1] } });
  expect(last().err.message).toBe("outer: WRONGPASS invalid username-password pair");
  expect(last().err.stack).toContain("caused by: ReplyError: WRONGPASS");
});

test("an error that is its own member is logged", () => {
  const { log, last } = logTo();
  const err = Object.assign(new Error("round"), { self: {} });
  err.self = { err };

  log.warn({ err }, "refused");

  expect(last().err.message).toBe("round");
});
