/** What the live channel tells of a team's statuses goes into every place of the cache that shows one. */
import type { QueryClient } from "@tanstack/react-query";
import type { EventData } from "../../../contract/events.ts";
import type { FileInfoAnswer, FileStatus } from "../../../contract/records.ts";
import type { TeamStatuses } from "../../api/statuses.ts";
import { fileListKeys } from "../file-lists/keys.ts";
import { statusOf, withInfoStatus, withStatus } from "../files/cache.ts";
import { fileKeys } from "../files/keys.ts";
import { patchAllHistories } from "../messages/cache.ts";
import { renew } from "../renew.ts";
import { orderScope, statusKeys } from "./keys.ts";

type StatusNews = EventData<"statuses.changed">;

/** A file's status as it stands now: renamed, in another colour, or the one that took its place. */
export function statusNow(before: FileStatus | null, { statuses, replaced }: Pick<StatusNews, "statuses" | "replaced">): FileStatus | null {
  if (before === null) return null;
  const id = replaced?.status_id === before.id ? replaced.replacement_id : before.id;
  return statuses.find((one) => one.id === id) ?? before;
}

/** Those that are not in the order come last. */
function inOrderOf(order: readonly FileStatus[], statuses: readonly FileStatus[]): FileStatus[] {
  const place = ({ id }: FileStatus) => {
    const at = order.findIndex((one) => one.id === id);
    return at < 0 ? order.length : at;
  };
  return statuses.toSorted((a, b) => place(a) - place(b));
}

export function putStatuses(client: QueryClient, news: StatusNews): void {
  // Somebody moves a row here: of an order that was sent before, the news is no news.
  const moving = client.isMutating({ predicate: ({ options }) => options.scope?.id === orderScope(news.team_id) }) > 0;
  client.setQueryData<TeamStatuses>(statusKeys.ofTeam(news.team_id), (shown) => ({
    statuses: moving && shown ? inOrderOf(shown.statuses, news.statuses) : news.statuses,
    defaultId: news.default_status_id,
  }));
  patchAllHistories(client, (history) => {
    const messages = history.messages.map((message) => {
      const attachments = message.attachments.map((one) => {
        const before = statusOf(one);
        return before ? withStatus(statusNow(before, news))(one) : one;
      });
      return attachments.every((one, index) => one === message.attachments[index]) ? message : { ...message, attachments };
    });
    return messages.every((one, index) => one === history.messages[index]) ? history : { ...history, messages };
  });
  for (const { queryKey } of client.getQueryCache().findAll({ queryKey: fileKeys.all, predicate: ({ queryKey: key }) => key[2] === "info" })) {
    client.setQueryData<FileInfoAnswer>(queryKey, (info) => info && withInfoStatus(info, statusNow(info.common.status, news)));
  }
  void client.invalidateQueries({ queryKey: fileKeys.all, predicate: ({ queryKey: key }) => key[2] === "status-history" });
  // What they are sorted and filtered by has changed too.
  renew(client, fileListKeys.all);
}
