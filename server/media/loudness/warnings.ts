/** From measured numbers to sentences: the limits at which a mix deserves a second look. */
import type { Defects } from "./defects.ts";

export interface Warning {
  code: "clipping" | "true-peak" | "silence-head" | "silence-tail" | "silent" | "phase" | "mono-loss" | "dual-mono" | "dead-channel" | "balance";
  text: string;
}

const HEAD_SECONDS = 2;
const TAIL_SECONDS = 5;
const PHASE = -0.2;
const MONO_LOSS_DB = 4.5;
const BALANCE_DB = 6;

const SIDES = ["left", "right"];

export function warningsOf(truePeak: number | null, defects: Defects): Warning[] {
  if (defects.silent) return [{ code: "silent", text: "There is no sound above -60 dBFS in this file." }];
  const out: Warning[] = [];
  const say = (code: Warning["code"], text: string): void => void out.push({ code, text });
  const { clippedRuns, silenceHead, silenceTail, correlation, monoLoss, balance, deadChannels } = defects;
  if (clippedRuns > 0) say("clipping", `Clipped in ${clippedRuns} ${clippedRuns === 1 ? "place" : "places"}.`);
  else if (truePeak !== null && truePeak > 0) say("true-peak", `The true peak is ${truePeak.toFixed(1)} dBTP: players and encoders may clip it.`);
  if (silenceHead > HEAD_SECONDS) say("silence-head", `Starts with ${silenceHead.toFixed(1)} s of silence.`);
  if (silenceTail > TAIL_SECONDS) say("silence-tail", `Ends with ${silenceTail.toFixed(1)} s of silence.`);
  for (const channel of deadChannels)
    say(
      "dead-channel",
      `Channel ${channel + 1}${deadChannels.length === 1 && balance === null && SIDES[channel] ? ` (${SIDES[channel]})` : ""} carries no sound.`,
    );
  if (defects.identicalChannels) say("dual-mono", "Both channels are the same: this is mono in a stereo file.");
  if (correlation !== null && correlation < PHASE) say("phase", `Left and right are out of phase (correlation ${correlation.toFixed(2)}).`);
  if (monoLoss !== null && monoLoss > MONO_LOSS_DB) say("mono-loss", `Played in mono it loses ${monoLoss.toFixed(0)} dB.`);
  if (balance !== null && Math.abs(balance) > BALANCE_DB) {
    say("balance", `The ${balance > 0 ? "left" : "right"} channel is ${Math.abs(balance).toFixed(0)} dB louder than the other.`);
  }
  return out;
}
