/** The panel of a file's metadata, with its status history and, for audio, loudness and embedded annotations. */
import type { ReactNode } from "react";
import type { AiTags, AudioFileInfo, FileCommon, StatusChange } from "../../../../contract/records.ts";
import { useServiceTime } from "../../../client/client.ts";
import { AgentBadge } from "../../../components/agents/AgentBadge.tsx";
import { LoadError } from "../../../components/ErrorNotice.tsx";
import { StatusBadge } from "../../../components/status/StatusBadge.tsx";
import { formatSize } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/review-facts.ts";
import { t as tStatus } from "../../../lib/texts/status.ts";
import { formatDateTime, formatRelativeTime } from "../../../lib/time.ts";
import { usePeople, type Person } from "../../../queries/members.ts";
import { useStatusHistory } from "../../../queries/statuses/use-statuses.ts";
import { Avatar } from "../../../components/Avatar.tsx";
import { Button } from "../../../ui/Button.tsx";
import { RowsSkeleton } from "../../../ui/Skeleton.tsx";
import { createdAtOf, typeOf, versionOf } from "../file-info.ts";
import { type Annotation, parseAnnotations } from "./annotations.ts";
import { audioFacts, type Fact, loudnessFacts, warningsOf } from "./audio-facts.ts";
import { WarningList } from "./WarningsChip.tsx";

/** What the panel shows differently with and without an account. */
export interface PanelProps {
  /** Name of the account that uploaded the file; null if it is unknown. */
  uploadedBy: string | null;
  /** Further facts of the record. */
  furtherFacts?: readonly Fact[];
  statusHistory?: ReactNode;
}

interface FactsPanelProps extends PanelProps {
  common: FileCommon;
  /** Shown before the facts that files of every kind have. */
  facts: readonly Fact[];
  /** Content before and after the status history. */
  loudness?: ReactNode;
  children?: ReactNode;
}

export function FactsPanel({ common, facts, uploadedBy, furtherFacts = [], loudness, statusHistory, children }: FactsPanelProps) {
  return (
    <section aria-labelledby="facts" className="min-w-0 px-4 py-5 tablet:px-5">
      <h2 id="facts" className="font-semibold">
        {t("facts")}
      </h2>
      <FactList facts={[...facts, ...commonFacts(common, uploadedBy), ...furtherFacts]} />
      {loudness}
      {statusHistory}
      {children}
    </section>
  );
}

/** `tags` are those that the page shows elsewhere; without them, every value is listed. */
export function AudioFacts({ common, info, tags, ...panelProps }: { common: FileCommon; info: AudioFileInfo; tags?: AiTags } & PanelProps) {
  return (
    <FactsPanel common={common} facts={audioFacts(info, tags)} loudness={<Loudness info={info} />} {...panelProps}>
      <h3 className="mt-6 text-sm font-medium text-text-2">{t("annotations")}</h3>
      <AnnotationTable annotations={parseAnnotations(info.annotations)} />
    </FactsPanel>
  );
}

function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="mt-3 grid grid-cols-2 gap-x-5 gap-y-3 @min-[28rem]:grid-cols-3">
      {facts.map(({ label, value }) => (
        <div key={label} className="min-w-0">
          <dt className="text-sm text-text-2">{label}</dt>
          <dd className="tabular break-words">
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Returns the metadata that files of every kind have. */
function commonFacts(common: FileCommon, uploadedBy: string | null): Fact[] {
  const createdAt = createdAtOf(common);
  const type = typeOf(common);
  return [
    { label: t("size"), value: common.size === 0 && versionOf(common) === null ? t("unknown") : formatSize(common.size) },
    ...(type ? [{ label: t("type"), value: type }] : []),
    ...(uploadedBy === null ? [] : [{ label: t("uploadedBy"), value: uploadedBy }]),
    ...(createdAt && Number.isFinite(Date.parse(createdAt)) ? [{ label: t("uploaded"), value: formatDateTime(createdAt) }] : []),
  ];
}

function Loudness({ info }: { info: AudioFileInfo }) {
  const facts = loudnessFacts(info);
  const warnings = warningsOf(info);
  if (facts.length === 0 && warnings === null) return null;
  return (
    <>
      <h3 className="mt-6 text-sm font-medium text-text-2">{t("loudness")}</h3>
      <FactList facts={facts} />
      {warnings?.length === 0 && <p className="mt-3 text-text-2">{t("noWarnings")}</p>}
      {warnings && warnings.length > 0 && (
        <>
          <h3 className="mt-6 text-sm font-medium text-text-2">{t("warnings")}</h3>
          <WarningList warnings={warnings} />
        </>
      )}
    </>
  );
}

/** Renders a file's embedded annotations as a table. Text that is not a table is shown as is. */
function AnnotationTable({ annotations }: { annotations: readonly Annotation[] }) {
  if (annotations.length === 0) return <p className="mt-1 text-text-2">{t("noAnnotations")}</p>;
  const rows = annotations.filter(({ name }) => name !== null);
  const texts = annotations.filter(({ name }) => name === null);
  return (
    <>
      {texts.map(({ value }, index) => (
        <p key={index} dir="auto" className="mt-1.5 wrap-anywhere whitespace-pre-wrap">
          {value}
        </p>
      ))}
      {rows.length > 0 && (
        <table className="mt-1.5 w-full table-fixed border-collapse text-left">
          <colgroup>
            <col className="w-34" />
            <col />
          </colgroup>
          <thead className="sr-only">
            <tr>
              <th scope="col">{t("annotationName")}</th>
              <th scope="col">{t("annotationValue")}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, value }, index) => (
              <tr key={index} className="border-b border-line align-top last:border-0">
                <th scope="row" className="py-1.5 pr-3 font-normal wrap-anywhere text-text-2">
                  <bdi>{name}</bdi>
                </th>
                <td className="py-1.5 wrap-anywhere whitespace-pre-wrap">
                  <bdi>{value}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

export function StatusHistory({ common }: { common: FileCommon }) {
  const history = useStatusHistory(common);
  const personOf = usePeople(common.project_id);
  const changes = history.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <section aria-labelledby="status-history">
      <h3 id="status-history" className="mt-6 text-sm font-medium text-text-2">
        {tStatus("history")}
      </h3>
      {history.isPending && <RowsSkeleton rows={1} />}
      {history.isError && !history.data && <LoadError error={history.error} retry={() => void history.refetch()} />}
      {history.data && changes.length === 0 && <p className="mt-1 text-text-2">{tStatus("historyEmpty")}</p>}
      <ol className="mt-1.5 flex flex-col gap-2.5">
        {changes.map((change) => (
          <StatusChangeItem key={change.id} change={change} person={personOf(change.changed_by_account_id)} />
        ))}
      </ol>
      {history.hasNextPage && (
        <Button size="sm" className="mt-2.5" pending={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
          {tStatus("historyMore")}
        </Button>
      )}
    </section>
  );
}

function StatusChangeItem({ change, person }: { change: StatusChange; person: Person | undefined }) {
  const { new_status: status, note, changed_by_account_id: authorId, change_status_time: changedAt } = change;
  const now = useServiceTime();
  const name = person?.name ?? tStatus("formerMember");
  return (
    <li className="flex min-w-0 items-start gap-2.5">
      <Avatar id={authorId} name={name} url={person?.avatarUrl ?? null} size="sm" />
      <div className="min-w-0 flex-1">
        <p className="flex min-h-6 flex-wrap items-center gap-x-2 gap-y-0.5">
          <StatusBadge status={status} />
          <bdi className="font-medium">{name}</bdi>
          <AgentBadge accountId={authorId} />
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
