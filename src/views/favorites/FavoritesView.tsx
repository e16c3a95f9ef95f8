/** The pages at /favorites and /recent. */
import { History, Star } from "lucide-react";
import { useState } from "react";
import type { RecentItem } from "../../../contract/favorite-records.ts";
import { useServiceTime } from "../../client/client.ts";
import { useRemoveFavorite, useRemoveRecentItem } from "../../components/favorites/use-remove-items.ts";
import { ConfirmAction } from "../../components/FormDialog.tsx";
import { t } from "../../lib/texts/favorites-list.ts";
import { formatRelativeTime } from "../../lib/time.ts";
import { useClearRecentItems, useFavoritesQuery, useRecentItems } from "../../queries/favorites/use-favorite-lists.ts";
import { useFavorites } from "../../queries/favorites/use-favorites.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { ListPage } from "./ListPage.tsx";

export function FavoritesView() {
  const query = useFavoritesQuery();
  const favorites = useFavorites();
  const remove = useRemoveFavorite();
  const now = useServiceTime();
  return (
    <ListPage
      title={t("favorites")}
      pageTitle={t("pageTitle")}
      query={query}
      entries={favorites}
      detailOf={({ created_at }) => (created_at === "" ? "" : t("addedAt", { time: formatRelativeTime(created_at, now) }))}
      removeLabel={(name) => t("removeFavorite", { name })}
      onRemove={({ item }) => remove(item)}
      noneOfType={t("noFavoritesOfType")}
      empty={
        <EmptyState icon={<Star size={22} aria-hidden />} title={t("noFavorites")}>
          {t("noFavoritesHelp")}
        </EmptyState>
      }
    />
  );
}

export function RecentView() {
  const query = useRecentItems();
  const remove = useRemoveRecentItem();
  const now = useServiceTime();
  const [isClearing, setIsClearing] = useState(false);
  const detailOf = ({ opened_at, played_at }: RecentItem) => {
    // ISO times in UTC are in the order of their texts.
    const wasPlayed = (played_at ?? "") > (opened_at ?? "");
    return t(wasPlayed ? "played" : "opened", { time: formatRelativeTime((wasPlayed ? played_at : opened_at) ?? now, now) });
  };
  return (
    <>
      <ListPage
        title={t("recent")}
        pageTitle={t("recentPageTitle")}
        query={query}
        entries={query.data ?? []}
        detailOf={detailOf}
        removeLabel={(name) => t("removeRecent", { name })}
        onRemove={remove}
        noneOfType={t("noRecentOfType")}
        actions={
          <Button variant="ghost" onClick={() => setIsClearing(true)}>
            {t("clear")}
          </Button>
        }
        empty={
          <EmptyState icon={<History size={22} aria-hidden />} title={t("noRecent")}>
            {t("noRecentHelp")}
          </EmptyState>
        }
      />
      {isClearing && <ClearDialog onClose={() => setIsClearing(false)} />}
    </>
  );
}

function ClearDialog({ onClose }: { onClose(): void }) {
  const clear = useClearRecentItems(onClose);
  return (
    <ConfirmAction
      action={clear}
      title={t("clearTitle")}
      description={t("clearHelp")}
      confirmLabel={t("clear")}
      onConfirm={() => clear.mutate()}
      onClose={onClose}
    />
  );
}
