import { useEffect, useEffectEvent } from "react";
import { useLocation, useNavigate } from "react-router";
import type { TrackController } from "../../../../audio/deck.ts";
import { withPosition, withPositionOnly, floorToTenths } from "../../model/position-address.ts";

/** A hand on the waveform has come to rest. */
const REST_DELAY_MS = 500;

/**
 * Keeps the position in the address, so that reload, bookmark and a copied address lead to it: whenever the sound rests at another place.
 * Answers what writes a position there at once.
 */
export function usePositionInUrl(trackController: TrackController): (position: number) => string {
  const navigate = useNavigate();
  const { pathname, search, state } = useLocation();
  const urlAt = (position: number) => `${pathname}?${withPosition(search, position)}`;
  function replaceUrl(url: string) {
    void navigate(url, { replace: true, state: { ...(state as object | null), keepPosition: true } });
    return url;
  }
  const onRest = useEffectEvent((initialPosition: number) => {
    const { position } = trackController.state();
    if (floorToTenths(position) === floorToTenths(initialPosition) && !new URLSearchParams(search).has("t")) return;
    if (`${pathname}${search}` !== urlAt(position)) replaceUrl(urlAt(position));
  });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const initialPosition = trackController.state().position;
    const unsubscribe = trackController.subscribe(() => {
      clearTimeout(timer);
      if (!trackController.state().playing) timer = setTimeout(() => onRest(initialPosition), REST_DELAY_MS);
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [trackController]);
  return (position) => replaceUrl(`${pathname}?${withPositionOnly(search, position)}`);
}
