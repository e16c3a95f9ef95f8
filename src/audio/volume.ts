/** How loud this browser plays: one setting for everything, remembered. */
import { recall, remember } from "../lib/remembered.ts";

export interface Volume {
  /** 0 to 1. */
  level: number;
  muted: boolean;
}

const NAME = "volume";

/** As `rememberVolume` wrote it; full where nothing sensible is remembered. */
export function recallVolume(): Volume {
  const [, level = "", muted] = /^(0|1|0\.\d+)( muted)?$/.exec(recall(NAME) ?? "") ?? [];
  return { level: level === "" ? 1 : Number(level), muted: muted !== undefined };
}

export const rememberVolume = ({ level, muted }: Volume): void => remember(NAME, `${Number(level.toFixed(3))}${muted ? " muted" : ""}`);
