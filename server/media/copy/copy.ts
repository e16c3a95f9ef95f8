/** Creates the streaming copy according to a copy plan. */
import { AV_NOPTS_VALUE } from "node-av/constants";
import type { Stream } from "node-av/lib";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { createDecodeBudget } from "../engine/budget.ts";
import { type Input, openInput } from "../engine/open.ts";
import { type FailureCode, MediaFailure } from "../failure.ts";
import type { AudioFacts, StreamingCopy, VideoFacts } from "../types.ts";
import { encodeAudioCopy } from "./audio-copy.ts";
import { canCopyVideoStream, canCopyAudioStream, type CopyPlan } from "./decide.ts";
import { remux } from "./remux.ts";
import { encodeVideoStream } from "./video-encoder.ts";

export interface CopyJob {
  input: string;
  folder: string;
  plan: CopyPlan;
  container: string;
  audio: AudioFacts | null;
  video: VideoFacts | null;
  /** Timestamp of the first sample. */
  startSeconds: number;
  onProgress(share: number): void;
}

interface RemuxedFile {
  file: string;
  format: string;
  mime: string;
  options: Record<string, string>;
}

/** Largest difference in seconds between a copy without new encoding and what was decoded. */
const MAX_LENGTH_ERROR = 0.02;
/** Failures of one way that need not be failures of another. */
const FALLS_BACK: ReadonlySet<FailureCode> = new Set(["damaged", "no-sound", "not-supported", "not-media", "engine-missing", "out-of-memory"]);
const FASTSTART = { movflags: "+faststart" };

/** The way that is tried when another has failed. */
const FALLBACKS: Partial<Record<CopyPlan, (job: CopyJob) => CopyPlan>> = { remux: ({ video }) => (video ? "video" : "encode") };

/**
 * Returns null if the original is playable as is. Tries the next way if one fails, and throws `no-copy` if all have failed, unless another run may succeed.
 */
export async function makeCopy(job: CopyJob): Promise<StreamingCopy | null> {
  const reasons: string[] = [];
  for (let plan: CopyPlan | undefined = job.plan; plan; plan = FALLBACKS[plan]?.(job)) {
    try {
      return await writeCopy({ ...job, plan });
    } catch (error) {
      if (!(error instanceof MediaFailure) || error.retry || !FALLS_BACK.has(error.code)) throw error;
      reasons.push(`${plan}: ${error.detail || error.message}`);
    }
  }
  throw new MediaFailure("no-copy", reasons.join("; "));
}

async function writeCopy(job: CopyJob): Promise<StreamingCopy | null> {
  const { plan, folder } = job;
  if (plan === "none") return null;
  if (plan === "video") {
    await writeVideoCopy(job);
    return describeCopy(folder, "copy.mp4", "video", "video/mp4");
  }
  if (plan === "remux") return job.video ? remuxVideo(job) : remuxAudio(job);
  if (!job.audio) throw new MediaFailure("not-media", "no sound to copy");
  await writeAudioCopy(job, "copy.m4a");
  return describeCopy(folder, "copy.m4a", "encode", "audio/mp4");
}

const describeCopy = (folder: string, file: string, method: StreamingCopy["method"], mime: string): StreamingCopy => ({
  file,
  method,
  mime,
  bytes: statSync(join(folder, file)).size,
});

async function withInput<T>(path: string, work: (input: Input) => Promise<T>): Promise<T> {
  const input = openInput(path);
  try {
    return await work(input);
  } finally {
    input.close();
  }
}

async function writeAudioCopy({ input: path, folder, audio, video, onProgress }: CopyJob, file: string): Promise<void> {
  const { samples, sampleRate, channels } = audio!;
  const progressWeight = video ? 0.3 : 1;
  await withInput(path, (input) =>
    encodeAudioCopy(input, {
      path: join(folder, file),
      samples,
      sampleRate,
      channels,
      onSamples: (count) => onProgress((progressWeight * count) / Math.max(1, samples)),
    }),
  );
}

