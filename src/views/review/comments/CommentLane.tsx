import { useId, useMemo, useState, type KeyboardEvent } from "react";
import { classes } from "../../../lib/classes.ts";
import { formatTenths } from "../../../lib/duration.ts";
import { hueOf } from "../../../lib/hue.ts";
import { t } from "../../../lib/messages/comments.ts";
import { Avatar } from "../../../ui/Avatar.tsx";
import { spotOf, type Spot } from "../../../ui/Floating.tsx";
import { pixelsPerSecond, xOf, type Viewport } from "../model/viewport.ts";
import { useClock } from "./clock.ts";
import { useMaybeComments, type CommentsRoom } from "./comments-room.ts";
import { currentAt } from "./model/current.ts";
import { inSight, MARKER, placed, type Bar, type Stack } from "./model/placing.ts";
import { isResolved, type Thread } from "./model/threads.ts";
import { StackMenu } from "./StackMenu.tsx";
import { useLaneDrag } from "./use-lane-drag.ts";
import { placeWords } from "./words.ts";

/** The comments under the waveform, each at its moment of what the lane shows. */
export function CommentLane({ view }: { view: Viewport }) {
  const room = useMaybeComments();
  return room && view.width > 0 && <Lane room={room} view={view} />;
}

function Lane({ room, view }: { room: CommentsRoom; view: Viewport }) {
  const { clock, shown, draft, accountId, act } = room;
  const scale = pixelsPerSecond(view);
  const length = clock?.duration ?? 0;
  const all = useMemo(() => placed(shown, scale, length), [shown, scale, length]);
  const from = view.from * scale;
  const { stacks, bars } = inSight(all, from, from + view.width);
  const current = useClock(clock, (seconds) => currentAt(shown, seconds * 1_000)?.key ?? null);
  const [reached, setReached] = useState<string | null>(null);
  const [opened, setOpened] = useState<{ keys: ReadonlySet<string>; at: Spot } | null>(null);
  const several = shown.filter(({ key }) => opened?.keys.has(key));
  const drag = useLaneDrag(view, room.composeRange);
  const id = useId();
  const tabbed = stacks.some(({ key }) => key === reached) ? reached : stacks[0]?.key;
  const lane = (key: string) => document.getElementById(`${id}${key}`);

  const onKeyDown = (event: KeyboardEvent, stack: Stack<Thread>) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    // Here they lead from marker to marker.
    event.preventDefault();
    event.stopPropagation();
    const next = stacks[stacks.indexOf(stack) + step];
    if (next) lane(next.key)?.focus();
  };
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keyboard draws a range by I and O */}
      <div role="group" aria-label={t("lane")} {...drag.on} className="relative h-8 cursor-crosshair touch-pan-y overflow-hidden select-none">
        {draft.mark.kind === "at" && <DraftMark at={draft.mark.at} end={draft.mark.end} view={view} accountId={accountId} />}
        {drag.range && <DraftMark at={drag.range.from} end={drag.range.to} view={view} accountId={accountId} />}
        {bars.map((bar) => (
          <RangeBar key={bar.note.key} bar={bar} left={bar.x - from} room={room} current={bar.note.key === current} />
        ))}
        {stacks.map((stack) => (
          <Marker
            key={stack.key}
            id={`${id}${stack.key}`}
            stack={stack}
            left={stack.x - from}
            room={room}
            current={stack.notes.some(({ key }) => key === current)}
            tabIndex={stack.key === tabbed ? 0 : -1}
            onFocus={() => setReached(stack.key)}
            onKeyDown={(event) => onKeyDown(event, stack)}
            onStack={(at) => setOpened({ keys: new Set(stack.notes.map(({ key }) => key)), at })}
          />
        ))}
      </div>
      {/* Beside the lane: a press in it is none on the lane, which would take the pointer for itself. */}
      {opened && several.length > 0 && (
        <StackMenu
          threads={several}
          at={opened.at}
          room={room}
          onClose={() => setOpened(null)}
          onChoose={(thread) => {
            setOpened(null);
            requestAnimationFrame(() => act.open(thread, { fromList: false }));
          }}
        />
      )}
    </>
  );
}

