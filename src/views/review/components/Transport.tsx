import { Link2, Pause, Play, RotateCcw, RotateCw } from "lucide-react";
import { useNavigate } from "react-router";
import type { Deck } from "../../../audio/deck.ts";
import { useDeckState } from "../../../audio/use-deck.ts";
import { classes } from "../../../lib/classes.ts";
import { formatTenths } from "../../../lib/duration.ts";
import { t } from "../../../lib/messages/review.ts";
import { announce } from "../../../ui/announce.ts";
import { buttonClasses } from "../../../ui/Button.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { Notice } from "../../../ui/Notice.tsx";

const STEP_SECONDS = 5;

/** Play, pause, where it stands, and a link to there. */
export function Transport({ deck, fileId }: { deck: Deck; fileId: number }) {
  const { playing, waiting, position, fault } = useDeckState(deck);
  const Icon = playing ? Pause : Play;
  return (
    <div className="flex min-h-20 flex-wrap items-center gap-x-3 gap-y-2 py-3">
      <IconButton label={t("back5")} className="size-10" onClick={() => deck.seek(position - STEP_SECONDS)}>
        <RotateCcw size={20} aria-hidden />
      </IconButton>
      <button
        type="button"
        aria-label={t(playing ? "pause" : "play")}
        aria-busy={waiting || undefined}
        onClick={deck.toggle}
        className={classes("flex size-11 items-center justify-center rounded-full bg-accent text-accent-ink hover:brightness-105", waiting && "animate-pulse")}
      >
        <Icon size={20} aria-hidden className={playing ? undefined : "ml-0.5"} />
      </button>
      <IconButton label={t("forward5")} className="size-10" onClick={() => deck.seek(position + STEP_SECONDS)}>
        <RotateCw size={20} aria-hidden />
      </IconButton>
      <p className="tabular ml-1 flex items-baseline gap-1.5 whitespace-nowrap">
        <span data-testid="position" className="text-xl font-semibold">
          {formatTenths(position)}
        </span>
        <span className="text-text-2">/ {formatTenths(deck.duration)}</span>
      </p>
      {waiting && <span className="text-sm text-text-2">{t("buffering")}</span>}
      <CopyLink fileId={fileId} position={position} />
      {fault && (
        <Notice title={t("unplayable")} className="w-full">
          {fault}
        </Notice>
      )}
    </div>
  );
}

/** Puts the position into the address bar and, where the browser allows it, onto the clipboard. */
function CopyLink({ fileId, position }: { fileId: number; position: number }) {
  const navigate = useNavigate();
  const label = t("copyLink", { time: formatTenths(position) });
  async function copy() {
    const path = `/files/${fileId}?t=${(Math.floor(position * 10) / 10).toFixed(1)}`;
    void navigate(path, { replace: true, state: { keepPosition: true } });
    try {
      await navigator.clipboard.writeText(location.origin + path);
      announce(t("copied"));
    } catch {
      // Not https, or not allowed: the address bar has it.
      announce(t("copiedToBar"));
    }
  }
  return (
    <button type="button" title={label} className={`${buttonClasses("ghost")} ml-auto max-tablet:size-10 max-tablet:p-0`} onClick={() => void copy()}>
      <Link2 size={18} aria-hidden />
      <span className="tabular max-tablet:sr-only">{label}</span>
    </button>
  );
}
