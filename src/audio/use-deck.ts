import { useLayoutEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { createDeck, type Deck, type DeckState } from "./deck.ts";
import { player } from "./player.ts";
import type { Track } from "./track.ts";

/**
 * The deck of a track; a new one when its sound or what is known of its length changes.
 * Another version of the same file takes over where the one before stood, and plays on where that played.
 */
export function useDeck(track: Track): Deck {
  const { fileId, version, src, duration, original } = track;
  // oxlint-disable-next-line react/exhaustive-deps -- the rest of a track is its looks
  const deck = useMemo(() => createDeck(player, track), [fileId, version, duration]);
  const before = useRef({ deck, fileId, version });
  useLayoutEffect(() => {
    const was = before.current;
    before.current = { deck, fileId, version };
    if (was.deck === deck || was.fileId !== fileId) return;
    const { position, playing } = was.deck.state();
    if (!deck.state().current) deck.seek(position);
    if (playing && was.version !== version) deck.play();
  }, [deck, fileId, version]);
  // oxlint-disable-next-line react/exhaustive-deps -- as above
  useLayoutEffect(() => deck.update(track), [deck, src, original]);
  return deck;
}

/** Renders with every frame while it sounds. */
export const useDeckState = (deck: Deck): DeckState => useSyncExternalStore(deck.subscribe, deck.state);

/** One part of a deck's state; renders when that changes. */
export const useDeckPart = <K extends keyof DeckState>(deck: Deck, part: K): DeckState[K] => useSyncExternalStore(deck.subscribe, () => deck.state()[part]);
