/** Yardstick of the waveform: wavesurfer alone on arrays that are in memory. */
import WaveSurfer from "wavesurfer.js";

const SECONDS = 3_600;
/** Values per channel of the fine peaks: 689 a second. */
const VALUES = SECONDS * 689;

const container = document.getElementById("waveform")!;
const overview = [0, 1].map((side) => Float32Array.from({ length: 1_800 }, (_, index) => Math.abs(Math.sin(index / (7 + side)))));

/** Resolves with the milliseconds until the arrays are drawn and the frame is over. */
async function draw(): Promise<number> {
  container.replaceChildren();
  const startedAt = performance.now();
  const waveSurfer = WaveSurfer.create({ container, peaks: overview, duration: SECONDS, height: 128 });
  await new Promise<void>((resolve) => void waveSurfer.once("redrawcomplete", resolve));
  await new Promise((resolve) => requestAnimationFrame(resolve));
  return performance.now() - startedAt;
}

/** Draws all fine values at 689 pixels a second; the returned function scrolls to a second. */
async function openFine(): Promise<(second: number) => void> {
  container.replaceChildren();
  const peaks = [Float32Array.from({ length: VALUES }, (_, index) => Math.abs(Math.sin(index / 70)))];
  const waveSurfer = WaveSurfer.create({ container, peaks, duration: SECONDS, height: 128, minPxPerSec: 689 });
  await new Promise<void>((resolve) => void waveSurfer.once("redrawcomplete", resolve));
  return (second) => waveSurfer.setScrollTime(second);
}

Object.assign(window, { draw, openFine });
