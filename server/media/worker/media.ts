/** The work on a sound or a film: which step follows which, and what each one hands on. */
import { join } from "node:path";
import { copiesPicture, decideCopy, type CopyPlan } from "../copy/decide.ts";
import { makeCopy } from "../copy/copy.ts";
import { type Input, openInput, promisedSeconds } from "../engine/open.ts";
import { engineIsMissing, MediaFailure } from "../failure.ts";
import { containerType } from "../probe/container.ts";
import type { Kind } from "../probe/kind.ts";
import type { Pictures, Step, VideoFacts } from "../types.ts";
import { analyzeMedia, type MediaFacts } from "./analysis.ts";
import { expectKind, type FileHead } from "./head.ts";
import type { Job, Reporter } from "./messages.ts";

/** The engine's own certainty (0..100) below which unknown bytes are not believed to be media. */
const BELIEVABLE = 51;

/** Bytes that no signature names: media only if the engine is sure of it. */
function openUnknown(path: string): Input | null {
  try {
    const input = openInput(path);
    if (input.format.probeScore >= BELIEVABLE && (input.audio || input.video)) return input;
    input.close();
    return null;
  } catch {
    return null;
  }
}

/** Returns false where no signature names the bytes and the engine does not know them either. */
export async function runMedia(job: Job, file: FileHead, isUnknown: boolean, report: Reporter): Promise<boolean> {
  const input = isUnknown ? openUnknown(job.input) : openInput(job.input);
  if (!input) return false;
  try {
    await runOpened(job, input, file, report);
  } finally {
    input.close();
  }
  return true;
}

async function runOpened(job: Job, input: Input, { head, bytes }: FileHead, report: Reporter): Promise<void> {
  const wished = (step: Step): boolean => job.wish.steps.includes(step);
  if (!input.audio && !input.video) throw new MediaFailure("damaged", "no audio or video stream");
  const kind: Kind = input.video ? "video" : "audio";
  const container = input.format.iformat?.name ?? "unknown";
  expectKind(job, kind, container);
  const facts = await analyzeMedia(job, input, { kind, container, type: containerType(container, head), bytes }, report);
  const plan = copyPlan(input, head, facts);
  const isFilm = plan === "video" && !copiesPicture(facts.probe.video!);
  if (isFilm && job.wish.films === "later") return;
  const copy = wished("copy") ? await copyOf(job, plan, facts, report) : null;
  if (wished("copy")) report.done({ step: "copy", value: copy });
  if (!wished("pictures") || !facts.probe.video) return;
  report.progress({ phase: "pictures", share: 0.95 });
  // A copy has the index that a recording lacks, so that jumping to a still is quick.
  const source = copy ? join(job.outputs, copy.file) : job.input;
  report.done({ step: "pictures", value: await stillsOf(source, facts.probe.video, job.outputs, report) });
}

async function stillsOf(path: string, video: VideoFacts, folder: string, report: Reporter): Promise<Pictures> {
  const { makeStills } = await import("../pictures/stills.ts").catch(engineIsMissing);
  const input = openInput(path);
  try {
    return await makeStills(input, video, folder, (share) => report.progress({ phase: "pictures", share: 0.95 + 0.05 * share }));
  } finally {
    input.close();
  }
}

function copyPlan(input: Input, head: Buffer, { probe: { audio, video, type }, container }: MediaFacts): CopyPlan {
  return decideCopy({ type, audio, video, promisedSeconds: promisedSeconds(input), fragmented: isFragmented(head, container) });
}

function copyOf(job: Job, plan: CopyPlan, { probe, container }: MediaFacts, report: Reporter): ReturnType<typeof makeCopy> {
  const { audio, video } = probe;
  const onShare = (share: number): void => report.progress({ phase: "copy", share: 0.4 + 0.55 * Math.min(1, share) });
  return makeCopy({ input: job.input, folder: job.outputs, plan, container, audio, video, onShare });
}

/** A fragmented MP4 announces it with an `mvex` box near its start. */
function isFragmented(head: Buffer, container: string): boolean {
  return container.includes("mp4") && head.includes("mvex");
}
