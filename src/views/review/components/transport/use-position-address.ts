import { useEffect, useEffectEvent } from "react";
import { useLocation, useNavigate } from "react-router";
import type { TrackController } from "../../../../audio/deck.ts";
import { withPosition, withPositionOnly, floorToTenths } from "../../model/position-address.ts";

/** Milliseconds without a position change before the URL is updated. */
const REST_DELAY_MS = 500;

/**
 * Writes the position to the URL when playback rests at a new position, so that a reload, a bookmark, or a copied URL
 * restores it. Returns a function that writes a position at once and returns the URL.
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
