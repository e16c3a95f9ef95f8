import { ArrowLeft, Trash2, Undo2 } from "lucide-react";
import { useRef, useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import type { DeletedEntry } from "../../../../contract/file-records.ts";
import type { Project } from "../../../../contract/records.ts";
import { useClient, useServiceTime } from "../../../client/client.ts";
import { FileKindIcon } from "../../../components/file-kind.tsx";
import { PageTitle } from "../../../components/PageTitle.tsx";
import { daysLeft, restoredText } from "../../../components/deleted-files.ts";
import { ListState } from "../../../components/ListSection.tsx";
import { t } from "../../../lib/texts/deleted-files.ts";
import { formatDayTime } from "../../../lib/time.ts";
import { formatErrorReason } from "../../../queries/describe-error.ts";
import { useDeletedFiles } from "../../../queries/file-lists/deleted-files.ts";
import { useFolders } from "../../../queries/file-lists/file-list-queries.ts";
import { restoreEntries } from "../../../queries/file-lists/file-mutations.ts";
import { usePeople } from "../../../queries/members.ts";
import { useCurrentUser } from "../../../queries/permissions.ts";
import { useProject } from "../../../queries/projects.ts";
import { useFollowProject } from "../../../sync/live/use-connection.ts";
import { Button } from "../../../ui/Button.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { iconButtonClasses } from "../../../ui/IconButton.tsx";
import { useToasts } from "../../../ui/toast.ts";
import { FilesError, FilesSkeleton } from "../list/Listing.tsx";
import { folderPath } from "../url-state.ts";

/** Renders what was deleted in a project, at `/projects/:projectId/files/deleted`. */
export function DeletedFilesView() {
  const project = useProject(Number(useParams()["projectId"]));
  if (project.data) return <DeletedFiles key={project.data.id} project={project.data} />;
  if (project.isError) return <FilesError error={project.error} retry={() => void project.refetch()} />;
  return <FilesSkeleton />;
}

function DeletedFiles({ project }: { project: Project }) {
  useFollowProject(project.id);
  const query = useDeletedFiles(project.id);
  const entries = query.data?.pages.flatMap(({ data }) => data);
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<number>>(new Set());
  const selected = entries?.filter(({ id }) => selectedIds.has(id)) ?? [];
  const heading = useRef<HTMLHeadingElement>(null);
  const { restore, pendingIds } = useRestore(project, () => {
    setSelectedIds(new Set());
    heading.current?.focus();
  });
  const toggle = (id: number) => setSelectedIds(new Set(selectedIds.has(id) ? [...selectedIds].filter((one) => one !== id) : [...selectedIds, id]));
  const { isArchived } = useCurrentUser();
  const areAllSelected = selected.length > 0 && selected.length === entries?.length;
  return (
    <section aria-labelledby="deleted-files" className="flex h-full min-h-0 flex-col overflow-y-auto">
      <PageTitle text={t("pageTitle", { project: project.name })} />
      <header className="flex items-center gap-1 px-2 pt-2 tablet:px-3">
        <Link to={folderPath(project.id, null)} aria-label={t("backToFiles")} className={iconButtonClasses}>
          <ArrowLeft size={18} aria-hidden />
        </Link>
        <h1 id="deleted-files" ref={heading} tabIndex={-1} className="text-lg font-semibold">
          {t("title")}
        </h1>
      </header>
      <p className="px-4 pb-2 text-text-2 tablet:pl-14">{t("lead")}</p>
      <ListState query={{ ...query, data: entries }} rows={6} />
      {entries?.length === 0 && (
        <EmptyState icon={<Trash2 size={22} aria-hidden />} title={t("empty")}>
          {t("emptyHelp")}
        </EmptyState>
      )}
      {entries && entries.length > 0 && (
        <>
          {!isArchived && (
            <div className="sticky top-0 z-10 flex min-h-12 items-center gap-3 border-b border-line bg-surface px-4">
              <input
                type="checkbox"
                aria-label={t("selectAll")}
                checked={areAllSelected}
                ref={(input) => {
                  if (input) input.indeterminate = selected.length > 0 && !areAllSelected;
                }}
                onChange={() => setSelectedIds(new Set(areAllSelected ? [] : entries.map(({ id }) => id)))}
              />
              <span className="text-text-2">{selected.length > 0 ? t("selected", { count: selected.length }) : t("selectAll")}</span>
              {selected.length > 0 && (
                <Button variant="primary" size="sm" className="ml-auto" pending={pendingIds.size > 0} onClick={() => restore(selected)}>
                  {t("restoreSelected", { count: selected.length })}
                </Button>
              )}
            </div>
          )}
          <ul>
            {entries.map((entry) => (
              <DeletedRow
                key={entry.id}
                entry={entry}
                canRestore={!isArchived}
                isSelected={selectedIds.has(entry.id)}
                isPending={pendingIds.has(entry.id)}
                onToggle={() => toggle(entry.id)}
                onRestore={() => restore([entry])}
              />
            ))}
          </ul>
          {query.hasNextPage && (
            <div className="p-4">
              <Button pending={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                {t("more")}
              </Button>
            </div>
          )}
        </>
      )}
    </section>
  );
}

interface RowProps {
  entry: DeletedEntry;
  /** False in an archived project. */
  canRestore: boolean;
  isSelected: boolean;
  isPending: boolean;
  onToggle(): void;
  onRestore(): void;
}

function DeletedRow({ entry, canRestore, isSelected, isPending, onToggle, onRestore }: RowProps) {
  const now = useServiceTime();
  const personOf = usePeople(entry.project_id);
  const { name, deleted_at, deleted_by_account_id, restorable_until, location, contained_count } = entry;
  const who = (deleted_by_account_id !== null && personOf(deleted_by_account_id)?.name) || t("formerMember");
  const days = daysLeft(restorable_until, now);
  const left = days === 0 ? t("lastDay") : t("daysLeft", { count: days });
  return (
    <li className="flex min-h-15 items-center gap-3 border-b border-line px-4 py-2">
      {canRestore && <input type="checkbox" aria-label={t("select", { name })} checked={isSelected} onChange={onToggle} />}
      <span className="flex size-9 shrink-0 items-center justify-center rounded-md bg-hover text-text-2">
        <FileKindIcon entry={entry} size={18} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{name}</p>
        <p className="truncate text-sm text-text-2">
          {location === "" ? t("inRoot") : location.replaceAll("/", " / ")}
          {contained_count > 0 && ` · ${t("contains", { count: contained_count })}`}
        </p>
        <p className="truncate text-sm text-text-3">
          <span className="tablet:hidden">{left} · </span>
          {t("deletedBy", { name: who })} · {formatDayTime(deleted_at, now)}
        </p>
      </div>
      <span className="tabular hidden shrink-0 text-sm text-text-2 tablet:block">{left}</span>
      {canRestore && (
        <Button size="sm" aria-label={t("restoreFile", { name })} pending={isPending} onClick={onRestore}>
          <Undo2 size={15} aria-hidden />
          {t("restore")}
        </Button>
      )}
    </li>
  );
}

/** Returns the function that restores entries and shows where they are. */
function useRestore(project: Project, onRestored: () => void) {
  const client = useClient();
  const toasts = useToasts();
  const navigate = useNavigate();
  const { tree } = useFolders(project.id);
  const [pendingIds, setPendingIds] = useState<ReadonlySet<number>>(new Set());
  async function restore(entries: readonly DeletedEntry[]): Promise<void> {
    const ids = entries.map(({ id }) => id);
    setPendingIds(new Set(ids));
    try {
      const restored = await restoreEntries(client, ids);
      const [first] = restored;
      const parentId = first?.parent_id ?? null;
      const folder = parentId === null ? undefined : tree?.get(parentId);
      const isRoot = folder?.parent_id === null;
      const run = () => void navigate(folderPath(project.id, isRoot ? null : parentId));
      onRestored();
      toasts.show({ text: restoredText(entries, restored, folder && !isRoot ? folder.name : t("inRoot")), action: { label: t("show"), run } });
    } catch (error) {
      toasts.showError(t("notRestored", { reason: formatErrorReason(error) }));
    } finally {
      setPendingIds(new Set());
    }
  }
  return { restore: (entries: readonly DeletedEntry[]) => void restore(entries), pendingIds };
}
