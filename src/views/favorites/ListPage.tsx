import { type ReactNode, useRef, useState } from "react";
import { Link } from "react-router";
import { FAVORITE_TYPES, type FavoriteType, type ListedItem } from "../../../contract/favorite-records.ts";
import { LoadError } from "../../components/ErrorNotice.tsx";
import { ItemIcon, itemName } from "../../components/favorites/listed-item.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { classNames } from "../../lib/class-names.ts";
import { t } from "../../lib/texts/favorites-list.ts";
import { itemPath } from "../../queries/favorites/listed-items.ts";
import { itemKey } from "../../queries/favorites/favorites.ts";
import { useFavoriteAccess } from "../../queries/favorites/use-favorites.ts";
import { CloseButton } from "../../ui/IconButton.tsx";
import { RowsSkeleton } from "../../ui/Skeleton.tsx";
import { TabLink } from "../../ui/TabLink.tsx";
import { useFocusNextRow } from "../../ui/use-focus-next-row.ts";

const TYPE_NAMES: Record<FavoriteType, string> = { project: t("projects"), file: t("files"), playlist: t("playlists"), message: t("messages") };

interface Props<T extends { item: ListedItem }> {
  title: string;
  pageTitle: string;
  query: { data: unknown; error: unknown; refetch(): unknown };
  entries: readonly T[];
  /** When the entry was added, opened or played. */
  detailOf(entry: T): string;
  removeLabel(name: string): string;
  onRemove(entry: T): void;
  /** Shown if the entries of the chosen type are gone. */
  noneOfType: string;
  /** Shown if there are no entries at all. */
  empty: ReactNode;
  /** For the whole list. */
  actions?: ReactNode;
}

/** Lists favorites or recent items, of all types or of one. */
export function ListPage<T extends { item: ListedItem }>({ title, pageTitle, query, entries, empty, noneOfType, actions, ...row }: Props<T>) {
  const [type, setType] = useState<FavoriteType | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const { canChange } = useFavoriteAccess();
  const types = FAVORITE_TYPES.filter((candidate) => entries.some(({ item }) => item.type === candidate));
  const shown = type === null ? entries : entries.filter(({ item }) => item.type === type);
  const focusNextRow = useFocusNextRow(list, shown.length);
  return (
    <div className="flex h-full flex-col">
      <PageTitle text={pageTitle} />
      <header className="flex h-14 shrink-0 items-stretch border-b border-line px-2 tablet:px-3">
        <TabLink to="/favorites">{t("favorites")}</TabLink>
        <TabLink to="/recent">{t("recent")}</TabLink>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto w-full max-w-190 px-4 py-6 tablet:px-6">
          <div className="mb-3 flex min-h-8 items-center justify-between gap-4">
            <h1 tabIndex={-1} className="text-lg font-semibold">
              {title}
            </h1>
            {canChange && entries.length > 0 && actions}
          </div>
          {query.data === undefined &&
            (query.error ? (
              <LoadError error={query.error} retry={() => void query.refetch()} />
            ) : (
              <div role="status" aria-label={t("loading")}>
                <RowsSkeleton rows={5} />
              </div>
            ))}
          {query.data !== undefined && entries.length === 0 && empty}
          {entries.length > 0 && (
            <div role="group" aria-label={t("filter")} className="mb-3 flex flex-wrap gap-1.5">
              <TypeButton isPressed={type === null} text={t("all")} onClick={() => setType(null)} />
              {types.map((candidate) => (
                <TypeButton key={candidate} isPressed={type === candidate} text={TYPE_NAMES[candidate]} onClick={() => setType(candidate)} />
              ))}
            </div>
          )}
          {shown.length > 0 && (
            <ul ref={list} className="divide-y divide-line rounded-lg border border-line px-3 dark:bg-bg/40">
              {shown.map((entry) => (
                <Row
                  key={itemKey(entry.item)}
                  item={entry.item}
                  detail={row.detailOf(entry)}
                  removeLabel={row.removeLabel(itemName(entry.item))}
                  onRemove={
                    canChange
                      ? () => {
                          focusNextRow();
                          row.onRemove(entry);
                        }
                      : undefined
                  }
                />
              ))}
            </ul>
          )}
          {entries.length > 0 && shown.length === 0 && <p className="py-6 text-center text-text-2">{noneOfType}</p>}
        </div>
      </div>
    </div>
  );
}

const TypeButton = ({ isPressed, text, onClick }: { isPressed: boolean; text: string; onClick(): void }) => (
  <button
    type="button"
    aria-pressed={isPressed}
    onClick={onClick}
    className={classNames(
      "h-8 rounded-full border px-3 text-sm transition-colors pointer-coarse:h-10",
      isPressed ? "border-transparent bg-accent-soft font-medium text-accent-text" : "border-line-strong text-text-2 hover:bg-hover hover:text-text",
    )}
  >
    {text}
  </button>
);

interface RowProps {
  item: ListedItem;
  detail: string;
  removeLabel: string;
  onRemove: (() => void) | undefined;
}

function Row({ item, detail, removeLabel, onRemove }: RowProps) {
  const name = itemName(item);
  const place = [item.account_name, item.type === "project" ? null : item.project_name, detail].filter(Boolean).join(" · ");
  return (
    <li className="flex min-h-15 items-center gap-3 py-2">
      <span className="flex size-8 shrink-0 items-center justify-center rounded-full bg-hover text-text-2">
        <ItemIcon item={item} />
      </span>
      <div className="min-w-0 flex-1">
        <Link to={itemPath(item)} className="block truncate font-medium hover:underline">
          <bdi>{name}</bdi>
        </Link>
        <p className="truncate text-sm text-text-2">{place}</p>
      </div>
      {onRemove && <CloseButton label={removeLabel} onClick={onRemove} className="max-tablet:size-10" />}
    </li>
  );
}
