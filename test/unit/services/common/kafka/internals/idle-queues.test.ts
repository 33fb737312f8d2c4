import { createRequire } from "node:module";
import { afterEach, expect, test, vi } from "vitest";
import { useIdleQueues } from "../../../../../../services/common/kafka/internals/idle-queues.ts";

const require = createRequire(import.meta.url);
const RequestQueue = require("kafkajs/src/network/requestQueue/index.js");

const logger = { namespace: () => logger, debug: () => {} };
const createQueue = () =>
  new RequestQueue({ maxInFlightRequests: 1, requestTimeout: 1_000, clientId: "test", broker: "test", logger });

useIdleQueues();
afterEach(() => vi.useRealTimers());

test("a queue whose requests are all answered looks no further", () => {
  vi.useFakeTimers();
  const queue = createQueue();
  const request = requestOf(1);

  queue.push(request);
  queue.fulfillRequest({ correlationId: 1, payload: Buffer.alloc(0), size: 0 });

  expect(request.sendRequest).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});

test("a request that waits for the one before is sent when that is answered", () => {
  const queue = createQueue();
  const second = requestOf(2);
  queue.push(requestOf(1));
  queue.push(second);
  expect(second.sendRequest).not.toHaveBeenCalled();

  queue.fulfillRequest({ correlationId: 1, payload: Buffer.alloc(0), size: 0 });

  expect(second.sendRequest).toHaveBeenCalledOnce();
  queue.destroy();
});

test("a request that comes while the broker throttles is sent when the time is over", () => {
  vi.useFakeTimers();
  const queue = createQueue();
  const request = requestOf(1);
  queue.maybeThrottle(500);
  queue.push(request);

  vi.advanceTimersByTime(499);
  expect(request.sendRequest).not.toHaveBeenCalled();

  vi.advanceTimersByTime(20);
  expect(request.sendRequest).toHaveBeenCalledOnce();
  queue.destroy();
});

const requestOf = (correlationId: number) => ({
  entry: { correlationId, resolve: () => {}, reject: () => {} },
  expectResponse: true,
  sendRequest: vi.fn(),
});
