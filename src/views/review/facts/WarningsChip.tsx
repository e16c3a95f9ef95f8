import { TriangleAlert } from "lucide-react";
import { useRef, useState } from "react";
import { formatTenths } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/review-facts.ts";
import { Floating } from "../../../ui/Floating.tsx";
import { usePlayerContext } from "../player/player-context.ts";
import type { LoudnessWarning, Place } from "./audio-facts.ts";

/** Places listed per warning; the waveform marks all of them. */
const MAX_LISTED = 12;

/** Counts the warnings and lists them, with their places as buttons that seek there. */
export function WarningsChip({ warnings }: { warnings: readonly LoudnessWarning[] }) {
  const [isOpen, setIsOpen] = useState(false);
  const chip = useRef<HTMLButtonElement>(null);
  if (warnings.length === 0) return null;
  return (
    <>
      <button
        ref={chip}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(true)}
        className="ml-1.5 inline-flex h-7 items-center gap-1.5 rounded-full bg-accent-soft px-2.5 text-sm font-medium whitespace-nowrap text-accent-text hover:brightness-110 max-tablet:h-10"
      >
        <TriangleAlert size={14} aria-hidden />
        <span className="max-tablet:sr-only">{t("warningCount", { count: warnings.length })}</span>
        <span aria-hidden className="tabular tablet:hidden">
          {warnings.length}
        </span>
      </button>
      {isOpen && (
        <Floating label={t("warnings")} anchor={chip} align="end" onClose={() => setIsOpen(false)} className="w-90 max-w-[calc(100vw-16px)] p-4">
          <h2 className="font-semibold">{t("warnings")}</h2>
          <WarningList warnings={warnings} canSeek />
        </Floating>
      )}
    </>
  );
}

/** `canSeek` lists the places, which needs the page's player. */
export function WarningList({ warnings, canSeek = false }: { warnings: readonly LoudnessWarning[]; canSeek?: boolean }) {
  return (
    <ul className="mt-1.5 flex flex-col gap-3">
      {warnings.map(({ code, text, help, places }) => (
        <li key={`${code} ${text}`} className="flex gap-2.5">
          <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-accent-text" />
          <div className="min-w-0">
            <p className="font-medium">{text}</p>
            {help !== null && <p className="text-sm text-text-2">{help}</p>}
            {canSeek && places.length > 0 && <Places places={places} />}
          </div>
        </li>
      ))}
    </ul>
  );
}

function Places({ places }: { places: readonly Place[] }) {
  const { trackController, viewport } = usePlayerContext();
  const rest = places.length - MAX_LISTED;
  return (
    <ul className="mt-1.5 flex flex-wrap items-center gap-1">
      {places.slice(0, MAX_LISTED).map(({ from, to }) => (
        <li key={from}>
          <button
            type="button"
            aria-label={t("goToPlace", { time: formatPlace(from, to) })}
            onClick={() => {
              trackController.seek(from);
              viewport.reveal(from);
            }}
            className="tabular h-7 rounded-sm bg-surface px-2 text-sm font-medium text-accent-text hover:bg-hover pointer-coarse:h-10"
          >
            {formatPlace(from, to)}
          </button>
        </li>
      ))}
      {rest > 0 && <li className="pl-1 text-sm text-text-2">{t("morePlaces", { count: rest })}</li>}
    </ul>
  );
}

/** Formats a place as one time, or as a range where it is long enough to tell its ends apart. */
const formatPlace = (from: number, to: number): string => (to - from < 0.1 ? formatTenths(from) : `${formatTenths(from)}–${formatTenths(to)}`);
