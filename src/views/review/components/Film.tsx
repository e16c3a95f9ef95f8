import { Maximize, Play } from "lucide-react";
import { useEffect, useLayoutEffect, useRef } from "react";
import type { FileInfoAnswer } from "../../../../contract/records.ts";
import type { Deck } from "../../../audio/deck.ts";
import { player } from "../../../audio/player.ts";
import { useDeckPart } from "../../../audio/use-deck.ts";
import { t } from "../../../lib/messages/review-player.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { pictureOf } from "../model/info.ts";

let parking: HTMLElement | null = null;
/** Where the film sounds on while its page is closed: a browser pauses what is in no document. */
function park(film: Node): void {
  if (!parking) {
    parking = document.createElement("div");
    parking.hidden = true;
    document.body.append(parking);
  }
  parking.append(film);
}

/** The picture of a film. It is the player's own element, shown here while it is the current one; a press plays and pauses. */
export function Film({ deck, info: { common, file_info } }: { deck: Deck; info: FileInfoAnswer }) {
  const frame = useRef<HTMLDivElement>(null);
  const current = useDeckPart(deck, "current");
  const { width, height } = file_info as { width?: number; height?: number };
  const poster = pictureOf(file_info, "thumbnail_url") ?? pictureOf(file_info, "stills_url");

  const held = useRef(deck);
  useEffect(() => {
    held.current = deck;
    deck.cue();
  }, [deck]);
  useEffect(() => () => void held.current.leave(), []);
  useLayoutEffect(() => {
    const film = current ? (player.film() as HTMLVideoElement | null) : null;
    if (!film) return;
    film.className = "size-full object-contain";
    film.ariaLabel = t("videoOf", { file: common.name });
    if (poster) film.poster = poster;
    frame.current!.prepend(film);
    return () => {
      film.removeAttribute("poster");
      park(film);
    };
  }, [current, common.name, poster]);

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- the transport's button and its keys do the same
    <div
      ref={frame}
      onClick={deck.toggle}
      style={{ aspectRatio: width && height ? `${width} / ${height}` : "16 / 9" }}
      className="relative mx-auto mb-2 max-h-[46vh] max-w-full cursor-pointer overflow-hidden rounded-lg bg-wave-bg"
    >
      {!current && poster && <img src={poster} alt={t("videoOf", { file: common.name })} decoding="async" className="size-full object-contain" />}
      <Start deck={deck} />
      <IconButton
        label={t("fullScreen")}
        className="absolute right-2 bottom-2 bg-raised/80"
        onClick={(event) => {
          event.stopPropagation();
          void frame.current!.requestFullscreen?.().catch(() => {});
        }}
      >
        <Maximize size={18} aria-hidden />
      </IconButton>
    </div>
  );
}

/** The sign that it can be played, for the eye; the button is below. */
function Start({ deck }: { deck: Deck }) {
  const playing = useDeckPart(deck, "playing");
  const position = useDeckPart(deck, "position");
  if (playing || position > 0) return null;
  return (
    <span
      aria-hidden
      className="pointer-events-none absolute top-1/2 left-1/2 flex size-14 -translate-1/2 items-center justify-center rounded-full bg-accent text-accent-ink"
    >
      <Play size={24} className="ml-1" />
    </span>
  );
}