function wordsOf(thread: Thread, room: CommentsRoom): string {
  const { at, end, body, comment } = thread;
  const values = { name: room.personOf(thread).name, text: comment?.deleted ? t("deletedOne") : body };
  const from = formatTenths((at ?? 0) / 1_000);
  return end === null ? t("marker", { ...values, time: from }) : t("markerRange", { ...values, from, to: formatTenths(end / 1_000) });
}

interface MarkerProps {
  id: string;
  stack: Stack<Thread>;
  left: number;
  room: CommentsRoom;
  current: boolean;
  tabIndex: 0 | -1;
  onFocus(): void;
  onKeyDown(event: KeyboardEvent): void;
  onStack(at: Spot): void;
}

/** One comment, or several that would lie on each other. */
function Marker({ id, stack, left, room, current, onStack, ...rest }: MarkerProps) {
  const { notes } = stack;
  const first = notes[0]!;
  const { name, avatarUrl } = room.personOf(first);
  const several = notes.length > 1;
  const label = several ? t("stack", { count: notes.length, time: formatTenths((first.at ?? 0) / 1_000) }) : wordsOf(first, room);
  const done = notes.every(isResolved);
  return (
    <button
      {...rest}
      id={id}
      type="button"
      data-marker
      aria-label={label}
      title={label}
      aria-haspopup={several ? "menu" : undefined}
      onClick={({ currentTarget }) => (several ? onStack(spotOf(currentTarget)) : room.act.open(first, { fromList: false }))}
      style={{ left: left - MARKER / 2 }}
      className={classes(
        "absolute top-1 z-1 size-6 rounded-full ring-2 ring-wave-bg focus-visible:outline-offset-0",
        current && "z-2 outline-2 outline-accent",
        done && "opacity-55",
      )}
    >
      <Avatar id={first.accountId} name={name} url={avatarUrl} size="sm" />
      {several && (
        <span
          aria-hidden
          className="tabular absolute -top-1 -right-1.5 min-w-4 rounded-full bg-text px-1 text-center text-[10px] leading-4 font-semibold text-bg"
        >
          {notes.length}
        </span>
      )}
    </button>
  );
}

/** A stretch; by keys its marker is reached. */
function RangeBar({ bar, left, room, current }: { bar: Bar<Thread>; left: number; room: CommentsRoom; current: boolean }) {
  const { note, width } = bar;
  return (
    <button
      type="button"
      data-marker
      tabIndex={-1}
      aria-hidden
      title={wordsOf(note, room)}
      onClick={() => room.act.open(note, { fromList: false })}
      data-hue={hueOf(note.accountId)}
      style={{ left, width }}
      className={classes("hue-range absolute top-1 h-6 rounded-full border", current && "hue-range-strong", isResolved(note) && "opacity-55")}
    />
  );
}

/** What is being written about. */
function DraftMark({ at, end, view, accountId }: { at: number; end: number | null; view: Viewport; accountId: number }) {
  const left = xOf(view, at / 1_000);
  if (end !== null) {
    return (
      <span
        aria-hidden
        data-draft={placeWords(at, end)}
        style={{ left, width: Math.max(4, xOf(view, end / 1_000) - left) }}
        className="pointer-events-none absolute top-1 h-6 rounded-full border border-dashed border-accent bg-accent-soft"
      />
    );
  }
  return (
    <span
      aria-hidden
      data-draft={placeWords(at, null)}
      data-hue={hueOf(accountId)}
      style={{ left: left - 1 }}
      className="pointer-events-none absolute inset-y-0 w-0.5 bg-accent"
    />
  );
}
