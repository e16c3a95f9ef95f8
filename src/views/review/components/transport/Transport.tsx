import { Pause, Play, RotateCcw, RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import type { Deck } from "../../../../audio/deck.ts";
import { useDeckPart } from "../../../../audio/use-deck.ts";
import { classes } from "../../../../lib/classes.ts";
import { t } from "../../../../lib/messages/review-player.ts";
import { IconButton } from "../../../../ui/IconButton.tsx";
import { Notice } from "../../../../ui/Notice.tsx";
import { LoopButton } from "./LoopButton.tsx";
import { SpeedMenu } from "./SpeedMenu.tsx";
import { VolumeControl } from "./VolumeControl.tsx";

const STEP_SECONDS = 5;

interface Props {
  deck: Deck;
  /** Where it stands. */
  time: ReactNode;
  /** What else there is to choose and to know. */
  children: ReactNode;
}

/** Play, pause, where it stands, and how it is heard. */
export function Transport({ deck, time, children }: Props) {
  return (
    <div className="flex min-h-18 flex-wrap items-center gap-x-2 gap-y-1 py-2.5">
      <Steps deck={deck} />
      {time}
      <Waiting deck={deck} />
      <div className="ml-auto flex min-w-0 flex-wrap items-center gap-x-0.5 gap-y-1 max-tablet:ml-0 max-tablet:w-full max-tablet:justify-between">
        <LoopButton deck={deck} />
        <SpeedMenu deck={deck} />
        <VolumeControl />
        {children}
      </div>
      <Fault deck={deck} />
    </div>
  );
}

function Steps({ deck }: { deck: Deck }) {
  const playing = useDeckPart(deck, "playing");
  const waiting = useDeckPart(deck, "waiting");
  const Icon = playing ? Pause : Play;
  const by = (seconds: number) => deck.seek(deck.state().position + seconds);
  return (
    <>
      <IconButton label={t("back5")} className="size-10" onClick={() => by(-STEP_SECONDS)}>
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
      <IconButton label={t("forward5")} className="size-10" onClick={() => by(STEP_SECONDS)}>
        <RotateCw size={20} aria-hidden />
      </IconButton>
    </>
  );
}

function Waiting({ deck }: { deck: Deck }) {
  const waiting = useDeckPart(deck, "waiting");
  return waiting && <span className="text-sm text-text-2">{t("buffering")}</span>;
}

function Fault({ deck }: { deck: Deck }) {
  const fault = useDeckPart(deck, "fault");
  return (
    fault && (
      <Notice title={t("unplayable")} className="w-full">
        {fault}
      </Notice>
    )
  );
}
