/** Runs the steps of one job in the media process: detects the kind of file and handles images and documents. */
import { throwEngineMissing } from "../failure.ts";
import { type MediaKind, sniff, type SniffResult } from "../probe/kind.ts";
import type { Probe } from "../types.ts";
import { assertKind, readHead } from "./file-head.ts";
import type { Job, Reporter } from "./messages.ts";

const emptyProbe = (kind: MediaKind, type: string, bytes: number): Probe => ({
  kind,
  type,
  bytes,
  audio: null,
  video: null,
  image: null,
  annotations: "{}",
  notes: [],
});

/**
 * Runs the requested steps. The libraries for media and images are loaded on demand, because loading either takes longer
 * than analyzing a short file.
 */
export async function runSteps(job: Job, report: Reporter): Promise<void> {
  const file = readHead(job.input);
  const sniffed = sniff(file.head);
  if (sniffed.kind === "image") return runImage(job, sniffed, file.bytes, report);
  const isUnknown = sniffed.type === "unknown";
  if (sniffed.kind === "media" || isUnknown) {
    const { runMedia } = await import("./media.ts").catch(throwEngineMissing);
    if (await runMedia(job, file, isUnknown, report)) return;
  }
  assertKind(job, "document", sniffed.type);
  report.done({ step: "probe", value: emptyProbe("document", sniffed.type, file.bytes) });
}

async function runImage(job: Job, { type }: SniffResult, bytes: number, report: Reporter): Promise<void> {
  assertKind(job, "image", type);
  const { readImageFacts, createImageThumbnail } = await import("../thumbnails/image.ts").catch(throwEngineMissing);
  const image = await readImageFacts(job.input, type);
  const probe = emptyProbe("image", type, bytes);
  const imageNotes = image === null ? [{ code: "no-picture" as const, text: `This server cannot show ${type.toUpperCase()} images.` }] : [];
  report.done({ step: "probe", value: { ...probe, image, notes: imageNotes } });
  if (!job.request.steps.includes("pictures")) return;
  const thumbnail = image === null ? null : await createImageThumbnail(job.input, type, job.outputs);
  report.done({ step: "pictures", value: { thumbnail, stills: null } });
}
