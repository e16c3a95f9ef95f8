/** What the list of projects needs once it is longer than the window: what is unread out of sight, soft edges, keys, and different tiles. */
import { ArrowDown, ArrowUp } from "lucide-react";
import { type RefObject, useEffect, useState } from "react";
import { classNames } from "../../lib/class-names.ts";
import { formatBadge } from "../../lib/format.ts";
import { t } from "../../lib/texts/rail.ts";
import { useProjectNotificationSettings } from "../../queries/notifications/use-settings.ts";
import { useProjects } from "../../queries/projects.ts";
import { useHasFeature } from "../../queries/service.ts";
import { findHidden, type HiddenRows, NOTHING_HIDDEN } from "./hidden-rows.ts";
import { tileLabels, type TileLabels } from "./tile-labels.ts";
import { addRailKeys } from "./rail-keys.ts";

interface Props {
  scroller: RefObject<HTMLElement | null>;
  onTiles(labels: TileLabels): void;
}

export function RailScroll({ scroller, onTiles }: Props) {
  const { data: projects } = useProjects();
  useEffect(() => onTiles(tileLabels(projects ?? [])), [onTiles, projects]);
  const [hidden, setHidden] = useState(NOTHING_HIDDEN);
  const hasNotifications = useHasFeature("notifications");
  useEffect(() => {
    const element = scroller.current!;
    const update = () => {
      element.toggleAttribute("data-fade-top", element.scrollTop > 0);
      element.toggleAttribute("data-fade-bottom", element.scrollTop + element.clientHeight < element.scrollHeight - 1);
      setHidden((previous) => {
        const next = findHidden(element);
        return JSON.stringify(next) === JSON.stringify(previous) ? previous : next;
      });
    };
    const revealCurrent = () => element.querySelector("[aria-current=page]")?.scrollIntoView({ block: "nearest" });
    update();
    // Favorites load after the projects, which they move down.
    const favorites = new MutationObserver(() => element.scrollTop === 0 && revealCurrent());
    favorites.observe(element, { childList: true });
    const mutations = new MutationObserver(update);
    mutations.observe(element, { subtree: true, childList: true, attributeFilter: ["data-unread", "data-mentions"] });
    const sizes = new ResizeObserver(update);
    for (const observed of [element, ...element.children]) sizes.observe(observed);
    element.addEventListener("scroll", update, { passive: true });
    const removeKeys = addRailKeys(element);
    return () => {
      favorites.disconnect();
      mutations.disconnect();
      sizes.disconnect();
      element.removeEventListener("scroll", update);
      removeKeys();
    };
  }, [scroller]);
  const show = (direction: "above" | "below") => {
    const row = findHidden(scroller.current!, true)[direction].row;
    row?.scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
    row?.focus({ preventScroll: true });
  };
  return (
    <>
      {hasNotifications && <LoadMuted />}
      <Pill rows={hidden.above} isAbove onShow={() => show("above")} />
      <Pill rows={hidden.below} onShow={() => show("below")} />
    </>
  );
}

/** Loads which projects are muted; the rows read it from the cache. */
function LoadMuted(): null {
  useProjectNotificationSettings();
  return null;
}

function Pill({ rows: { unread, mentions }, isAbove = false, onShow }: { rows: HiddenRows; isAbove?: boolean; onShow(): void }) {
  if (unread === 0 && mentions === 0) return null;
  const text = mentions > 0 ? t("mentions", { count: mentions }) : unread > 99 ? t("unreadMany") : t("unread", { count: unread });
  const Arrow = isAbove ? ArrowUp : ArrowDown;
  return (
    <div className={classNames("pointer-events-none absolute inset-x-0 z-1 flex justify-center", isAbove ? "top-2" : "bottom-2")}>
      <button
        type="button"
        data-tooltip={text}
        onClick={onShow}
        className={classNames(
          "pointer-events-auto flex h-7 items-center gap-1 rounded-full px-3 text-xs font-semibold whitespace-nowrap shadow-float pointer-coarse:h-10 narrow:px-1.5",
          mentions > 0 ? "bg-accent text-accent-ink hover:brightness-105" : "border border-line-strong bg-raised text-text hover:bg-hover",
        )}
      >
        <span className="narrow:sr-only">{text}</span>
        <span className="sr-only">{t(isAbove ? "above" : "below")}</span>
        <span aria-hidden className="tabular hidden narrow:inline">
          {formatBadge(mentions || unread)}
        </span>
        <Arrow size={14} aria-hidden />
      </button>
    </div>
  );
}
