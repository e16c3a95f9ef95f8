import { expect, test, vi } from "vitest";
import { createWaveformViewport } from "./waveform-viewport.ts";

const createViewport = (duration: number, position = 0) => {
  const waveformViewport = createWaveformViewport(duration, position);
  waveformViewport.setWidth(1_000);
  return waveformViewport;
};

test("opens at half a minute of a song, two minutes of an hour, or all of a short track", () => {
  expect(createViewport(222).view()).toMatchObject({ from: 0, to: 37, width: 1_000 });
  expect(createViewport(3_600, 1_800).view()).toMatchObject({ from: 1_740, to: 1_860 });
  expect(createViewport(3).view()).toMatchObject({ from: 0, to: 3 });
});

test("follows playback and reveals chosen positions, but not during a drag", () => {
  const waveformViewport = createViewport(600, 0);
  waveformViewport.follow(70, 70.02, false);
  expect(waveformViewport.view().from).toBeCloseTo(0.04);
  waveformViewport.follow(70.02, 400, false);
  expect(waveformViewport.view()).toMatchObject({ from: 350, to: 450 });
  const release = waveformViewport.suspendFollowing();
  const [releaseSecond] = [waveformViewport.suspendFollowing()];
  release();
  release();
  waveformViewport.follow(400, 20, false);
  expect(waveformViewport.view().from).toBe(350);
  releaseSecond();
  waveformViewport.follow(400, 20, false);
  expect(waveformViewport.view().from).toBe(0);
});

test("notifies listeners only of changes", () => {
  const waveformViewport = createViewport(600);
  const listener = vi.fn<() => void>();
  const unsubscribe = waveformViewport.subscribe(listener);
  waveformViewport.setWidth(1_000);
  waveformViewport.setWidth(0);
  waveformViewport.reveal(10);
  expect(listener).not.toHaveBeenCalled();
  waveformViewport.fit();
  waveformViewport.fit();
  expect(listener).toHaveBeenCalledOnce();
  unsubscribe();
  waveformViewport.zoom(4, 10);
  expect(listener).toHaveBeenCalledOnce();
});
