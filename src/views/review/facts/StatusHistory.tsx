import type { FileCommon, StatusChange } from "../../../../contract/records.ts";
import { useServiceTime } from "../../../client/client.ts";
import { LoadError } from "../../../components/ErrorNotice.tsx";
import { StatusBadge } from "../../../components/status/StatusBadge.tsx";
import { t } from "../../../lib/texts/status.ts";
import { formatRelativeTime, formatDateTime } from "../../../lib/time.ts";
import { usePeople, type Person } from "../../../queries/members.ts";
import { useStatusHistory } from "../../../queries/statuses/use-statuses.ts";
import { Avatar } from "../../../ui/Avatar.tsx";
import { Button } from "../../../ui/Button.tsx";
import { RowsSkeleton } from "../../../ui/Skeleton.tsx";

/** Lists the status changes of a file with author, time, and note. */
export function StatusHistory({ common }: { common: FileCommon }) {
  const history = useStatusHistory(common);
  const personOf = usePeople(common.project_id);
  const changes = history.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <section aria-labelledby="status-history">
      <h3 id="status-history" className="mt-6 text-sm font-medium text-text-2">
        {t("history")}
      </h3>
      {history.isPending && <RowsSkeleton rows={1} />}
      {history.isError && !history.data && <LoadError error={history.error} retry={() => void history.refetch()} />}
      {history.data && changes.length === 0 && <p className="mt-1 text-text-2">{t("historyEmpty")}</p>}
      <ol className="mt-1.5 flex flex-col gap-2.5">
        {changes.map((change) => (
          <StatusChangeItem key={change.id} change={change} person={personOf(change.changed_by_account_id)} />
        ))}
      </ol>
      {history.hasNextPage && (
        <Button size="sm" className="mt-2.5" pending={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
          {t("historyMore")}
        </Button>
      )}
    </section>
  );
}

function StatusChangeItem({ change, person }: { change: StatusChange; person: Person | undefined }) {
  const { new_status: status, note, changed_by_account_id: authorId, change_status_time: changedAt } = change;
  const now = useServiceTime();
  const name = person?.name ?? t("formerMember");
  return (
    <li className="flex min-w-0 items-start gap-2.5">
      <Avatar id={authorId} name={name} url={person?.avatarUrl ?? null} size="sm" />
      <div className="min-w-0 flex-1">
        <p className="flex min-h-6 flex-wrap items-center gap-x-2 gap-y-0.5">
          <StatusBadge status={status} />
          <bdi className="font-medium">{name}</bdi>
          <time dateTime={changedAt} title={formatDateTime(changedAt)} className="text-sm text-text-2">
            {formatRelativeTime(changedAt, now)}
          </time>
        </p>
        {note !== "" && (
          <p dir="auto" className="mt-1 wrap-anywhere whitespace-pre-wrap text-text-2">
            {note}
          </p>
        )}
      </div>
    </li>
  );
}
