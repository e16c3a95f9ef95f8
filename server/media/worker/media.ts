/** Runs the steps of an audio or video file in order and passes results from one step to the next. */
import { join } from "node:path";
import { makeCopy } from "../copy/copy.ts";
import { canCopyVideoStream, decideCopy, type CopyPlan } from "../copy/decide.ts";
import { type Input, isCover, openInput, declaredSeconds } from "../engine/open.ts";
import { throwEngineMissing, MediaFailure } from "../failure.ts";
import { containerType, type MediaKind } from "../recognition/kind.ts";
import type { StreamingCopy, Thumbnails, Step, VideoFacts } from "../types.ts";
import { analyzeMedia, type MediaFacts } from "./analysis.ts";
import { assertKind } from "./file-head.ts";
import type { Job, Reporter } from "./messages.ts";

export async function runMedia(job: Job, report: Reporter): Promise<void> {
  const input = openInput(job.input);
  try {
    await analyzeInput(job, input, report);
  } finally {
    input.close();
  }
}

async function analyzeInput(job: Job, input: Input, report: Reporter): Promise<void> {
  const { head, bytes } = input.recognition;
  const isRequested = (step: Step): boolean => job.request.steps.includes(step);
  if (!input.audio && !input.video) throw new MediaFailure("damaged", "no audio or video stream");
  const kind: MediaKind = input.video ? "video" : "audio";
  const container = input.format.iformat?.name ?? "unknown";
  assertKind(job, kind, container);
  const facts = await analyzeMedia(job, input, { kind, container, type: containerType(container, head), bytes }, report);
  const plan = planCopy(input, facts);
  const needsVideoEncode = plan === "video" && !canCopyVideoStream(facts.probe.video!);
  if (needsVideoEncode && job.request.videos === "later") return;
  let copy: StreamingCopy | null = null;
  let copyFailure: unknown = null;
  if (isRequested("copy")) {
    try {
      copy = await createCopy(job, plan, facts, report);
      report.done({ step: "copy", value: copy });
    } catch (error) {
      // A video without a copy still has stills.
      if (!(error instanceof MediaFailure) || error.code !== "no-copy") throw error;
      copyFailure = error;
    }
  }
  // The cover comes last, because a crafted picture that ends the process must not cost the sound its copy.
  if (isRequested("pictures") && !facts.probe.video) report.done({ step: "pictures", value: await createCover(job, input) });
  if (isRequested("pictures") && facts.probe.video) {
    report.progress({ phase: "pictures", share: 0.95 });
    // Prefers the copy, because its index makes seeking to a still fast; a browser recording has no index.
    const source = copy ? join(job.outputs, copy.file) : job.input;
    report.done({ step: "pictures", value: await createStills(source, facts.probe.video, job.outputs, report) });
  }
  if (copyFailure) throw copyFailure;
}

async function createStills(path: string, video: VideoFacts, folder: string, report: Reporter): Promise<Thumbnails> {
  const { makeStills } = await import("../thumbnails/stills.ts").catch(throwEngineMissing);
  const input = openInput(path);
  try {
    return await makeStills(input, video, folder, (share) => report.progress({ phase: "pictures", share: 0.95 + 0.05 * share }));
  } finally {
    input.close();
  }
}

/** Opens the file again, because the decoding pass has read past its pictures. */
async function createCover(job: Job, decoded: Input): Promise<Thumbnails> {
  if (!decoded.format.streams.some(isCover)) return { thumbnail: null, stills: null };
  const { createCoverThumbnail } = await import("../thumbnails/cover.ts").catch(throwEngineMissing);
  const input = openInput(job.input);
  try {
    return { thumbnail: await createCoverThumbnail(input, job.outputs), stills: null };
  } finally {
    input.close();
  }
}

function planCopy(input: Input, { probe: { audio, video, type }, container, pass }: MediaFacts): CopyPlan {
  const { head, offset } = input.recognition;
  const decoded = pass && { ...pass, seconds: pass.samples / pass.sampleRate };
  return decideCopy({ type, audio, video, declaredSeconds: declaredSeconds(input), decoded, fragmented: isFragmented(head, container), leadingBytes: offset });
}

function createCopy(job: Job, plan: CopyPlan, { probe, container, pass }: MediaFacts, report: Reporter): ReturnType<typeof makeCopy> {
  const { audio, video } = probe;
  const onProgress = (share: number): void => report.progress({ phase: "copy", share: 0.4 + 0.55 * Math.min(1, share) });
  return makeCopy({ input: job.input, folder: job.outputs, plan, container, audio, video, startSeconds: pass?.startSeconds ?? 0, onProgress });
}

/** Detects a fragmented MP4 by the `mvex` box near its start. */
function isFragmented(head: Buffer, container: string): boolean {
  return container.includes("mp4") && head.includes("mvex");
}
