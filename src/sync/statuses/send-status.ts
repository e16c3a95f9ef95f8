/** Sends a file's status: shown at once, reverted when the service rejects it, and reloaded when another user changed it first. */
import { setFileStatus } from "../../../contract/operations/files.ts";
import type { FileInfoResponse, FileStatus } from "../../../contract/records.ts";
import { ApiError } from "../../api/api-error.ts";
import { getFileInfo } from "../../api/files.ts";
import type { Api } from "../../api/http.ts";
import type { ClientData } from "../../client/client.ts";
import { t } from "../../lib/texts/status.ts";
import { formatErrorReason } from "../../queries/describe-error.ts";
import { applyFileStatus, fileKeys } from "../../queries/files/cache-updates.ts";
import { invalidate } from "../../queries/query-client.ts";
import { statusKeys } from "../../queries/statuses/cache-updates.ts";
import type { PendingStatusChange, StatusChangeFile, Outcome } from "./pending-status-changes.ts";

/** Maximum number of waits for the service's rate limit, which counts requests per minute. */
const MAX_WAITS = 3;

/** Retries a rate-limited request after the delay that the service asks for. */
async function retryWhenRateLimited<T>(request: () => Promise<T>, retryCount = 0): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 429 || error.retryAfter === undefined || retryCount === MAX_WAITS) throw error;
    await new Promise((resolve) => setTimeout(resolve, error.retryAfter! * 1_000));
    return retryWhenRateLimited(request, retryCount + 1);
  }
}

export const loadFileStatus = async (api: Api, fileId: number): Promise<FileStatus | null> => (await getFileInfo(api, fileId, null)).common.status;

export async function sendStatus(
  client: ClientData,
  accountId: number,
  { status, note, teamId }: PendingStatusChange,
  { id, before }: StatusChangeFile,
): Promise<Outcome> {
  const info = { queryKey: fileKeys.info(id), exact: true };
  // Cancel a refetch in flight, which would show the old status again, but not a first load, which would not start again.
  const isLoaded = client.queryClient.getQueryData(info.queryKey) !== undefined;
  if (isLoaded) await client.queryClient.cancelQueries(info);
  applyFileStatus(client, id, status);
  // Restores the previous status, unless the live channel has already delivered another user's change.
  const undo = () => {
    const cachedStatus = client.queryClient.getQueryData<FileInfoResponse>(fileKeys.info(id))?.common.status;
    if (cachedStatus === undefined || cachedStatus?.id === status.id) applyFileStatus(client, id, before);
  };
  const body = { file_id: id, status_id: status.id, if_status_id: before?.id ?? null, ...(note === "" ? {} : { note }) };
  try {
    await retryWhenRateLimited(() => client.api.call(setFileStatus, { body }, { accountId }));
  } catch (error) {
    const outcome = await toOutcome(client.api, error, id, status);
    if (outcome.type === "conflict") applyFileStatus(client, id, outcome.now);
    else if (outcome.type !== "done") undo();
    if (outcome.type === "refused") {
      void client.queryClient.invalidateQueries(info);
      void client.queryClient.invalidateQueries({ queryKey: statusKeys.team(teamId) });
    }
    if (outcome.type !== "done") return outcome;
  }
  // A load in flight may be older than the change.
  if (isLoaded && client.queryClient.isFetching(info) === 0) void client.queryClient.invalidateQueries({ ...info, refetchType: "none" });
  else invalidate(client, info.queryKey, true);
  void client.queryClient.invalidateQueries({ queryKey: statusKeys.history(id) });
  return { type: "done" };
}

/** Maps an error to the outcome for the user. */
async function toOutcome(api: Api, error: unknown, fileId: number, status: FileStatus): Promise<Outcome> {
  if (!(error instanceof ApiError)) return { type: "refused", reason: formatErrorReason(error) };
  if (error.status === 409) {
    try {
      const now = await loadFileStatus(api, fileId);
      // Either an earlier attempt succeeded and its response was lost, or another user chose the same status.
      return now?.id === status.id ? { type: "done" } : { type: "conflict", now };
    } catch {
      return { type: "unreachable" };
    }
  }
  if (error.failureKind !== "refused" && error.kind !== "malformed") return { type: "unreachable" };
  if (error.errors.some(({ path }) => path === "status_id")) return { type: "refused", reason: t("statusDeleted", { status: status.title }) };
  return { type: "refused", reason: error.status === 404 ? t("fileNotFound") : formatErrorReason(error) };
}