/** Copies video and audio unchanged into a container that has a duration and an index. */
async function remuxVideo({ input: path, folder, container, audio, video, onProgress }: CopyJob): Promise<StreamingCopy> {
  const target: RemuxedFile = container.includes("webm")
    ? { file: "copy.webm", format: "webm", mime: "video/webm", options: { cues_to_front: "1" } }
    : { file: "copy.mp4", format: "mp4", mime: "video/mp4", options: FASTSTART };
  await withInput(path, (videoInput) =>
    withInput(path, (audioInput) => {
      const sources = [{ input: videoInput, stream: videoInput.video! }];
      if (audio) sources.push({ input: audioInput, stream: audioInput.audio! });
      return remux(sources, { path: join(folder, target.file), format: target.format, options: target.options }, progressReporter(video!.duration, onProgress));
    }),
  );
  return describeCopy(folder, target.file, "remux", target.mime);
}

/** Copies AAC unchanged into an .m4a with an index, which starts at the first sample and lasts as long as what was decoded. */
async function remuxAudio({ input: path, folder, audio, startSeconds, onProgress }: CopyJob): Promise<StreamingCopy> {
  const file = "copy.m4a";
  await withInput(path, (input) =>
    remux(
      [{ input, stream: input.audio!, offsetSeconds: -startSeconds }],
      // An index at the front lets players seek before the whole file has loaded.
      { path: join(folder, file), format: "ipod", options: FASTSTART },
      progressReporter(audio!.duration, onProgress),
    ),
  );
  const seconds = await withInput(join(folder, file), async ({ promisedSeconds }) => promisedSeconds);
  if (Math.abs(seconds - audio!.duration) > MAX_LENGTH_ERROR) throw new MediaFailure("damaged", `${seconds} s instead of ${audio!.duration} s`);
  return describeCopy(folder, file, "remux", "audio/mp4");
}

const progressReporter =
  (seconds: number, onProgress: CopyJob["onProgress"]) =>
  (done: number): void =>
    onProgress(done / Math.max(1, seconds));

const startSeconds = (stream: Stream): number =>
  stream.startTime === AV_NOPTS_VALUE ? 0 : (Number(stream.startTime) * stream.timeBase.num) / stream.timeBase.den;

/** Copies or encodes video and audio separately, then muxes them into one file. */
async function writeVideoCopy(job: CopyJob): Promise<void> {
  const { input: path, folder, audio, video, onProgress } = job;
  const encodesAudio = audio !== null && !canCopyAudioStream(audio.encoding);
  const encodesVideo = !canCopyVideoStream(video!);
  const audioPath = join(folder, "part-sound.m4a");
  const videoPath = join(folder, "part-picture.mp4");
  try {
    if (encodesAudio) await writeAudioCopy(job, "part-sound.m4a");
    if (encodesVideo)
      await withInput(path, (input) =>
        encodeVideoStream(input, videoPath, createDecodeBudget("video", statSync(path).size), (seconds) =>
          onProgress(0.3 + (0.65 * seconds) / Math.max(1, video!.duration)),
        ),
      );
    const openInputs: Input[] = [];
    const openTracked = (from: string): Input => {
      const input = openInput(from);
      openInputs.push(input);
      return input;
    };
    try {
      const original = openTracked(path);
      const videoInput = encodesVideo ? openTracked(videoPath) : original;
      const starts = { video: startSeconds(original.video!), audio: original.audio ? startSeconds(original.audio) : 0 };
      const earliestStart = Math.min(starts.video, audio ? starts.audio : Infinity);
      const sources = [{ input: videoInput, stream: videoInput.video!, offsetSeconds: encodesVideo ? starts.video - earliestStart : -earliestStart }];
      if (audio) {
        const audioInput = encodesAudio ? openTracked(audioPath) : openTracked(path);
        sources.push({ input: audioInput, stream: audioInput.audio!, offsetSeconds: encodesAudio ? starts.audio - earliestStart : -earliestStart });
      }
      await remux(sources, { path: join(folder, "copy.mp4"), format: "mp4", options: FASTSTART }, () => onProgress(0.97));
    } finally {
      for (const input of openInputs) input.close();
    }
  } finally {
    rmSync(audioPath, { force: true });
    rmSync(videoPath, { force: true });
  }
}
