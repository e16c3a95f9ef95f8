/** The requests to a bucket: how long they take at most, and responses that cannot be trusted. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { StorageUnavailableError } from "../storage.ts";
import { TEST_TIMING } from "../stores.fixture.ts";
import { connectBucket } from "./bucket.ts";

const OPTIONS = {
  endpoint: "http://127.0.0.1:9",
  publicEndpoint: null,
  bucket: "takes",
  region: "us-east-1",
  forcePathStyle: true,
  credentials: { accessKeyId: "key", secretAccessKey: "secret" },
};

test("an attempt has only the time that earlier ones have left", async () => {
  const { attempt } = connectBucket(OPTIONS, { ...TEST_TIMING, backoffMs: 0 }).raw;
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const hour = 3_600_000;
  const aborted: boolean[][] = [];
  const request = async (signal: AbortSignal): Promise<never> => {
    const isFirst = aborted.length === 0;
    const before = signal.aborted;
    vi.advanceTimersByTime(isFirst ? 0.9 * hour : 0.2 * hour);
    aborted.push([before, signal.aborted]);
    throw new Error("The connection broke");
  };
  await expect(attempt(hour, request)).rejects.toThrow("The connection broke");
  expect(aborted).toEqual([
    [false, false],
    [false, true],
  ]);
});

test("an object without its size is an error, not an empty file or a missing one", async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "transfer-encoding": "chunked" });
    response.end("sound");
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  const bucket = connectBucket({ ...OPTIONS, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }, TEST_TIMING);
  await expect(bucket.get("a")).rejects.toThrow(StorageUnavailableError);
  await expect(bucket.size("a")).rejects.toThrow(StorageUnavailableError);
});
