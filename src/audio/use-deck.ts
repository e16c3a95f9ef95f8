import { useMemo, useSyncExternalStore } from "react";
import { createDeck, type Deck, type DeckState } from "./deck.ts";
import { player, type Track } from "./player.ts";

/** The deck of a track; a new one when its sound or what is known of its length changes. */
export function useDeck(track: Track): Deck {
  const { fileId, version, src, duration } = track;
  // oxlint-disable-next-line react/exhaustive-deps -- the rest of a track is its looks
  return useMemo(() => createDeck(player, track), [fileId, version, src, duration]);
}

/** Renders with every frame while it sounds. */
export const useDeckState = (deck: Deck): DeckState => useSyncExternalStore(deck.subscribe, deck.state);
