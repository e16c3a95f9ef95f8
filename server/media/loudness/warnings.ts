/** Converts measured values that exceed fixed limits into warnings for people. */
import type { Defects } from "./defects.ts";

export interface Warning {
  code: "clipping" | "true-peak" | "silence-head" | "silence-tail" | "silent" | "phase" | "mono-loss" | "dual-mono" | "dead-channel" | "balance";
  text: string;
}

const MAX_HEAD_SILENCE_SECONDS = 2;
const MAX_TAIL_SILENCE_SECONDS = 5;
const MIN_CORRELATION = -0.2;
const MAX_MONO_LOSS_DB = 4.5;
const MAX_IMBALANCE_DB = 6;

const CHANNEL_NAMES = ["left", "right"];

export function collectWarnings(truePeak: number | null, defects: Defects): Warning[] {
  if (defects.silent) return [{ code: "silent", text: "There is no sound above -60 dBFS in this file." }];
  const warnings: Warning[] = [];
  const addWarning = (code: Warning["code"], text: string): void => void warnings.push({ code, text });
  const { clippedRuns, silenceHead, silenceTail, correlation, monoLoss, balance, deadChannels } = defects;
  if (clippedRuns > 0) addWarning("clipping", `Clipped in ${clippedRuns.toLocaleString("en")} ${clippedRuns === 1 ? "place" : "places"}.`);
  else if (truePeak !== null && truePeak > 0) addWarning("true-peak", `The true peak is ${truePeak.toFixed(1)} dBTP: players and encoders may clip it.`);
  if (silenceHead > MAX_HEAD_SILENCE_SECONDS) addWarning("silence-head", `Starts with ${silenceHead.toFixed(1)} s of silence.`);
  if (silenceTail > MAX_TAIL_SILENCE_SECONDS) addWarning("silence-tail", `Ends with ${silenceTail.toFixed(1)} s of silence.`);
  for (const channel of deadChannels)
    addWarning(
      "dead-channel",
      `Channel ${channel + 1}${deadChannels.length === 1 && balance === null && CHANNEL_NAMES[channel] ? ` (${CHANNEL_NAMES[channel]})` : ""} carries no sound.`,
    );
  if (defects.identicalChannels) addWarning("dual-mono", "Both channels are identical (mono in a stereo file).");
  if (correlation !== null && correlation < MIN_CORRELATION) addWarning("phase", `Left and right are out of phase (correlation ${correlation.toFixed(2)}).`);
  if (monoLoss !== null && monoLoss > MAX_MONO_LOSS_DB) addWarning("mono-loss", `Loses ${monoLoss.toFixed(0)} dB when played in mono.`);
  if (balance !== null && Math.abs(balance) > MAX_IMBALANCE_DB) {
    addWarning("balance", `The ${balance > 0 ? "left" : "right"} channel is ${Math.abs(balance).toFixed(0)} dB louder than the other.`);
  }
  return warnings;
}
