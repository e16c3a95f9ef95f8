/** Formats the state, errors and endings of recordings, and their screen-reader announcements. */
import { type EndReason, isSilent, MAX_SECONDS, type MicrophoneErrorCode, type Recording, secondsUntilLimit } from "../../../audio/recorder/recording.ts";
import type { VoiceDraft } from "../../../audio/recorder/voice-drafts.ts";
import { formatAccessibleDuration, formatPosition } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/voice.ts";
import { formatShortDay, formatTime } from "../../../lib/time.ts";

/** Seconds. */
const SECONDS_PER_MINUTE = 60;

const MICROPHONE_ERROR_MESSAGES: Record<MicrophoneErrorCode, () => string> = {
  insecure: () => t("errorInsecure"),
  unsupported: () => t("errorUnsupported"),
  denied: () => t("errorDenied"),
  blocked: () => t("errorBlocked"),
  none: () => t("errorNone"),
  busy: () => t("errorBusy"),
  failed: () => t("errorFailed"),
};

const END_MESSAGES: Partial<Record<EndReason, () => string>> = {
  limit: () => t("endLimit", { minutes: MAX_SECONDS / 60 }),
  unplugged: () => t("endUnplugged"),
  broken: () => t("endBroken"),
};

export const formatMicrophoneError = (code: MicrophoneErrorCode): string => MICROPHONE_ERROR_MESSAGES[code]();

/** Explains why a recording ended by itself; null if someone ended it. */
export const formatEndReason = (reason: EndReason): string | null => END_MESSAGES[reason]?.() ?? null;

export const formatSilence = (device: string): string => (device === "" ? t("silentUnnamed") : t("silent", { device }));

export function formatDraftStatus({ metadata, isRecovered }: VoiceDraft, now: number): string {
  const duration = formatPosition(metadata.seconds);
  return isRecovered
    ? t("recovered", { time: `${formatShortDay(metadata.startedAt, now)}, ${formatTime(metadata.startedAt)}`, duration })
    : t("recorded", { duration });
}

/** Returns the screen-reader announcement of a change; null for changes that need none. */
export function recordingAnnouncement(before: Recording, now: Recording): string | null {
  if (now.phase === "recording" && before.phase !== "recording") return t("recordingStarted");
  if (now.outcome && !before.outcome) return now.outcome.reason === "short" ? t("tooShort") : endAnnouncement(now.outcome);
  if (now.phase !== "recording") return null;
  if (secondsUntilLimit(now) !== null && secondsUntilLimit(before) === null) return t("announceStopsIn");
  if (isSilent(now) && !isSilent(before)) return formatSilence(now.device);
  const minutes = Math.floor(now.seconds / SECONDS_PER_MINUTE);
  return minutes > Math.floor(before.seconds / SECONDS_PER_MINUTE) ? t("minutes", { count: minutes }) : null;
}

const endAnnouncement = ({ reason, seconds }: { reason: string; seconds: number }): string =>
  reason === "canceled" ? t("discarded") : t("announceRecorded", { duration: formatAccessibleDuration(seconds) });
