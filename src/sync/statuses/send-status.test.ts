import { QueryClient } from "@tanstack/react-query";
import { beforeEach, expect, test, vi } from "vitest";
import type { FileInfoResponse, FileStatus } from "../../../contract/records.ts";
import { ApiError, offlineError } from "../../api/api-error.ts";
import { getFileInfo } from "../../api/files.ts";
import { setFileStatus } from "../../api/statuses.ts";
import { fileKeys } from "../../queries/files/file-cache.ts";
import type { PendingStatusChange } from "./pending-status-changes.ts";
import { sendStatus } from "./send-status.ts";

vi.mock("../../api/files.ts");
vi.mock("../../api/statuses.ts");

const status = (id: number, title: string): FileStatus => ({ id, title, color: id, position: id });
const [review, approved, rejected] = [status(2, "In review"), status(4, "Approved"), status(5, "Rejected")];
const file = { id: 7, name: "mix.wav", before: review };
const buildChange = (note = ""): PendingStatusChange => ({ id: "c", teamId: 1, status: approved, note, files: [file], state: { type: "sending" } });
const info = (now: FileStatus | null) => ({ common: { id: 7, status: now }, file_info: { object: "document_file_info" } }) as unknown as FileInfoResponse;
const problem = (code: number, extra: Partial<ConstructorParameters<typeof ApiError>[0]> = {}) =>
  new ApiError({ kind: "problem", status: code, title: "No", ...extra });

let client: QueryClient;
const shown = () => client.getQueryData<FileInfoResponse>(fileKeys.info(7))?.common.status?.title;
const send = (change = buildChange()) => sendStatus(client, 1, change, file);

beforeEach(() => {
  vi.resetAllMocks();
  client = new QueryClient();
  client.setQueryData(fileKeys.info(7), info(review));
});

test("it is sent with the note, for whom it was chosen, against what they saw, and shown meanwhile", async () => {
  const response = Promise.withResolvers<never>();
  vi.mocked(setFileStatus).mockReturnValueOnce(response.promise);
  const sent = send(buildChange("Good."));
  await vi.waitFor(() => expect(shown()).toBe("Approved"));
  response.resolve({} as never);
  expect(await sent).toEqual({ type: "done" });
  expect(setFileStatus).toHaveBeenCalledExactlyOnceWith({ file_id: 7, status_id: 4, if_status_id: 2, note: "Good." }, { accountId: 1 });
});

test("somebody else was faster: what they have set is shown and told", async () => {
  vi.mocked(setFileStatus).mockRejectedValueOnce(problem(409));
  vi.mocked(getFileInfo).mockResolvedValueOnce(info(rejected));
  expect(await send()).toEqual({ type: "overtaken", now: rejected });
  expect(shown()).toBe("Rejected");
});

test("somebody else has chosen the same, or the first answer was lost: it is done", async () => {
  vi.mocked(setFileStatus).mockRejectedValueOnce(problem(409));
  vi.mocked(getFileInfo).mockResolvedValueOnce(info(approved));
  expect(await send()).toEqual({ type: "done" });
});

test.each([
  ["no network", () => offlineError(null)],
  ["a service that restarts", () => problem(503)],
  ["a session that ended", () => problem(401)],
  ["another account in this browser", () => problem(412)],
])("%s: it waits, and is not shown as if it were set", async (_, error) => {
  vi.mocked(setFileStatus).mockRejectedValueOnce(error());
  expect(await send()).toEqual({ type: "away" });
  expect(shown()).toBe("In review");
});

test.each([
  [
    "a status that was deleted",
    problem(400, { errors: [{ path: "status_id", message: "must be a status of the file's team" }] }),
    "The status Approved no longer exists.",
  ],
  ["a file that is gone", problem(404), "The file was deleted, or you no longer have access to it."],
  ["a right that was taken", problem(403, { detail: "Guests may not do that" }), "Guests may not do that."],
])("%s: refused in a sentence, the old one is shown", async (_, error, reason) => {
  vi.mocked(setFileStatus).mockRejectedValueOnce(error);
  expect(await send()).toEqual({ type: "refused", reason });
  expect(shown()).toBe("In review");
});

test("what the live channel has told meanwhile stays where the own wish is refused", async () => {
  vi.mocked(setFileStatus).mockImplementationOnce(async () => {
    client.setQueryData(fileKeys.info(7), info(rejected));
    throw problem(403);
  });
  await send();
  expect(shown()).toBe("Rejected");
});

test("too many in a minute wait for the next one", async () => {
  vi.useFakeTimers();
  vi.mocked(setFileStatus)
    .mockRejectedValueOnce(problem(429, { retryAfter: 20 }))
    .mockResolvedValueOnce({} as never);
  const sent = send();
  await vi.advanceTimersByTimeAsync(19_000);
  expect(setFileStatus).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1_000);
  vi.useRealTimers();
  expect(await sent).toEqual({ type: "done" });
});
