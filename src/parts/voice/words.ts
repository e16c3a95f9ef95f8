/** Formats errors and endings of recordings. */
import type { VoiceDraft } from "../../audio/voice/drafts.ts";
import { MAX_SECONDS, type EndReason, type MicrophoneErrorCode } from "../../audio/voice/recording.ts";
import { formatPosition } from "../../lib/duration.ts";
import { t } from "../../lib/messages/voice.ts";
import { formatTime, formatShortDay } from "../../lib/time.ts";

const MICROPHONE_ERROR_MESSAGES: Record<MicrophoneErrorCode, () => string> = {
  insecure: () => t("errorInsecure"),
  unsupported: () => t("errorUnsupported"),
  denied: () => t("errorDenied"),
  blocked: () => t("errorBlocked"),
  none: () => t("errorNone"),
  busy: () => t("errorBusy"),
  failed: () => t("errorFailed"),
};
export const formatMicrophoneError = (code: MicrophoneErrorCode): string => MICROPHONE_ERROR_MESSAGES[code]();

const END_MESSAGES: Partial<Record<EndReason, () => string>> = {
  limit: () => t("endLimit", { minutes: MAX_SECONDS / 60 }),
  unplugged: () => t("endUnplugged"),
  broken: () => t("endBroken"),
};
/** Explains why a recording ended by itself; null if someone ended it. */
export const formatEndReason = (reason: EndReason): string | null => END_MESSAGES[reason]?.() ?? null;

export const formatSilence = (device: string): string => (device === "" ? t("silentUnnamed") : t("silent", { device }));

export function formatDraftStatus({ metadata, isRecovered }: VoiceDraft): string {
  const duration = formatPosition(metadata.seconds);
  return isRecovered
    ? t("recovered", { time: `${formatShortDay(metadata.startedAt)}, ${formatTime(metadata.startedAt)}`, duration })
    : t("recorded", { duration });
}
