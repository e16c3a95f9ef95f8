import { type KeyboardEvent, type PointerEvent, useSyncExternalStore } from "react";
import { useClient } from "../../client/client.ts";
import { usePersistedState } from "../../lib/local-storage.ts";
import { t } from "../../lib/texts/file-pane.ts";
import { useSession } from "../../queries/session.ts";

/** CSS pixels. */
const [MIN, MAX, STEP] = [380, 1000, 24];
/** Of the window's width, so that the chat keeps at least as much. */
const MAX_SHARE = 0.42;
/** Until it is changed, in windows below and from this width on. */
const DEFAULTS = [480, 680] as const;
const LARGE_WINDOW = 2200;
const defaultWidth = (): number => DEFAULTS[innerWidth < LARGE_WINDOW ? 0 : 1];

/** Limits a width to what the window has room for. */
export const clampPaneWidth = (width: number, windowWidth: number): number => Math.round(Math.max(MIN, Math.min(MAX, windowWidth * MAX_SHARE, width)));
const clamp = (width: number): number => clampPaneWidth(width, innerWidth);

/** Returns the width of the pane, which this browser remembers for the account, and its setter. */
export function usePaneWidth() {
  const { serviceStorage } = useClient();
  const name = `pane-width.${useSession().account.id}` as const;
  const [width, setWidth] = usePersistedState(
    () => Number(serviceStorage.get(name)) || defaultWidth(),
    (value) => serviceStorage.set(name, String(value)),
  );
  const windowWidth = useWindowWidth();
  return [clampPaneWidth(width, windowWidth), setWidth] as const;
}

function useWindowWidth(): number {
  return useSyncExternalStore(
    (listener) => {
      addEventListener("resize", listener);
      return () => removeEventListener("resize", listener);
    },
    () => innerWidth,
  );
}

/** The left edge of the pane, which changes its width by dragging or with arrow keys; a double click or Delete resets it. */
export function PaneEdge({ width, onChange }: { width: number; onChange(width: number): void }) {
  const reset = () => onChange(defaultWidth());
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const element = event.currentTarget;
    const start = event.clientX;
    element.setPointerCapture(event.pointerId);
    const move = ({ clientX }: globalThis.PointerEvent) => onChange(clamp(width + start - clientX));
    element.addEventListener("pointermove", move);
    element.addEventListener("lostpointercapture", () => element.removeEventListener("pointermove", move), { once: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
    if (step !== undefined) onChange(clamp(width + step));
    else if (event.key === "Delete" || event.key === "Backspace") reset();
    else return;
    event.preventDefault();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a separator with the focus is a control
    <div
      role="separator"
      aria-label={t("resize")}
      aria-orientation="vertical"
      aria-valuemin={MIN}
      aria-valuemax={clamp(MAX)}
      aria-valuenow={width}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
      tabIndex={0}
      onPointerDown={onPointerDown}
      onDoubleClick={reset}
      onKeyDown={onKeyDown}
      className="absolute inset-y-0 -left-1 z-2 w-2 cursor-col-resize touch-none after:absolute after:inset-y-0 after:left-1/2 after:w-0.5 after:-translate-x-1/2 hover:after:bg-line-strong focus-visible:outline-offset-[-2px]"
    />
  );
}
