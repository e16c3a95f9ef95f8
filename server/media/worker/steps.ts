/** The work itself, in the media process: which step follows which, and what each one hands on. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { copiesPicture, decideCopy, type CopyPlan } from "../copy/decide.ts";
import { makeCopy } from "../copy/copy.ts";
import { type Input, openInput, promisedSeconds } from "../engine/open.ts";
import { engineIsMissing, MediaFailure } from "../failure.ts";
import { containerType } from "../probe/container.ts";
import { type Kind, sniff, SNIFF_BYTES, type Sniffed } from "../probe/kind.ts";
import type { Pictures, Probe, Step, VideoFacts } from "../types.ts";
import { analyzeMedia, type MediaFacts } from "./analysis.ts";
import type { Job, Reporter } from "./messages.ts";

const THING: Record<Kind, string> = { audio: "audio", video: "a video", image: "an image", document: "a document" };
/** The engine's own certainty (0..100) below which unknown bytes are not believed to be media. */
const BELIEVABLE = 51;

function readHead(path: string): { head: Buffer; bytes: number } {
  const found = statSync(path);
  if (!found.isFile()) throw new MediaFailure("missing", "not a regular file");
  const { size } = found;
  if (size === 0) throw new MediaFailure("empty");
  const file = openSync(path, "r");
  try {
    const head = Buffer.alloc(Math.min(size, SNIFF_BYTES));
    return { head: head.subarray(0, readSync(file, head, 0, head.length, 0)), bytes: size };
  } finally {
    closeSync(file);
  }
}

function expectKind(job: Job, kind: Kind, type: string): void {
  const { expect } = job.wish;
  if (!expect || expect.includes(kind)) return;
  throw new MediaFailure(
    "not-media",
    type,
    `This was expected to be ${expect.map((one) => THING[one]).join(" or ")}, but its content is ${THING[kind]} (${type}).`,
  );
}

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

export async function runSteps(job: Job, report: Reporter): Promise<void> {
  const { head, bytes } = readHead(job.input);
  const sniffed = sniff(head);
  if (sniffed.kind === "image") return runImage(job, sniffed, bytes, report);
  const unknown = sniffed.type === "unknown" ? openUnknown(job.input) : null;
  if (sniffed.kind === "document" && !unknown) {
    expectKind(job, "document", sniffed.type);
    return report.done({ step: "probe", value: plainProbe("document", sniffed.type, bytes) });
  }
  const input = unknown ?? openInput(job.input);
  try {
    await runMedia(job, input, bytes, report);
  } finally {
    input.close();
  }
}

// What draws pictures is loaded for pictures only: it takes as long to load as a short sound takes to look into.
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

async function runMedia(job: Job, input: Input, bytes: number, report: Reporter): Promise<void> {
  const wished = (step: Step): boolean => job.wish.steps.includes(step);
  if (!input.audio && !input.video) throw new MediaFailure("damaged", "no audio or video stream");
  const kind: Kind = input.video ? "video" : "audio";
  const container = input.format.iformat?.name ?? "unknown";
  expectKind(job, kind, container);
  const facts = await analyzeMedia(job, input, { kind, container, type: containerType(container, readHead(job.input).head), bytes }, report);
  const plan = copyPlan(job, input, facts);
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

function copyPlan(job: Job, input: Input, { probe: { audio, video, type }, container }: MediaFacts): CopyPlan {
  return decideCopy({ type, audio, video, promisedSeconds: promisedSeconds(input), fragmented: isFragmented(job.input, container) });
}

function copyOf(job: Job, plan: CopyPlan, { probe, container }: MediaFacts, report: Reporter): ReturnType<typeof makeCopy> {
  const { audio, video } = probe;
  const onShare = (share: number): void => report.progress({ phase: "copy", share: 0.4 + 0.55 * Math.min(1, share) });
  return makeCopy({ input: job.input, folder: job.outputs, plan, container, audio, video, onShare });
}

/** A fragmented MP4 announces it with an `mvex` box near its start. */
function isFragmented(path: string, container: string): boolean {
  return container.includes("mp4") && readHead(path).head.includes("mvex");
}
