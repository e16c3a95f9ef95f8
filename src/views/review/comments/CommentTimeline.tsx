import { type ComponentProps, useId, useMemo, useState, type KeyboardEvent, type PointerEvent } from "react";
import { classNames } from "../../../lib/class-names.ts";
import { formatTenths } from "../../../lib/format.ts";
import { hueOf } from "../../../lib/hue.ts";
import { t } from "../../../lib/texts/comments.ts";
import { Avatar } from "../../../components/Avatar.tsx";
import { accessibleName, useAgentIds } from "../../../queries/agents/agent-accounts.ts";
import { anchorRectOf, type AnchorRect } from "../../../ui/Floating.tsx";
import { usePlayerContext, useVisibleRange } from "../player/player-context.ts";
import { usePointerDrag } from "../waveform/use-pointer-drag.ts";
import { pixelsPerSecond, toX, type VisibleRange, secondsAt } from "../waveform/viewport.ts";
import { useFileComments } from "./CommentsProvider.tsx";
import { formatAnchor } from "./format.ts";
import { visibleMarkers, MARKER_SIZE_PX, layOutMarkers, type Bar, type MarkerStack } from "./marker-layout.ts";
import { findCurrent, usePlaybackValue } from "./playback.ts";
import { StackMenu } from "./StackMenu.tsx";
import { isResolved, plainText, type Thread } from "./threads.ts";

/** Renders the comment markers under the waveform, each at its position in the visible range. */
export function CommentTimeline() {
  const view = useVisibleRange();
  return view.width > 0 && <Timeline view={view} />;
}

function Timeline({ view }: { view: VisibleRange }) {
  const { trackController: playback } = usePlayerContext();
  const { visibleThreads, draft, composeRange, actions } = useFileComments();
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
        {draft.anchor.kind === "at" && <DraftMarker startMs={draft.anchor.startMs} endMs={draft.anchor.endMs} view={view} />}
        {drag.range && <DraftMarker startMs={drag.range.from} endMs={drag.range.to} view={view} />}
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

function markerLabel(thread: Thread, name: string, nameOf: (accountId: number) => string): string {
  const { startMs, endMs, comment } = thread;
  const values = { name, text: comment?.deleted ? t("commentDeleted") : plainText(thread, nameOf) };
  const startTime = formatTenths((startMs ?? 0) / 1_000);
  return endMs === null ? t("marker", { ...values, time: startTime }) : t("markerRange", { ...values, from: startTime, to: formatTenths(endMs / 1_000) });
}

interface MarkerProps extends Pick<ComponentProps<"button">, "id" | "tabIndex" | "onFocus" | "onKeyDown"> {
  stack: MarkerStack<Thread>;
  left: number;
  isCurrent: boolean;
  onOpenStack(anchor: AnchorRect): void;
}

/** Renders one comment, or a stack of comments whose markers would overlap. */
function Marker({ stack, left, isCurrent, onOpenStack, ...rest }: MarkerProps) {
  const { nameOf, personOf, actions } = useFileComments();
  const agentIds = useAgentIds();
  const { items } = stack;
  const first = items[0]!;
  const { name, avatarUrl } = personOf(first);
  const isStack = items.length > 1;
  const label = isStack
    ? t("stack", { count: items.length, time: formatTenths((first.startMs ?? 0) / 1_000) })
    : markerLabel(first, accessibleName(name, agentIds.has(first.accountId)), nameOf);
  const isResolvedStack = items.every(isResolved);
  return (
    <button
      {...rest}
      type="button"
      data-marker
      aria-label={label}
      data-tooltip={label}
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
  const { nameOf, personOf, actions } = useFileComments();
  const agentIds = useAgentIds();
  const { item, width } = bar;
  return (
    <button
      type="button"
      data-marker
      tabIndex={-1}
      aria-hidden
      title={markerLabel(item, accessibleName(personOf(item).name, agentIds.has(item.accountId)), nameOf)}
      onClick={() => actions.open(item, { isFromList: false })}
      data-hue={hueOf(item.accountId)}
      style={{ left, width }}
      className={classNames("hue-range absolute top-1 h-6 rounded-full border", isCurrent && "hue-range-strong", isResolved(item) && "opacity-55")}
    />
  );
}

function DraftMarker({ startMs, endMs, view }: { startMs: number; endMs: number | null; view: VisibleRange }) {
  const left = toX(view, startMs / 1_000);
  return (
    <span
      aria-hidden
      data-draft={formatAnchor(startMs, endMs)}
      style={endMs === null ? { left: left - 1 } : { left, width: Math.max(4, toX(view, endMs / 1_000) - left) }}
      className={classNames(
        "pointer-events-none absolute",
        endMs === null ? "inset-y-0 w-0.5 bg-accent" : "top-1 h-6 rounded-full border border-dashed border-accent bg-accent-soft",
      )}
    />
  );
}

/** Lets the user draw a range in milliseconds by dragging over an empty part of the comment timeline. */
function useRangeDrag(view: VisibleRange, onRange: (from: number, to: number) => void) {
  const [range, setRange] = useState<{ from: number; to: number } | null>(null);
  const msAt = ({ clientX, currentTarget }: PointerEvent) => Math.max(0, secondsAt(view, clientX - currentTarget.getBoundingClientRect().left) * 1_000);
  const { handlers } = usePointerDrag({
    followsPlayback: true,
    // Markers handle their own clicks, and a vertical touch drag scrolls the page.
    onStart: (event) => ((event.target as Element).closest("[data-marker]") ? null : msAt(event)),
    onMove: (event, startMs) => setRange({ from: Math.min(startMs, msAt(event)), to: Math.max(startMs, msAt(event)) }),
    onEnd(_, outcome) {
      setRange(null);
      if (outcome === "dragged" && range) onRange(range.from, range.to);
    },
  });
  return { range, handlers };
}
