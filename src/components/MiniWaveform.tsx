/** Shows a waveform as bars with the played part in color; as a slider it seeks. */
import { useMemo, useRef, type KeyboardEvent, type PointerEvent } from "react";
import { computeBars, barsPath } from "../audio/waveform/bars.ts";
import { classNames } from "../lib/class-names.ts";
import { formatAccessibleDuration } from "../lib/format.ts";
import { t } from "../lib/texts/player.ts";
import { useWidth } from "../ui/responsive.ts";

interface Props {
  /** 0 to 1. */
  wave: readonly number[];
  /** Seconds; 0 if unknown, which disables seeking. */
  duration: number;
  /** Seconds. */
  position: number;
  /** Accessible name. */
  label: string;
  onSeek(seconds: number): void;
  /** CSS pixels. */
  height?: number;
  className?: string;
}

const PITCH = 4;
const STROKE = 2;
const STEP_SECONDS = 5;

export function MiniWaveform({ wave, duration, position, label, onSeek, height = 36, className }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const path = useMemo(() => barsPath(computeBars(wave, Math.floor(width / PITCH)), PITCH, height, STROKE), [wave, width, height]);
  const canSeek = duration > 0;
  const played = canSeek ? Math.min(1, Math.max(0, position / duration)) : 0;

  function seekTo(event: PointerEvent) {
    const { left, width: boxWidth } = box.current!.getBoundingClientRect();
    onSeek(Math.min(1, Math.max(0, (event.clientX - left) / boxWidth)) * duration);
  }
  function onPointerDown(event: PointerEvent) {
    if (!canSeek || event.button !== 0) return;
    box.current!.setPointerCapture(event.pointerId);
    seekTo(event);
  }
  function onKeyDown(event: KeyboardEvent) {
    const to = canSeek && !event.altKey && !event.ctrlKey && !event.metaKey ? keyTarget(event.key, position, duration) : null;
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    onSeek(to);
  }

  return (
    <div
      ref={box}
      role="slider"
      tabIndex={canSeek ? 0 : -1}
      aria-label={label}
      aria-disabled={!canSeek || undefined}
      aria-valuemin={0}
      aria-valuemax={Math.round(duration)}
      aria-valuenow={Math.round(Math.min(position, duration))}
      aria-valuetext={t("positionOf", { position: formatAccessibleDuration(position), duration: formatAccessibleDuration(duration) })}
      onPointerDown={onPointerDown}
      onPointerMove={(event) => box.current!.hasPointerCapture(event.pointerId) && seekTo(event)}
      onKeyDown={onKeyDown}
      style={{ height }}
      className={classNames("relative min-w-0 touch-pan-y rounded-sm select-none", canSeek && "cursor-pointer", className)}
    >
      <svg aria-hidden width={width} height={height} strokeWidth={STROKE} strokeLinecap="round" fill="none" className="absolute inset-0">
        <path d={path} className="stroke-wave" />
        <path d={path} className="stroke-wave-played" style={{ clipPath: `view-box inset(0 ${(1 - played) * 100}% 0 0)` }} />
      </svg>
      {played > 0 && <span aria-hidden className="absolute inset-y-0 -ml-px w-0.5 rounded-full bg-text" style={{ left: `${played * 100}%` }} />}
    </div>
  );
}

/** Returns the position that a key seeks to, in seconds; null for other keys. */
function keyTarget(key: string, position: number, duration: number): number | null {
  if (key === "ArrowLeft" || key === "ArrowDown") return Math.max(0, position - STEP_SECONDS);
  if (key === "ArrowRight" || key === "ArrowUp") return Math.min(duration, position + STEP_SECONDS);
  if (key === "Home") return 0;
  return key === "End" ? duration : null;
}
