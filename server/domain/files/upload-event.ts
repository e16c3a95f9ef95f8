/** The body of `file.uploaded`: the file's members, which version, who and when. */
import type { FileRecord } from "../../../contract/records.ts";
import { iso } from "../../presenters/records.ts";

export const presentFileVersionEvent = (file: FileRecord, accountId: number, time: number, version: number): Record<string, unknown> => ({
  ...file,
  version,
  changed_by_account_id: accountId,
  upload_time: iso(time),
});
