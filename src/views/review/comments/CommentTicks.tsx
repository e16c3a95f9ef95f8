import { useMemo, useRef } from "react";
import { classNames } from "../../../lib/class-names.ts";
import { formatTenths } from "../../../lib/format.ts";
import { hueOf } from "../../../lib/hue.ts";
import { t } from "../../../lib/texts/comments.ts";
import { useWidth } from "../../../ui/responsive.ts";
import { usePlayerContext } from "../player/player-context.ts";
import { useFileComments } from "./CommentsProvider.tsx";
import { layOutTicks, TICK_SPACING_PX, type Tick } from "./overview-ticks.ts";
import { isResolved, type Thread } from "./threads.ts";

/** Shows where in the whole file the comments are, also those that the filter hides. The list has the same for the keyboard and assistive technology. */
export function CommentTicks() {
  const { trackController } = usePlayerContext();
  const { threads } = useFileComments();
  const strip = useRef<HTMLDivElement>(null);
  const width = useWidth(strip);
  const { duration } = trackController;
  const shown = useMemo(() => (threads ?? []).filter(({ comment }) => comment?.deleted !== true), [threads]);
  const ticks = useMemo(() => layOutTicks(shown, duration, width), [shown, duration, width]);
  return (
    <div ref={strip} aria-hidden data-testid="comment-ticks" className="relative h-4 border-t border-line">
      {duration > 0 &&
        shown.map(
          (thread) => thread.startMs !== null && thread.endMs !== null && <RangeLine key={thread.key} thread={thread} pixelsPerMs={width / duration / 1_000} />,
        )}
      {ticks.map((tick) => (
        <TickButton key={tick.key} tick={tick} />
      ))}
    </div>
  );
}

function RangeLine({ thread, pixelsPerMs }: { thread: Thread; pixelsPerMs: number }) {
  return (
    <span
      data-hue={hueOf(thread.accountId)}
      className={classNames("hue-range absolute top-1.5 h-1 rounded-full border", isResolved(thread) && "opacity-45")}
      style={{ left: thread.startMs! * pixelsPerMs, width: Math.max(4, (thread.endMs! - thread.startMs!) * pixelsPerMs) }}
    />
  );
}

/** Goes to the comment, or to the first open one of several. */
function TickButton({ tick: { x, items } }: { tick: Tick<Thread> }) {
  const { personOf, actions, keepVisible } = useFileComments();
  const first = items.find((item) => !isResolved(item)) ?? items[0]!;
  const isQuiet = items.every(isResolved);
  const time = formatTenths((first.startMs ?? 0) / 1_000);
  const label = items.length > 1 ? t("stack", { count: items.length, time }) : t("marker", { name: personOf(first).name, time, text: first.body });
  return (
    <button
      type="button"
      tabIndex={-1}
      title={label}
      data-hue={hueOf(first.accountId)}
      onClick={() => {
        keepVisible(first.key);
        actions.open(first, { isFromList: false });
      }}
      style={{ left: x - TICK_SPACING_PX / 2, width: TICK_SPACING_PX }}
      className={classNames("absolute inset-y-0 flex items-center justify-center", isQuiet && "opacity-45")}
    >
      {items.length > 1 ? (
        <span className="tabular flex h-3.5 min-w-3.5 items-center justify-center rounded-full bg-text px-0.5 text-[10px] leading-none font-semibold text-bg">
          {items.length}
        </span>
      ) : (
        <span className="hue-dot size-2 rounded-full" />
      )}
    </button>
  );
}
