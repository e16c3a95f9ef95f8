import { useEffect, useEffectEvent } from "react";
import { useLocation, useNavigate } from "react-router";
import type { Deck } from "../../../../audio/deck.ts";
import { atPosition, positionAlone, tenths } from "../../model/position-address.ts";

/** A hand on the waveform has come to rest. */
const RESTED_MS = 500;

/**
 * Keeps the position in the address, so that reload, bookmark and a copied address lead to it: whenever the sound rests at another place.
 * Answers what writes a position there at once.
 */
export function usePositionAddress(deck: Deck): (position: number) => string {
  const navigate = useNavigate();
  const { pathname, search, state } = useLocation();
  const addressOf = (position: number) => `${pathname}?${atPosition(search, position)}`;
  function show(address: string) {
    void navigate(address, { replace: true, state: { ...(state as object | null), keepPosition: true } });
    return address;
  }
  const rest = useEffectEvent((opened: number) => {
    const { position } = deck.state();
    if (tenths(position) === tenths(opened) && !new URLSearchParams(search).has("t")) return;
    if (`${pathname}${search}` !== addressOf(position)) show(addressOf(position));
  });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const opened = deck.state().position;
    const stop = deck.subscribe(() => {
      clearTimeout(timer);
      if (!deck.state().playing) timer = setTimeout(() => rest(opened), RESTED_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [deck]);
  return (position) => show(`${pathname}?${positionAlone(search, position)}`);
}
