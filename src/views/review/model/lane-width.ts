/** Stores the last width of the waveform or its skeleton in CSS pixels, as the initial width of the next waveform. 0 means not measured yet. */
let lastWidth = 0;

export const getWaveformWidth = (): number => lastWidth;
export function setWaveformWidth(width: number): void {
  lastWidth = width;
}
