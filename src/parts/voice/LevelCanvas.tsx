/** Draws the microphone's level over the last seconds as bars that move to the left. */
import { useEffect, useRef } from "react";
import { recorder } from "../../audio/voice/recorder-here.ts";
import { t } from "../../lib/messages/voice.ts";

/** CSS pixels. */
const PITCH = 4;
const STROKE = 2;
/** Exponent that maps levels to perceived loudness, so that a voice fills the height. */
const CURVE = 0.6;
const DRAW_INTERVAL_MS = 100;
const SLOW_INTERVAL_MS = 500;
/** Number of bars in the accessible value. */
const ANNOUNCED_BARS = 5;

function draw(canvas: HTMLCanvasElement): void {
  const scale = devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  if (canvas.width !== width * scale || canvas.height !== height * scale) {
    canvas.width = width * scale;
    canvas.height = height * scale;
  }
  const context = canvas.getContext("2d");
  if (!context) return;
  const levels = recorder.recentLevels(Math.floor(width / PITCH));
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  context.strokeStyle = getComputedStyle(canvas).color;
  context.lineWidth = STROKE;
  context.lineCap = "round";
  context.beginPath();
  for (const [index, level] of levels.entries()) {
    const half = Math.max(0.01, (level ** CURVE * (height - STROKE)) / 2);
    const x = width - (levels.length - index) * PITCH + PITCH / 2;
    context.moveTo(x, height / 2 - half);
    context.lineTo(x, height / 2 + half);
  }
  context.stroke();
}

export function LevelCanvas({ className }: { className: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current!;
    const intervalMs = matchMedia("(prefers-reduced-motion: reduce)").matches ? SLOW_INTERVAL_MS : DRAW_INTERVAL_MS;
    let [drawnAt, announcedAt] = [0, 0];
    const update = () => {
      const now = performance.now();
      if (now - drawnAt >= intervalMs) {
        drawnAt = now;
        draw(element);
      }
      if (now - announcedAt < SLOW_INTERVAL_MS) return;
      announcedAt = now;
      const percent = Math.round(Math.max(...recorder.recentLevels(ANNOUNCED_BARS), 0) * 100);
      element.setAttribute("aria-valuenow", String(percent));
      element.setAttribute("aria-valuetext", t("levelOf", { percent }));
    };
    update();
    return recorder.subscribe(update);
  }, []);
  return <canvas ref={canvas} role="meter" aria-label={t("level")} aria-valuemin={0} aria-valuemax={100} aria-valuenow={0} className={className} />;
}
