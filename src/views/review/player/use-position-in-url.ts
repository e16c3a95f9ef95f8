import { useEffect, useEffectEvent } from "react";
import { useLocation, useNavigate } from "react-router";
import type { TrackController } from "../../../audio/player/track-controller.ts";
import { withRecordedPosition } from "../../../lib/recorded-position.ts";
import { useRouterState } from "../../../ui/router-state.ts";

/** Milliseconds without a position change before the URL is updated. */
const REST_DELAY_MS = 500;

/**
 * Writes the position to the URL when playback rests at a new position, so that a reload, a bookmark, or a copied URL
 * restores it. Returns a function that writes a position at once and returns the URL.
 */
export function usePositionInUrl(trackController: TrackController): (position: number) => string {
  const navigate = useNavigate();
  const { pathname, search, state } = useLocation();
  function replaceUrl(url: string, currentState: unknown) {
    void navigate(url, { replace: true, state: withRecordedPosition(currentState) });
    return url;
  }
  const readRouterState = useRouterState();
  const onRest = useEffectEvent((initialPosition: number) => {
    const { navigation, location } = readRouterState();
    // This navigation would cancel one that is leaving the page.
    if (navigation.state !== "idle" || location.pathname !== pathname) return;
    const { position } = trackController.state();
    if (formatPositionParam(position) === formatPositionParam(initialPosition) && !new URLSearchParams(location.search).has("t")) return;
    const url = `${pathname}?${withPosition(location.search, position)}`;
    if (`${pathname}${location.search}` !== url) replaceUrl(url, location.state);
  });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const initialPosition = trackController.state().position;
    const unsubscribe = trackController.subscribe(() => {
      clearTimeout(timer);
      if (!trackController.state().isPlaying) timer = setTimeout(() => onRest(initialPosition), REST_DELAY_MS);
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [trackController]);
  return (position) => replaceUrl(`${pathname}?${withPositionOnly(search, position)}`, state);
}

/** Returns the query for playback at rest at `position`, as `t` in seconds. If the URL also names a comment, `t` determines the position. */
export function withPosition(search: string, position: number): URLSearchParams {
  const query = new URLSearchParams(search);
  query.set("t", formatPositionParam(position));
  return query;
}

/** Returns the query of a link to `position`, without the comment the page was opened for. */
export function withPositionOnly(search: string, position: number): URLSearchParams {
  const query = withPosition(search, position);
  query.delete("comment");
  return query;
}

/** Formats seconds for the URL: one decimal, rounded down. */
const formatPositionParam = (seconds: number): string => (Math.floor(seconds * 10 + 1e-6) / 10).toFixed(1);
