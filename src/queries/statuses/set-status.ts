/** Sends a file's status: shown at once, taken back when the service refuses, and read again where somebody else was faster. */
import type { QueryClient } from "@tanstack/react-query";
import type { FileInfoAnswer, FileStatus } from "../../../contract/records.ts";
import { ApiError } from "../../api/api-error.ts";
import { getFileInfo } from "../../api/files.ts";
import { setFileStatus } from "../../api/statuses.ts";
import { t } from "../../lib/messages/status.ts";
import { fileKeys } from "../files/keys.ts";
import { putStatus } from "../files/put.ts";
import { explain } from "../problems.ts";
import type { Choice, ChosenFile, Outcome } from "./choices.ts";
import { statusKeys } from "./options.ts";

/** The service counts requests by the minute: after that long they are allowed again. */
const MOST_WAITS = 3;

/** Waits where there were too many requests in a short time. */
async function patiently<T>(ask: () => Promise<T>, waits = 0): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 429 || error.retryAfter === undefined || waits === MOST_WAITS) throw error;
    await new Promise((resolve) => setTimeout(resolve, error.retryAfter! * 1_000));
    return patiently(ask, waits + 1);
  }
}

/** The status that is shown of a file now; undefined where nothing cached tells it. */
const shownStatus = (client: QueryClient, fileId: number): FileStatus | null | undefined =>
  client.getQueryData<FileInfoAnswer>(fileKeys.info(fileId))?.common.status;

export const standingOf = async (fileId: number): Promise<FileStatus | null> => (await getFileInfo(fileId)).common.status;

export async function sendStatus(client: QueryClient, accountId: number, { status, note, teamId }: Choice, { id, before }: ChosenFile): Promise<Outcome> {
  const info = { queryKey: fileKeys.info(id), exact: true };
  // An answer that was asked for before the choice would show the old status again.
  await client.cancelQueries(info);
  putStatus(client, id, status);
  try {
    await patiently(() => setFileStatus({ file_id: id, status_id: status.id, if_status_id: before?.id ?? null, ...(note === "" ? {} : { note }) }, { accountId }));
    void client.invalidateQueries({ ...info, refetchType: "none" });
    void client.invalidateQueries({ queryKey: statusKeys.history(id) });
    return { is: "done" };
  } catch (error) {
    return refusal(error);
  }

  async function refusal(error: unknown): Promise<Outcome> {
    const shown = shownStatus(client, id);
    const isShown = shown === undefined || shown?.id === status.id;
    if (error instanceof ApiError && error.status === 409) {
      const now = await standingOf(id).catch(() => undefined);
      if (now === undefined) return away();
      // Our own first try, whose answer was lost, or the other chose the same.
      if (now?.id === status.id) return { is: "done" };
      putStatus(client, id, now);
      return { is: "overtaken", now };
    }
    if (error instanceof ApiError && (error.isTemporary || error.isAway || error.status === 401 || error.status === 412)) return away();
    if (isShown) putStatus(client, id, before);
    void client.invalidateQueries(info);
    if (error instanceof ApiError && error.errors.some(({ path }) => path === "status_id")) {
      void client.invalidateQueries({ queryKey: statusKeys.team(teamId) });
      return { is: "refused", reason: t("statusGone", { status: status.title }) };
    }
    if (error instanceof ApiError && error.status === 404) return { is: "refused", reason: t("fileGone") };
    return { is: "refused", reason: sentenceOf(error) };
  }
  function away(): Outcome {
    // What is not with the service yet is not shown as if it were.
    const shown = shownStatus(client, id);
    if (shown === undefined || shown?.id === status.id) putStatus(client, id, before);
    return { is: "away" };
  }
}

function sentenceOf(error: unknown): string {
  const { title, help } = explain(error);
  const end = /[.!?]$/.test(title) ? title : `${title}.`;
  return help === undefined ? end : `${end} ${help}`;
}
