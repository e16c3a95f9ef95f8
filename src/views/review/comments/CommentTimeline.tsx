import { useId, useMemo, useState, type KeyboardEvent } from "react";
import { classNames } from "../../../lib/class-names.ts";
import { formatTenths } from "../../../lib/format.ts";
import { hueOf } from "../../../lib/hue.ts";
import { t } from "../../../lib/texts/comments.ts";
import { useSession } from "../../../queries/session.ts";
import { Avatar } from "../../../ui/Avatar.tsx";
import { anchorRectOf, type AnchorRect } from "../../../ui/Floating.tsx";
import { pixelsPerSecond, toX, type VisibleRange } from "../waveform/viewport.ts";
import { useCommentComposer, useCommentInteraction, useCommentThreads } from "./comments-context.ts";
import { formatAnchor } from "./format.ts";
import { visibleMarkers, MARKER_SIZE_PX, layOutMarkers, type Bar, type MarkerStack } from "./marker-layout.ts";
import { type CommentPlayback, findCurrent, usePlaybackValue } from "./playback.ts";
import { StackMenu } from "./StackMenu.tsx";
import { isResolved, type Thread } from "./threads.ts";
import { useRangeDrag } from "./use-range-drag.ts";

interface Props {
  view: VisibleRange;
  playback: CommentPlayback;
}

/** Renders the comment markers under the waveform, each at its position in the visible range. */
export function CommentTimeline({ view, playback }: Props) {
  return view.width > 0 && <Timeline view={view} playback={playback} />;
}

function Timeline({ view, playback }: Props) {
  const { id: accountId } = useSession().account;
  const { visibleThreads } = useCommentThreads();
  const { draft, composeRange } = useCommentComposer();
  const { actions } = useCommentInteraction();
  const scale = pixelsPerSecond(view);
  const { duration } = playback;
  const layout = useMemo(() => layOutMarkers(visibleThreads, scale, duration), [visibleThreads, scale, duration]);
  const startX = view.from * scale;
  const { stacks, bars } = visibleMarkers(layout, startX, startX + view.width);
  const currentKey = usePlaybackValue(playback, (seconds) => findCurrent(visibleThreads, seconds * 1_000)?.key ?? null);
  const [focusedKey, setFocusedKey] = useState<string | null>(null);
  const [openStack, setOpenStack] = useState<{ keys: ReadonlySet<string>; anchor: AnchorRect } | null>(null);
  const stackThreads = visibleThreads.filter(({ key }) => openStack?.keys.has(key));
  const drag = useRangeDrag(view, composeRange);
  const id = useId();
  const tabStopKey = stacks.some(({ key }) => key === focusedKey) ? focusedKey : stacks[0]?.key;
  const findMarker = (key: string) => document.getElementById(`${id}${key}`);

  const onKeyDown = (event: KeyboardEvent, stack: MarkerStack<Thread>) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    // The arrow keys move between markers here instead of seeking.
    event.preventDefault();
    event.stopPropagation();
    const next = stacks[stacks.indexOf(stack) + step];
    if (next) findMarker(next.key)?.focus();
  };
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- on the keyboard, I and O set the range */}
      <div role="group" aria-label={t("markers")} {...drag.handlers} className="relative h-8 cursor-crosshair touch-pan-y overflow-hidden select-none">
        {draft.anchor.kind === "at" && <DraftMarker startMs={draft.anchor.startMs} endMs={draft.anchor.endMs} view={view} accountId={accountId} />}
        {drag.range && <DraftMarker startMs={drag.range.from} endMs={drag.range.to} view={view} accountId={accountId} />}
        {bars.map((bar) => (
          <RangeBar key={bar.item.key} bar={bar} left={bar.x - startX} isCurrent={bar.item.key === currentKey} />
        ))}
        {stacks.map((stack) => (
          <Marker
            key={stack.key}
            id={`${id}${stack.key}`}
            stack={stack}
            left={stack.x - startX}
            isCurrent={stack.items.some(({ key }) => key === currentKey)}
            tabIndex={stack.key === tabStopKey ? 0 : -1}
            onFocus={() => setFocusedKey(stack.key)}
            onKeyDown={(event) => onKeyDown(event, stack)}
            onOpenStack={(anchor) => setOpenStack({ keys: new Set(stack.items.map(({ key }) => key)), anchor })}
          />
        ))}
      </div>
      {/* The menu is rendered outside the timeline, because a press inside the timeline captures the pointer. */}
      {openStack && stackThreads.length > 0 && (
        <StackMenu
          threads={stackThreads}
          anchor={openStack.anchor}
          onClose={() => setOpenStack(null)}
          onSelect={(thread) => {
            setOpenStack(null);
            requestAnimationFrame(() => actions.open(thread, { isFromList: false }));
          }}
        />
      )}
    </>
  );
}

