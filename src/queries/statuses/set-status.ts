/** Sends a file's status: shown at once, taken back when the service refuses, and read again where somebody else was faster. */
import type { QueryClient } from "@tanstack/react-query";
import type { FileInfoResponse, FileStatus } from "../../../contract/records.ts";
import { ApiError } from "../../api/api-error.ts";
import { getFileInfo } from "../../api/files.ts";
import { setFileStatus } from "../../api/statuses.ts";
import { t } from "../../lib/messages/status.ts";
import { fileKeys } from "../files/keys.ts";
import { applyFileStatus } from "../files/put.ts";
import { describeError } from "../problems.ts";
import type { PendingStatusChange, StatusChangeFile, Outcome } from "./choices.ts";
import { statusKeys } from "./keys.ts";

/** The service counts requests by the minute: after that long they are allowed again. */
const MAX_WAITS = 3;

/** Waits where there were too many requests in a short time. */
async function retryWhenRateLimited<T>(request: () => Promise<T>, retryCount = 0): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 429 || error.retryAfter === undefined || retryCount === MAX_WAITS) throw error;
    await new Promise((resolve) => setTimeout(resolve, error.retryAfter! * 1_000));
    return retryWhenRateLimited(request, retryCount + 1);
  }
}

export const loadFileStatus = async (fileId: number): Promise<FileStatus | null> => (await getFileInfo(fileId, null)).common.status;

export async function sendStatus(
  client: QueryClient,
  accountId: number,
  { status, note, teamId }: PendingStatusChange,
  { id, before }: StatusChangeFile,
): Promise<Outcome> {
  const info = { queryKey: fileKeys.info(id), exact: true };
  // An answer that was asked for before the choice would show the old status again.
  await client.cancelQueries(info);
  applyFileStatus(client, id, status);
  // What is not with the service is not shown as if it were, unless somebody else has chosen since and the live channel was faster.
  const undo = () => {
    const cachedStatus = client.getQueryData<FileInfoResponse>(fileKeys.info(id))?.common.status;
    if (cachedStatus === undefined || cachedStatus?.id === status.id) applyFileStatus(client, id, before);
  };
  try {
    await retryWhenRateLimited(() =>
      setFileStatus({ file_id: id, status_id: status.id, if_status_id: before?.id ?? null, ...(note === "" ? {} : { note }) }, { accountId }),
    );
  } catch (error) {
    const outcome = await toOutcome(error, id, status);
    if (outcome.type === "overtaken") applyFileStatus(client, id, outcome.now);
    else if (outcome.type !== "done") undo();
    if (outcome.type === "refused") void client.invalidateQueries(info);
    if (outcome.type === "refused") void client.invalidateQueries({ queryKey: statusKeys.team(teamId) });
    if (outcome.type !== "done") return outcome;
  }
  void client.invalidateQueries({ ...info, refetchType: "none" });
  void client.invalidateQueries({ queryKey: statusKeys.history(id) });
  return { type: "done" };
}

/** What a refusal means for who has chosen. */
async function toOutcome(error: unknown, fileId: number, status: FileStatus): Promise<Outcome> {
  if (!(error instanceof ApiError)) return { type: "refused", reason: toSentence(error) };
  if (error.status === 409) {
    try {
      const now = await loadFileStatus(fileId);
      // Our own first try, whose answer was lost; or the other chose the same.
      return now?.id === status.id ? { type: "done" } : { type: "overtaken", now };
    } catch {
      return { type: "away" };
    }
  }
  // 401, 412: it waits for its person to sign in again.
  if (error.isUnavailable || error.isTemporary || error.status === 401 || error.status === 412) return { type: "away" };
  if (error.errors.some(({ path }) => path === "status_id")) return { type: "refused", reason: t("statusGone", { status: status.title }) };
  return { type: "refused", reason: error.status === 404 ? t("fileGone") : toSentence(error) };
}

function toSentence(error: unknown): string {
  const { title, help } = describeError(error);
  const end = /[.!?]$/.test(title) ? title : `${title}.`;
  return help === undefined ? end : `${end} ${help}`;
}
