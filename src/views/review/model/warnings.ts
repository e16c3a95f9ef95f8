/** What deserves a second listen, in plain words: what it is by the service, what it means for who mixes by us. */
import type { AudioFileInfo } from "../../../../contract/records.ts";
import { t } from "../../../lib/messages/review-facts.ts";

export interface Warning {
  code: string;
  /** What was measured, in the service's words. */
  text: string;
  /** What it means; null for kinds that this page does not know. */
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

/** null where nothing was measured, so that nobody takes silence for praise. */
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
