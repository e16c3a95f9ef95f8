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
import { statusKeys } from "./keys.ts";

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

export const standingOf = async (fileId: number): Promise<FileStatus | null> => (await getFileInfo(fileId, null)).common.status;

export async function sendStatus(client: QueryClient, accountId: number, { status, note, teamId }: Choice, { id, before }: ChosenFile): Promise<Outcome> {
  const info = { queryKey: fileKeys.info(id), exact: true };
  // An answer that was asked for before the choice would show the old status again.
  await client.cancelQueries(info);
  putStatus(client, id, status);
  // What is not with the service is not shown as if it were, unless somebody else has chosen since and the live channel was faster.
  const takeBack = () => {
    const shown = client.getQueryData<FileInfoAnswer>(fileKeys.info(id))?.common.status;
    if (shown === undefined || shown?.id === status.id) putStatus(client, id, before);
  };
  try {
    await patiently(() =>
      setFileStatus({ file_id: id, status_id: status.id, if_status_id: before?.id ?? null, ...(note === "" ? {} : { note }) }, { accountId }),
    );
  } catch (error) {
    const verdict = await verdictOn(error, id, status);
    if (verdict.is === "overtaken") putStatus(client, id, verdict.now);
    else if (verdict.is !== "done") takeBack();
    if (verdict.is === "refused") void client.invalidateQueries(info);
    if (verdict.is === "refused") void client.invalidateQueries({ queryKey: statusKeys.ofTeam(teamId) });
    if (verdict.is !== "done") return verdict;
  }
  void client.invalidateQueries({ ...info, refetchType: "none" });
  void client.invalidateQueries({ queryKey: statusKeys.history(id) });
  return { is: "done" };
}

/** What a refusal means for who has chosen. */
async function verdictOn(error: unknown, fileId: number, status: FileStatus): Promise<Outcome> {
  if (!(error instanceof ApiError)) return { is: "refused", reason: sentenceOf(error) };
  if (error.status === 409) {
    try {
      const now = await standingOf(fileId);
      // Our own first try, whose answer was lost; or the other chose the same.
      return now?.id === status.id ? { is: "done" } : { is: "overtaken", now };
    } catch {
      return { is: "away" };
    }
  }
  // 401, 412: it waits for its person to sign in again.
  if (error.isAway || error.isTemporary || error.status === 401 || error.status === 412) return { is: "away" };
  if (error.errors.some(({ path }) => path === "status_id")) return { is: "refused", reason: t("statusGone", { status: status.title }) };
  return { is: "refused", reason: error.status === 404 ? t("fileGone") : sentenceOf(error) };
}

function sentenceOf(error: unknown): string {
  const { title, help } = explain(error);
  const end = /[.!?]$/.test(title) ? title : `${title}.`;
  return help === undefined ? end : `${end} ${help}`;
}
