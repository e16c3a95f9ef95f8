import { describe, expect, test, vi } from "vitest";
import { createClient } from "../../app/create-client.ts";
import { ApiError, offlineError } from "../../api/api-error.ts";
import { messageKeys } from "../../queries/messages/cache-updates.ts";
import { buildMessage } from "../../queries/messages/message.fixture.ts";
import { buildUpload } from "../uploads/upload.fixture.ts";
import { checkReadiness, toSendResult } from "./browser-outbox.ts";
import type { OutboxEntry } from "./outbox-types.ts";

test("a message waits for uploads of another tab, and fails when no tab has its upload", () => {
  const entry = { uploads: ["u1", "u2"], body: "x" } as unknown as OutboxEntry;
  const done = buildUpload({ id: "u2", state: "done", fileId: 7 });
  expect(checkReadiness(entry, [done], () => null)).toEqual({ state: "waiting" });
  expect(checkReadiness(entry, [done, { ...done, id: "u1" }], () => null)).toEqual({ state: "ready" });
  for (const body of ["x", ""]) expect(checkReadiness({ ...entry, body }, [done], () => 4, new Set(["u1"]))).toMatchObject({ state: "failed", afterId: 4 });
});

test("a stored message removes the entry of its author from the outbox", async () => {
  vi.stubGlobal("location", { origin: "https://talkback.test" });
  const client = createClient();
  const outbox = client.outbox;
  const { clientId } = outbox.add({ projectId: 1, accountId: 5, body: "a", quote: null, uploads: [] });
  const arrive = (account_id: number) =>
    client.queryClient.setQueryData(messageKeys.history(1, "latest"), { messages: [buildMessage(9, { account_id, client_id: clientId })] });
  arrive(6);
  await outbox.whenStored(clientId);
  await vi.waitFor(() => expect(outbox.entries()).toMatchObject([{ state: "waiting", isDelayed: true }]));
  arrive(5);
  await vi.waitFor(() => expect(outbox.entries()).toEqual([]));
  vi.unstubAllGlobals();
});

describe("the result of a failed send", () => {
  const problem = (status: number, extra = {}) => new ApiError({ kind: "problem", status, title: "Title", ...extra });

  test("offline, proxy errors, rate limits and lost sessions are retried without limit", () => {
    for (const error of [offlineError(null), new ApiError({ kind: "timeout", status: 0, title: "" }), problem(429), problem(401), problem(412)].concat(
      [502, 503, 504].map((status) => problem(status)),
    )) {
      expect(toSendResult(error, 1)).toEqual({ result: "later" });
    }
    expect(toSendResult(problem(429, { retryAfter: 7 }), 1)).toEqual({ result: "later", afterMs: 7_000 });
  });

  test("server errors are retried and counted", () => {
    expect(toSendResult(problem(500, { detail: "Busy" }), 4)).toEqual({ result: "later", error: "Busy", afterId: 4 });
    expect(toSendResult(problem(507), 4)).toEqual({ result: "later", error: "Title", afterId: 4 });
    expect(toSendResult(new ApiError({ kind: "malformed", status: 200, title: "Odd" }), 4)).toEqual({ result: "later", error: "Odd", afterId: 4 });
  });

  test("rejections show the service's most specific message", () => {
    expect(toSendResult(problem(403, { detail: "You left" }), 4)).toEqual({ result: "refused", error: "You left", afterId: 4 });
    expect(toSendResult(problem(400, { errors: [{ path: "body", message: "must not be empty" }] }), null)).toMatchObject({ error: "must not be empty" });
    expect(toSendResult(new Error("bug"), 1)).toMatchObject({ result: "refused", error: "bug" });
  });
});
