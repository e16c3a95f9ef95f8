/** Summarizes all uploads for the panel: counts, texts, speed and remaining time. */
import { useEffect, useEffectEvent, useState } from "react";
import { cleanName } from "../../../../contract/text.ts";
import { formatSize } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/upload-panel.ts";
import { isActive, type Upload } from "../../../sync/uploads/upload.ts";

/** Seconds. */
const MINUTE = 60;
const HOUR = 3_600;

/** Sort rank by state; states that are not listed have rank 1. */
const RANK: Partial<Record<Upload["state"], number>> = { failed: 0, lost: 0, done: 2 };

/** Milliseconds over which the speed is measured. */
const WINDOW_MS = 15_000;
/** Minimum time between the first and last sample, because a speed over a shorter time is unreliable. */
const MIN_WINDOW_MS = 2_000;
/** A larger first sample includes bytes that were sent before a resume, so it does not count for the speed. */
const MAX_FIRST_SAMPLE_BYTES = 32_000_000;
const SAMPLE_INTERVAL_MS = 1_000;

export const NO_SAMPLES: SpeedSamples = { sent: new Map(), samples: [] };

export interface UploadSummary {
  totalCount: number;
  doneCount: number;
  activeCount: number;
  pausedCount: number;
  /** Uploads that need attention: failed ones, and lost ones whose bytes are gone. */
  failedCount: number;
  lostCount: number;
  /** Running uploads that a reload would lose, because the browser cannot store them. */
  unpersistedCount: number;
  bytesLeft: number;
  /** 0 to 100; 100 only once everything that can be uploaded is done. */
  percent: number;
}

export function summarizeUploads(uploads: readonly Upload[]): UploadSummary {
  const count = (predicate: (upload: Upload) => boolean) => uploads.filter(predicate).length;
  const countState = (state: Upload["state"]) => count((upload) => upload.state === state);
  // Failed and lost uploads are not sent, so they do not keep the others from reaching 100%.
  const sendable = uploads.filter(({ state }) => state !== "failed" && state !== "lost");
  const bytes = sendable.reduce((sum, upload) => sum + upload.bytes, 0);
  const sent = sendable.reduce((sum, upload) => sum + (upload.state === "done" ? upload.bytes : Math.min(upload.sent, upload.bytes)), 0);
  const hasUnfinished = sendable.some(({ state }) => state !== "done");
  return {
    totalCount: uploads.length,
    doneCount: countState("done"),
    activeCount: count(isActive),
    pausedCount: countState("paused"),
    failedCount: countState("failed"),
    lostCount: countState("lost"),
    unpersistedCount: count((upload) => isActive(upload) && upload.isPersisted === false),
    bytesLeft: bytes - sent,
    percent: hasUnfinished ? Math.min(99, bytes === 0 ? 0 : Math.floor((sent / bytes) * 100)) : 100,
  };
}

export interface UploadFolder {
  projectId: number;
  folderId: number;
  name: string;
}

/** Returns the destination folder of all uploads, or null if they have several destinations or become versions. */
export function commonFolder(uploads: readonly Upload[]): UploadFolder | null {
  let folder: UploadFolder | null = null;
  for (const { target, projectId } of uploads) {
    if (target?.kind !== "folder" || (folder && folder.folderId !== target.folderId)) return null;
    folder ??= { projectId, folderId: target.folderId, name: target.folderName };
  }
  return folder;
}

/** Returns the panel's first line. */
export function formatHeadline(summary: UploadSummary, folder: UploadFolder | null): string {
  const { activeCount, pausedCount, failedCount, lostCount, doneCount } = summary;
  if (activeCount > 0) return folder ? t("uploadingTo", { count: activeCount, folder: folder.name }) : t("uploading", { count: activeCount });
  if (failedCount + lostCount > 0) return t("needsAttention", { count: failedCount + lostCount });
  if (pausedCount > 0) return t("pausedAll", { count: pausedCount });
  return folder ? t("finishedTo", { count: doneCount, folder: folder.name }) : t("finished", { count: doneCount });
}

/** "About 3 minutes left", rounded so that it does not change every second. */
export function formatTimeLeft(seconds: number): string {
  if (seconds < MINUTE) return t("secondsLeft");
  if (seconds < 1.5 * HOUR) return t("minutesLeft", { count: Math.round(seconds / MINUTE) });
  return t("hoursLeft", { count: Math.round(seconds / HOUR) });
}