function markerLabel({ startMs, endMs, body, comment }: Thread, name: string): string {
  const values = { name, text: comment?.deleted ? t("commentDeleted") : body };
  const startTime = formatTenths((startMs ?? 0) / 1_000);
  return endMs === null ? t("marker", { ...values, time: startTime }) : t("markerRange", { ...values, from: startTime, to: formatTenths(endMs / 1_000) });
}

interface MarkerProps {
  id: string;
  stack: MarkerStack<Thread>;
  left: number;
  isCurrent: boolean;
  tabIndex: 0 | -1;
  onFocus(): void;
  onKeyDown(event: KeyboardEvent): void;
  onOpenStack(anchor: AnchorRect): void;
}

/** Renders one comment, or a stack of comments whose markers would overlap. */
function Marker({ id, stack, left, isCurrent, onOpenStack, ...rest }: MarkerProps) {
  const { personOf } = useCommentThreads();
  const { actions } = useCommentInteraction();
  const { items } = stack;
  const first = items[0]!;
  const { name, avatarUrl } = personOf(first);
  const isStack = items.length > 1;
  const label = isStack ? t("stack", { count: items.length, time: formatTenths((first.startMs ?? 0) / 1_000) }) : markerLabel(first, name);
  const isResolvedStack = items.every(isResolved);
  return (
    <button
      {...rest}
      id={id}
      type="button"
      data-marker
      aria-label={label}
      title={label}
      aria-haspopup={isStack ? "menu" : undefined}
      onClick={({ currentTarget }) => (isStack ? onOpenStack(anchorRectOf(currentTarget)) : actions.open(first, { isFromList: false }))}
      style={{ left: left - MARKER_SIZE_PX / 2 }}
      className={classNames(
        "absolute top-1 z-1 size-6 rounded-full ring-2 ring-wave-bg focus-visible:outline-offset-0",
        isCurrent && "z-2 outline-2 outline-accent",
        isResolvedStack && "opacity-55",
      )}
    >
      <Avatar id={first.accountId} name={name} url={avatarUrl} size="sm" />
      {isStack && (
        <span
          aria-hidden
          className="tabular absolute -top-1 -right-1.5 min-w-4 rounded-full bg-text px-1 text-center text-[10px] leading-4 font-semibold text-bg"
        >
          {items.length}
        </span>
      )}
    </button>
  );
}

/** Renders the bar of a range comment. The bar is pointer-only, because the keyboard reaches the comment through its marker. */
function RangeBar({ bar, left, isCurrent }: { bar: Bar<Thread>; left: number; isCurrent: boolean }) {
  const { personOf } = useCommentThreads();
  const { actions } = useCommentInteraction();
  const { item, width } = bar;
  return (
    <button
      type="button"
      data-marker
      tabIndex={-1}
      aria-hidden
      title={markerLabel(item, personOf(item).name)}
      onClick={() => actions.open(item, { isFromList: false })}
      data-hue={hueOf(item.accountId)}
      style={{ left, width }}
      className={classNames("hue-range absolute top-1 h-6 rounded-full border", isCurrent && "hue-range-strong", isResolved(item) && "opacity-55")}
    />
  );
}

/** Shows the position or range of the comment being written. */
function DraftMarker({ startMs, endMs, view, accountId }: { startMs: number; endMs: number | null; view: VisibleRange; accountId: number }) {
  const left = toX(view, startMs / 1_000);
  if (endMs !== null) {
    return (
      <span
        aria-hidden
        data-draft={formatAnchor(startMs, endMs)}
        style={{ left, width: Math.max(4, toX(view, endMs / 1_000) - left) }}
        className="pointer-events-none absolute top-1 h-6 rounded-full border border-dashed border-accent bg-accent-soft"
      />
    );
  }
  return (
    <span
      aria-hidden
      data-draft={formatAnchor(startMs, null)}
      data-hue={hueOf(accountId)}
      style={{ left: left - 1 }}
      className="pointer-events-none absolute inset-y-0 w-0.5 bg-accent"
    />
  );
}
