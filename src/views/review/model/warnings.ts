/** Reads the service's loudness warnings and explains in plain language what they mean for the mix. */
import type { AudioFileInfo } from "../../../../contract/records.ts";
import { t } from "../../../lib/messages/review-facts.ts";

export interface Warning {
  code: string;
  /** The measurement, in the service's wording. */
  text: string;
  /** The explanation; null for unknown codes. */
  help: string | null;
}

const HELP_KEYS = {
  clipping: "helpClipping",
  "true-peak": "helpTruePeak",
  "silence-head": "helpSilence",
  "silence-tail": "helpSilence",
  silent: "helpSilent",
  phase: "helpPhase",
  "mono-loss": "helpMonoLoss",
  "dual-mono": "helpDualMono",
  "dead-channel": "helpDeadChannel",
  balance: "helpBalance",
} as const;

const toRecord = (value: unknown): Record<string, unknown> => (typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {});

/** Returns null if nothing was measured, so that missing data does not look like a clean result. */
export function warningsOf(info: AudioFileInfo): Warning[] | null {
  const { warnings } = toRecord(info["loudness"]);
  if (!Array.isArray(warnings)) return null;
  return warnings.flatMap((warning: unknown) => {
    const { code, text } = toRecord(warning);
    if (typeof text !== "string" || text === "") return [];
    const helpKey = typeof code === "string" && Object.hasOwn(HELP_KEYS, code) ? HELP_KEYS[code as keyof typeof HELP_KEYS] : null;
    return [{ code: typeof code === "string" ? code : "", text, help: helpKey === null ? null : t(helpKey) }];
  });
}
