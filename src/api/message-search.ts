import { searchMessages as searchOperation } from "../../contract/operations/messages.ts";
import { call, type CallOptions } from "./http.ts";

export interface MessageSearchQuery {
  q?: string;
  account_id?: number;
  /** ISO 8601 bounds: sent at or after `since` and before `until`. */
  since?: string;
  until?: string;
  has?: "link" | "file";
}
/** Returns matching messages, newest first. */
export const searchMessages = (
  project_id: number,
  { account_id, ...filters }: MessageSearchQuery,
  page: { cursor: string | undefined; limit: number },
  options?: CallOptions,
) =>
  call(
    searchOperation,
    {
      params: { project_id },
      query: {
        ...filters,
        ...(account_id === undefined ? {} : { account_id: String(account_id) }),
        ...(page.cursor === undefined ? {} : { cursor: page.cursor }),
        limit: String(page.limit),
      },
    },
    options,
  );
