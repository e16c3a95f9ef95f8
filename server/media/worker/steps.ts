/** The work itself, in the media process: what kind of file it is, and what is done with a picture or a document. */
import { engineIsMissing } from "../failure.ts";
import { type Kind, sniff, type Sniffed } from "../probe/kind.ts";
import type { Probe } from "../types.ts";
import { expectKind, readHead } from "./head.ts";
import type { Job, Reporter } from "./messages.ts";

const plainProbe = (kind: Kind, type: string, bytes: number): Probe => ({
  kind,
  type,
  bytes,
  audio: null,
  video: null,
  image: null,
  annotations: "{}",
  notes: [],
});

/** Runs the wished steps. What opens sounds and what draws pictures is loaded only for them: each takes longer to load than a short file takes to look into. */
export async function runSteps(job: Job, report: Reporter): Promise<void> {
  const file = readHead(job.input);
  const sniffed = sniff(file.head);
  if (sniffed.kind === "image") return runImage(job, sniffed, file.bytes, report);
  const isUnknown = sniffed.type === "unknown";
  if (sniffed.kind === "media" || isUnknown) {
    const { runMedia } = await import("./media.ts").catch(engineIsMissing);
    if (await runMedia(job, file, isUnknown, report)) return;
  }
  expectKind(job, "document", sniffed.type);
  report.done({ step: "probe", value: plainProbe("document", sniffed.type, file.bytes) });
}

async function runImage(job: Job, { type }: Sniffed, bytes: number, report: Reporter): Promise<void> {
  expectKind(job, "image", type);
  const { imageFacts, imageThumbnail } = await import("../pictures/image.ts").catch(engineIsMissing);
  const image = await imageFacts(job.input, type);
  const probe = plainProbe("image", type, bytes);
  const without = image === null ? [{ code: "no-picture" as const, text: `This server cannot show ${type.toUpperCase()} images.` }] : [];
  report.done({ step: "probe", value: { ...probe, image, notes: without } });
  if (!job.wish.steps.includes("pictures")) return;
  const thumbnail = image === null ? null : await imageThumbnail(job.input, type, job.outputs);
  report.done({ step: "pictures", value: { thumbnail, stills: null } });
}