/** Returns the panel's second line: progress, speed and remaining time. */
export function formatProgress(summary: UploadSummary, speed: number | null, seconds: number | null): string {
  const parts = [t("doneOfAll", { done: summary.doneCount, all: summary.totalCount }), t("percent", { percent: summary.percent })];
  if (summary.activeCount > 0 && speed !== null && speed > 0) parts.push(t("speed", { size: formatSize(speed) }));
  if (summary.activeCount > 0 && seconds !== null) parts.push(formatTimeLeft(seconds));
  return parts.join(" · ");
}

/** Returns the destination, or the final folder or name if it differs from the chosen one, to show beside the file's name; null if there is nothing to add. */
export function formatLocation({ target, savedAs, name }: Upload): string | null {
  if (target?.kind === "version")
    return savedAs && savedAs.name !== target.fileName ? t("uploadedElsewhere", { folder: savedAs.folderName }) : t("newVersion", { name: target.fileName });
  if (target?.kind !== "folder") return null;
  if (savedAs && savedAs.folderId !== target.folderId && target.path === "") return t("uploadedElsewhere", { folder: savedAs.folderName });
  const newName = savedAs && savedAs.name !== cleanName(name) ? t("renamed", { name: savedAs.name }) : null;
  return newName ?? (target.path === "" ? null : target.path);
}

/** Sorts uploads that need attention first and finished ones last, otherwise in their original order. */
export const sortUploads = (uploads: readonly Upload[]): Upload[] => uploads.toSorted((a, b) => (RANK[a.state] ?? 1) - (RANK[b.state] ?? 1));

/** Matches chosen files to uploads whose bytes are gone: by name and size, and by path if a folder was chosen again. */
export function matchLostFiles(lost: readonly Upload[], files: readonly { file: File; path: string }[]): { id: string; file: File }[] {
  const unmatched = new Set(files);
  const matches: { id: string; file: File }[] = [];
  for (const upload of lost) {
    const path = upload.target?.kind === "folder" ? upload.target.path : "";
    const candidates = [...unmatched].filter(({ file }) => file.name === upload.name && file.size === upload.bytes);
    // Files with the same name in several folders are distinguished by path, if there is one.
    const match = candidates.find((candidate) => candidate.path === path) ?? candidates.find((candidate) => candidate.path === "" || path === "");
    if (!match) continue;
    unmatched.delete(match);
    matches.push({ id: upload.id, file: match.file });
  }
  return matches;
}

/** Samples of the bytes sent over the last seconds, so that speed and remaining time follow the connection without flickering. */
export interface SpeedSamples {
  /** Bytes sent per upload at the last sample. */
  sent: ReadonlyMap<string, number>;
  /** Total bytes sent at each sample, oldest first. */
  samples: readonly { at: number; bytes: number }[];
}

/** Adds a sample of `uploads`; `now` in milliseconds. */
export function addSample(speedSamples: SpeedSamples, uploads: readonly Pick<Upload, "id" | "sent">[], now: number): SpeedSamples {
  let bytes = speedSamples.samples.at(-1)?.bytes ?? 0;
  const sent = new Map<string, number>();
  for (const upload of uploads) {
    const before = speedSamples.sent.get(upload.id);
    sent.set(upload.id, upload.sent);
    if (before === undefined || (before === 0 && upload.sent > MAX_FIRST_SAMPLE_BYTES)) continue;
    bytes += Math.max(0, upload.sent - before);
  }
  return { sent, samples: [...speedSamples.samples.filter(({ at }) => at > now - WINDOW_MS), { at: now, bytes }] };
}

/** Returns bytes per second, or null while unknown. */
export function measureSpeed({ samples }: SpeedSamples): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.at - first.at < MIN_WINDOW_MS) return null;
  return ((last.bytes - first.bytes) * 1_000) / (last.at - first.at);
}

/** Returns the seconds until `bytesLeft` are sent, or null if the speed is unknown or nothing moves. */
export function estimateSecondsLeft(bytesLeft: number, speed: number | null): number | null {
  return speed === null || speed <= 0 ? null : bytesLeft / speed;
}

/** Returns the upload speed in bytes per second, or null while unknown. */
export function useUploadSpeed(uploads: readonly Upload[], isUploading: boolean): number | null {
  const [speedSamples, setSpeedSamples] = useState<SpeedSamples>(NO_SAMPLES);
  const takeSample = useEffectEvent(() => setSpeedSamples((before) => addSample(before, uploads, performance.now())));
  useEffect(() => {
    if (!isUploading) return;
    const timer = setInterval(() => takeSample(), SAMPLE_INTERVAL_MS);
    return () => {
      clearInterval(timer);
      setSpeedSamples(NO_SAMPLES);
    };
  }, [isUploading]);
  return measureSpeed(speedSamples);
}
