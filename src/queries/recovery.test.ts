import { QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { ApiError, offlineError } from "../api/api-error.ts";
import { createQueryClient } from "./query-client.ts";
import { createRecovery } from "./recovery.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Creates the recovery of a service that can be cut off, with a function that shows a query of it. */
function setUp() {
  const service = { error: null as Error | null, probeCount: 0 };
  const queryClient = createQueryClient();
  const api = {
    isReachable: async () => {
      service.probeCount += 1;
      return service.error === null || (service.error instanceof ApiError && service.error.status === 500);
    },
  };
  const recovery = createRecovery({ api, queryClient } as unknown as Parameters<typeof createRecovery>[0]);
  onTestFinished(() => recovery.dispose());
  const show = (name: string, error?: Error) => {
    const load = vi.fn(async () => {
      if (error ?? service.error) throw error ?? service.error;
      return name;
    });
    const observer = new QueryObserver(queryClient, { queryKey: [name], queryFn: load, retry: false });
    onTestFinished(observer.subscribe(() => {}));
    return { load, data: () => observer.getCurrentResult().data };
  };
  return { service, recovery, show };
}

const serverError = () => new ApiError({ kind: "problem", status: 500, title: "Failed" });
const refusal = () => new ApiError({ kind: "problem", status: 404, title: "Not found" });

test("every shown query that failed while the service was out of reach is repeated once it responds, and no probe follows", async () => {
  const { service, show } = setUp();
  service.error = offlineError(null);
  const [chat, files] = [show("chat"), show("files")];
  await vi.advanceTimersByTimeAsync(120_000);
  expect(chat.load).toHaveBeenCalledTimes(1);
  // Probes become rarer: at most one in ten seconds after the first few.
  expect(service.probeCount).toBeLessThan(16);
  service.error = null;
  await vi.advanceTimersByTimeAsync(20_000);
  expect([chat.data(), files.data()]).toEqual(["chat", "files"]);
  const { probeCount } = service;
  await vi.advanceTimersByTimeAsync(120_000);
  expect(service.probeCount).toBe(probeCount);
});

test("without an error that the connection explains nothing is probed or repeated", async () => {
  const { service, show } = setUp();
  const [missing, broken] = [show("missing", refusal()), show("broken", serverError())];
  await vi.advanceTimersByTimeAsync(120_000);
  expect([missing.load.mock.calls.length, broken.load.mock.calls.length, service.probeCount]).toEqual([1, 1, 0]);
});

test("the end of an outage that the live channel reports repeats what failed temporarily, and tells others once", async () => {
  const { service, recovery, show } = setUp();
  const onRecovered = vi.fn();
  recovery.onRecovered(onRecovered);
  service.error = serverError();
  const files = show("files");
  const missing = show("missing", refusal());
  await vi.advanceTimersByTimeAsync(0);
  recovery.reached();
  expect([files.load.mock.calls.length, onRecovered.mock.calls.length]).toEqual([1, 0]);
  recovery.lost();
  service.error = null;
  recovery.reached();
  recovery.reached();
  await vi.advanceTimersByTimeAsync(0);
  expect([files.data(), missing.load.mock.calls.length, onRecovered.mock.calls.length]).toEqual(["files", 1, 1]);
});

test("whatever else waits is called at each response, ever more rarely, until it has what it needs", async () => {
  const { service, recovery } = setUp();
  service.error = offlineError(null);
  const onReachable = vi.fn();
  const stop = recovery.wait(onReachable);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(onReachable).not.toHaveBeenCalled();
  service.error = null;
  await vi.advanceTimersByTimeAsync(100_000);
  expect(onReachable.mock.calls.length).toBeGreaterThan(3);
  expect(onReachable.mock.calls.length).toBeLessThan(12);
  stop();
  onReachable.mockClear();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(onReachable).not.toHaveBeenCalled();
});
