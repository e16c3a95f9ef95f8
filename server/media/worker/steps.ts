/** Runs the steps of one job in the media process: detects the kind of file and handles images and documents. */
import { throwEngineMissing } from "../failure.ts";
import type { MediaKind } from "../recognition/kind.ts";
import { recognize, type Recognition } from "../recognition/recognize.ts";
import type { Probe } from "../types.ts";
import { assertFile, assertKind } from "./file-head.ts";
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
  assertFile(job.input);
  const content = recognize(job.input);
  if (job.squares) {
    const { writeSquares } = await import("../thumbnails/squares.ts").catch(throwEngineMissing);
    return writeSquares(job, content.kind === "image" ? content.type : "");
  }
  if (content.kind === "image") return runImage(job, content, report);
  if (content.kind === "media") {
    const { runMedia } = await import("./media.ts").catch(throwEngineMissing);
    return runMedia(job, report);
  }
  assertKind(job, "document", content.type);
  report.done({ step: "probe", value: emptyProbe("document", content.type, content.bytes) });
  if (!job.request.steps.includes("text")) return;
  const { readDocument } = await import("../documents/read-document.ts").catch(throwEngineMissing);
  const value = await readDocument({ path: job.input, ...content }, (share) => report.progress({ phase: "text", share }));
  if (value) report.done({ step: "text", value });
}

async function runImage(job: Job, { type, bytes }: Recognition, report: Reporter): Promise<void> {
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
