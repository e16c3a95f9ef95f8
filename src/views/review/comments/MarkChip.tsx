import { MoveHorizontal, X } from "lucide-react";
import { formatTenths } from "../../../lib/duration.ts";
import { t } from "../../../lib/messages/comments.ts";
import { useClock, type Clock } from "./clock.ts";
import { useCommentsContext, type CommentsContextValue } from "./comments-room.ts";
import { withAnchorEdge, MIN_RANGE_MS, resolveVersion } from "./model/moment.ts";
import { formatAnchor } from "./words.ts";

const CHIP_CLASS = "tabular inline-flex h-7 shrink-0 items-center rounded-sm font-semibold whitespace-nowrap";
const PART_CLASS = "inline-flex h-full min-w-6 items-center justify-center hover:brightness-110";

/** Sets the anchor and focuses the composer, because the pressed button disappears with the change. */
function useSetAnchor(): CommentsContextValue["mark"] {
  const { mark, composerRef } = useCommentsContext();
  return (update) => {
    mark(update);
    composerRef.current?.focus();
  };
}

/** Shows the anchor of the draft. Follows the playback position until text is entered or an anchor is chosen. */
export function AnchorChip({ clock }: { clock: Clock | null }) {
  const { draft, version } = useCommentsContext();
  const setAnchor = useSetAnchor();
  const { mark: anchor } = draft;
  const targetVersion = resolveVersion(anchor, version);
  if (anchor.kind === "at") {
    return (
      <span className={`${CHIP_CLASS} bg-accent-soft pl-2 text-accent-text`}>
        {formatAnchor(anchor.at, anchor.end)}
        {targetVersion !== version && <span className="pl-1.5 font-normal">{t("ofVersion", { number: targetVersion })}</span>}
        {clock && draft.text !== "" && <RangeEndButton clock={clock} startMs={anchor.at} hasEnd={anchor.end !== null} />}
        <button
          type="button"
          aria-label={t("removeTimestamp")}
          title={t("removeTimestamp")}
          onClick={() => setAnchor(() => ({ kind: "none" }))}
          className={`${PART_CLASS} pr-0.5`}
        >
          <X size={14} aria-hidden />
        </button>
      </span>
    );
  }
  return clock && <CurrentPosition clock={clock} isFollowing={anchor.kind === "follow"} />;
}

/** Shows the playback position. For a comment on the whole file, renders a button that anchors the comment at the current position. */
function CurrentPosition({ clock, isFollowing }: { clock: Clock; isFollowing: boolean }) {
  const setAnchor = useSetAnchor();
  const time = useClock(clock, formatTenths);
  if (isFollowing) return <span className={`${CHIP_CLASS} bg-accent-soft px-2 text-accent-text`}>{time}</span>;
  return (
    <button
      type="button"
      aria-label={t("addTimestamp", { time })}
      title={t("addTimestamp", { time })}
      onClick={() => setAnchor(() => withAnchorEdge({ kind: "follow" }, "in", clock.state().position))}
      className={`${CHIP_CLASS} border border-dashed border-line-strong px-2 text-text-2 hover:text-text`}
    >
      {t("timestamp", { time })}
    </button>
  );
}

/** Ends the range at the playback position, for users without a keyboard. Appears once playback has moved away from the anchor. */
function RangeEndButton({ clock, startMs, hasEnd }: { clock: Clock; startMs: number; hasEnd: boolean }) {
  const setAnchor = useSetAnchor();
  const time = useClock(clock, (seconds) => (!hasEnd && Math.abs(seconds * 1_000 - startMs) >= 10 * MIN_RANGE_MS ? formatTenths(seconds) : null));
  if (time === null) return null;
  return (
    <button
      type="button"
      aria-label={t("endRange", { time })}
      title={t("endRange", { time })}
      onClick={() => setAnchor((previous) => withAnchorEdge(previous, "out", clock.state().position))}
      className={`${PART_CLASS} ml-1`}
    >
      <MoveHorizontal size={14} aria-hidden />
    </button>
  );
}
