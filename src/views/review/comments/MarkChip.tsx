import { MoveHorizontal, X } from "lucide-react";
import { formatTenths } from "../../../lib/duration.ts";
import { t } from "../../../lib/messages/comments.ts";
import { useClock, type Clock } from "./clock.ts";
import { useCommentsRoom, type CommentsRoom } from "./comments-room.ts";
import { bounded, LEAST_RANGE, versionOf } from "./model/moment.ts";
import { placeWords } from "./words.ts";

const CHIP = "tabular inline-flex h-7 shrink-0 items-center rounded-sm font-semibold whitespace-nowrap";
const PART = "inline-flex h-full min-w-6 items-center justify-center hover:brightness-110";

/** The button that was pressed goes with what it changes: one goes on writing. */
function useChoose(): CommentsRoom["mark"] {
  const { mark, composer } = useCommentsRoom();
  return (change) => {
    mark(change);
    composer.current?.focus();
  };
}

/** The moment that the comment is about: the one that is heard, until something is written or chosen. */
export function MarkChip({ clock }: { clock: Clock | null }) {
  const { draft, version } = useCommentsRoom();
  const choose = useChoose();
  const { mark: now } = draft;
  const meant = versionOf(now, version);
  if (now.kind === "at") {
    return (
      <span className={`${CHIP} bg-accent-soft pl-2 text-accent-text`}>
        {placeWords(now.at, now.end)}
        {meant !== version && <span className="pl-1.5 font-normal">{t("ofVersion", { number: meant })}</span>}
        {clock && draft.text !== "" && <EndHere clock={clock} at={now.at} hasEnd={now.end !== null} />}
        <button
          type="button"
          aria-label={t("removeMark")}
          title={t("removeMark")}
          onClick={() => choose(() => ({ kind: "none" }))}
          className={`${PART} pr-0.5`}
        >
          <X size={14} aria-hidden />
        </button>
      </span>
    );
  }
  return clock && <Heard clock={clock} isMeant={now.kind === "follow"} />;
}

/** Goes along with the sound; where the whole file is meant, the way back to a moment. */
function Heard({ clock, isMeant }: { clock: Clock; isMeant: boolean }) {
  const choose = useChoose();
  const time = useClock(clock, formatTenths);
  if (isMeant) return <span className={`${CHIP} bg-accent-soft px-2 text-accent-text`}>{time}</span>;
  return (
    <button
      type="button"
      aria-label={t("addMarkLabel", { time })}
      title={t("addMarkLabel", { time })}
      onClick={() => choose(() => bounded({ kind: "follow" }, "in", clock.state().position))}
      className={`${CHIP} border border-dashed border-line-strong px-2 text-text-2 hover:text-text`}
    >
      {t("addMark", { time })}
    </button>
  );
}

/** The sound has gone on: from the moment to here, for hands without a keyboard. */
function EndHere({ clock, at, hasEnd }: { clock: Clock; at: number; hasEnd: boolean }) {
  const choose = useChoose();
  const time = useClock(clock, (seconds) => (!hasEnd && Math.abs(seconds * 1_000 - at) >= 10 * LEAST_RANGE ? formatTenths(seconds) : null));
  if (time === null) return null;
  return (
    <button
      type="button"
      aria-label={t("endHereLabel", { time })}
      title={t("endHereLabel", { time })}
      onClick={() => choose((before) => bounded(before, "out", clock.state().position))}
      className={`${PART} ml-1`}
    >
      <MoveHorizontal size={14} aria-hidden />
    </button>
  );
}
