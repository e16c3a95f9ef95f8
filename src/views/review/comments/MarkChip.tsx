import { MoveHorizontal, X } from "lucide-react";
import { formatTenths } from "../../../lib/duration.ts";
import { t } from "../../../lib/messages/comments.ts";
import { useClock, type Clock } from "./clock.ts";
import { useCommentsRoom } from "./comments-room.ts";
import { bounded, LEAST_RANGE } from "./model/moment.ts";
import { placeWords } from "./words.ts";

const CHIP = "tabular inline-flex h-7 shrink-0 items-center rounded-sm font-semibold whitespace-nowrap";
const PART = "inline-flex h-full min-w-6 items-center justify-center hover:brightness-110";

/** The moment that the comment is about: the one that is heard, until something is written or chosen. */
export function MarkChip({ clock }: { clock: Clock }) {
  const { draft, mark } = useCommentsRoom();
  const { mark: now } = draft;
  if (now.kind === "at") {
    return (
      <span className={`${CHIP} bg-accent-soft pl-2 text-accent-text`}>
        {placeWords(now.at, now.end)}
        {draft.text !== "" && <EndHere clock={clock} at={now.at} hasEnd={now.end !== null} />}
        <button type="button" aria-label={t("removeMark")} title={t("removeMark")} onClick={() => mark(() => ({ kind: "none" }))} className={`${PART} pr-0.5`}>
          <X size={14} aria-hidden />
        </button>
      </span>
    );
  }
  return <Heard clock={clock} isMeant={now.kind === "follow"} />;
}

/** Goes along with the sound; where the whole file is meant, the way back to a moment. */
function Heard({ clock, isMeant }: { clock: Clock; isMeant: boolean }) {
  const { mark } = useCommentsRoom();
  const time = useClock(clock, formatTenths);
  if (isMeant) return <span className={`${CHIP} bg-accent-soft px-2 text-accent-text`}>{time}</span>;
  return (
    <button
      type="button"
      aria-label={t("addMarkLabel", { time })}
      title={t("addMarkLabel", { time })}
      onClick={() => mark(() => bounded({ kind: "follow" }, "in", clock.state().position))}
      className={`${CHIP} border border-dashed border-line-strong px-2 text-text-2 hover:text-text`}
    >
      {t("addMark", { time })}
    </button>
  );
}

/** The sound has gone on: from the moment to here, for hands without a keyboard. */
function EndHere({ clock, at, hasEnd }: { clock: Clock; at: number; hasEnd: boolean }) {
  const { mark } = useCommentsRoom();
  const time = useClock(clock, (seconds) => (!hasEnd && Math.abs(seconds * 1_000 - at) >= 10 * LEAST_RANGE ? formatTenths(seconds) : null));
  if (time === null) return null;
  return (
    <button
      type="button"
      aria-label={t("endHereLabel", { time })}
      title={t("endHereLabel", { time })}
      onClick={() => mark((before) => bounded(before, "out", clock.state().position))}
      className={`${PART} ml-1`}
    >
      <MoveHorizontal size={14} aria-hidden />
    </button>
  );
}
