import { QueryObserver } from "@tanstack/react-query";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { setFileStatus } from "../../../contract/operations/files.ts";
import type { FileInfoResponse, FileStatus } from "../../../contract/records.ts";
import type { CallOptions } from "../../api/http.ts";
import type { Client } from "../../client/client.ts";
import { createClient } from "../../app/create-client.ts";
import { ApiError, offlineError } from "../../api/api-error.ts";
import { getFileInfo } from "../../api/files.ts";
import { stubOperation, stubOperations } from "../../api/operations.fixture.ts";
import { fileKeys } from "../../queries/files/cache-updates.ts";
import type { PendingStatusChange } from "./pending-status-changes.ts";
import { sendStatus } from "./send-status.ts";

vi.mock("../../api/files.ts");

const status = (id: number, title: string): FileStatus => ({ id, title, color: id, position: id });
const [review, approved, rejected] = [status(2, "In review"), status(4, "Approved"), status(5, "Rejected")];
const file = { id: 7, name: "mix.wav", before: review };
const buildChange = (note = ""): PendingStatusChange => ({ id: "c", teamId: 1, status: approved, note, files: [file], state: { type: "sending" } });
const info = (now: FileStatus | null) => ({ common: { id: 7, status: now }, file_info: { object: "document_file_info" } }) as unknown as FileInfoResponse;
const problem = (code: number, extra: Partial<ConstructorParameters<typeof ApiError>[0]> = {}) =>
  new ApiError({ kind: "problem", status: code, title: "No", ...extra });

const setStatus = vi.fn<(input: unknown, options: CallOptions) => Promise<unknown>>();
let client: Client;
const shown = () => client.queryClient.getQueryData<FileInfoResponse>(fileKeys.info(7))?.common.status?.title;
const send = (change = buildChange()) => sendStatus(client, 1, change, file);

beforeEach(() => {
  vi.resetAllMocks();
  client = createClient();
  stubOperations(client.api, [stubOperation(setFileStatus, setStatus)]);
  client.queryClient.setQueryData(fileKeys.info(7), info(review));
});

test("a change is sent with its note, account and expected status, and shows meanwhile", async () => {
  const response = Promise.withResolvers<never>();
  setStatus.mockReturnValueOnce(response.promise);
  const sent = send(buildChange("Good."));
  await vi.waitFor(() => expect(shown()).toBe("Approved"));
  response.resolve({} as never);
  expect(await sent).toEqual({ type: "done" });
  expect(setStatus).toHaveBeenCalledExactlyOnceWith({ body: { file_id: 7, status_id: 4, if_status_id: 2, note: "Good." } }, { accountId: 1 });
});

test("a conflict shows and returns the status that another account set", async () => {
  setStatus.mockRejectedValueOnce(problem(409));
  vi.mocked(getFileInfo).mockResolvedValueOnce(info(rejected));
  expect(await send()).toEqual({ type: "conflict", now: rejected });
  expect(shown()).toBe("Rejected");
});

test("a conflict with the same status counts as done", async () => {
  setStatus.mockRejectedValueOnce(problem(409));
  vi.mocked(getFileInfo).mockResolvedValueOnce(info(approved));
  expect(await send()).toEqual({ type: "done" });
});

test.each([
  ["no network", () => offlineError(null)],
  ["a restarting service", () => problem(503)],
  ["an ended session", () => problem(401)],
  ["another account in this browser", () => problem(412)],
])("%s: the change waits, and the old status shows", async (_, error) => {
  setStatus.mockRejectedValueOnce(error());
  expect(await send()).toEqual({ type: "unreachable" });
  expect(shown()).toBe("In review");
});

test.each([
  [
    "a deleted status",
    problem(400, { errors: [{ path: "status_id", message: "must be a status of the file's team" }] }),
    "The status Approved no longer exists.",
  ],
  ["a deleted file", problem(404), "The file was deleted, or you no longer have access to it."],
  ["a revoked permission", problem(403, { detail: "Guests may not do that" }), "Guests may not do that."],
])("%s: the change is rejected with a reason, and the old status shows", async (_, error, reason) => {
  setStatus.mockRejectedValueOnce(error);
  expect(await send()).toEqual({ type: "refused", reason });
  expect(shown()).toBe("In review");
});

test("a status from a live event stays when the user's own change is rejected", async () => {
  setStatus.mockImplementationOnce(async () => {
    client.queryClient.setQueryData(fileKeys.info(7), info(rejected));
    throw problem(403);
  });
  await send();
  expect(shown()).toBe("Rejected");
});

test("a rate-limited change waits and is sent again", async () => {
  vi.useFakeTimers();
  setStatus.mockRejectedValueOnce(problem(429, { retryAfter: 20 })).mockResolvedValueOnce({});
  const sent = send();
  await vi.advanceTimersByTimeAsync(19_000);
  expect(setStatus).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1_000);
  vi.useRealTimers();
  expect(await sent).toEqual({ type: "done" });
});

test("a refetch that starts while the change is sent runs again after it", async () => {
  const refetch = Promise.withResolvers<FileInfoResponse>();
  const queryFn = vi.fn<() => Promise<FileInfoResponse>>().mockResolvedValue(info(approved)).mockReturnValueOnce(refetch.promise);
  onTestFinished(new QueryObserver(client.queryClient, { queryKey: fileKeys.info(7), queryFn, retry: false, staleTime: Infinity }).subscribe(() => {}));
  setStatus.mockImplementationOnce(async () => {
    void client.queryClient.invalidateQueries({ queryKey: fileKeys.info(7) });
    return {};
  });
  expect(await send()).toEqual({ type: "done" });
  // The response to a request sent before the change arrives.
  refetch.resolve(info(review));
  await vi.waitFor(() => expect(client.queryClient.isFetching()).toBe(0));
  expect(queryFn).toHaveBeenCalledTimes(2);
  expect(shown()).toBe("Approved");
});

test("a first load of the file in flight during the change is followed by a second one", async () => {
  client.queryClient.removeQueries({ queryKey: fileKeys.info(7) });
  const firstLoad = Promise.withResolvers<FileInfoResponse>();
  const queryFn = vi.fn<() => Promise<FileInfoResponse>>().mockResolvedValue(info(approved)).mockReturnValueOnce(firstLoad.promise);
  onTestFinished(new QueryObserver(client.queryClient, { queryKey: fileKeys.info(7), queryFn, retry: false }).subscribe(() => {}));
  setStatus.mockResolvedValueOnce({});
  expect(await send()).toEqual({ type: "done" });
  // The response to a request sent before the change arrives.
  firstLoad.resolve(info(review));
  await vi.waitFor(() => expect(shown()).toBe("Approved"));
  expect(queryFn).toHaveBeenCalledTimes(2);
});
