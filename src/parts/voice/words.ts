/** Faults and ends of recordings in words. */
import type { VoiceDraft } from "../../audio/voice/drafts.ts";
import { MOST_SECONDS, type Ending, type MicrophoneFault } from "../../audio/voice/recording.ts";
import { formatPosition } from "../../lib/duration.ts";
import { t } from "../../lib/messages/voice.ts";
import { formatClock, formatShortDay } from "../../lib/time.ts";

const FAULTS: Record<MicrophoneFault, () => string> = {
  insecure: () => t("faultInsecure"),
  unsupported: () => t("faultUnsupported"),
  denied: () => t("faultDenied"),
  blocked: () => t("faultBlocked"),
  none: () => t("faultNone"),
  busy: () => t("faultBusy"),
  failed: () => t("faultFailed"),
};
export const faultWords = (fault: MicrophoneFault): string => FAULTS[fault]();

const ENDS: Partial<Record<Ending, () => string>> = {
  limit: () => t("endLimit", { minutes: MOST_SECONDS / 60 }),
  unplugged: () => t("endUnplugged"),
  broken: () => t("endBroken"),
};
/** Why a recording ended that nobody has stopped; null where somebody has. */
export const endWords = (why: Ending): string | null => ENDS[why]?.() ?? null;

export const silenceWords = (device: string): string => (device === "" ? t("silentUnnamed") : t("silent", { device }));

export function draftWords({ note, found }: VoiceDraft): string {
  const duration = formatPosition(note.seconds);
  return found ? t("found", { time: `${formatShortDay(note.startedAt)}, ${formatClock(note.startedAt)}`, duration }) : t("recorded", { duration });
}
