/** Persists one volume for everything that this browser plays. */
import { getPersisted, setPersisted } from "../lib/remembered.ts";

export interface Volume {
  /** 0 to 1. */
  level: number;
  muted: boolean;
}

const STORAGE_KEY = "volume";

/** Parses what `saveVolume` stored; returns full volume if there is no valid value. */
export function loadVolume(): Volume {
  const [, level = "", muted] = /^(0|1|0\.\d+)( muted)?$/.exec(getPersisted(STORAGE_KEY) ?? "") ?? [];
  return { level: level === "" ? 1 : Number(level), muted: muted !== undefined };
}

export const saveVolume = ({ level, muted }: Volume): void => setPersisted(STORAGE_KEY, `${Number(level.toFixed(3))}${muted ? " muted" : ""}`);
