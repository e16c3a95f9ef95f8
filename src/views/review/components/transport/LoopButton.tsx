import { Repeat, X } from "lucide-react";
import type { Deck } from "../../../../audio/deck.ts";
import { useDeckPart } from "../../../../audio/use-deck.ts";
import { formatTenths } from "../../../../lib/duration.ts";
import { t } from "../../../../lib/messages/review-player.ts";
import { announce } from "../../../../ui/announce.ts";
import { IconButton } from "../../../../ui/IconButton.tsx";
import { toolClasses } from "./tool.ts";

/** Loop on and off; without points the whole sound. */
export function LoopButton({ deck }: { deck: Deck }) {
  const loop = useDeckPart(deck, "loop");
  const part = loop !== null && (loop.from > 0 || loop.to < deck.duration);
  const words = loop && part ? t("loopOf", { from: formatTenths(loop.from), to: formatTenths(loop.to) }) : t("loop");
  function toggle() {
    deck.toggleLoop();
    const next = deck.state().loop;
    announce(next?.on ? t("loopOn", { from: formatTenths(next.from), to: formatTenths(next.to) }) : t("loopOff"));
  }
  return (
    <span className="inline-flex items-center">
      <button type="button" aria-pressed={loop?.on ?? false} aria-label={words} title={words} onClick={toggle} className={toolClasses(loop?.on)}>
        <Repeat size={16} aria-hidden />
        <span className="max-desktop:sr-only">{loop && part ? `${formatTenths(loop.from)}–${formatTenths(loop.to)}` : t("loop")}</span>
      </button>
      {part && (
        <IconButton label={t("clearLoop")} className="size-7! max-tablet:size-10!" onClick={() => deck.setLoop(null)}>
          <X size={14} aria-hidden />
        </IconButton>
      )}
    </span>
  );
}
