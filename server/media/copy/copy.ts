/** Creates the streaming copy according to a copy plan. */
import { AV_NOPTS_VALUE } from "node-av/constants";
import type { Stream } from "node-av/lib";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { createDecodeBudget } from "../engine/budget.ts";
import { type Input, openInput } from "../engine/open.ts";
import { MediaFailure } from "../failure.ts";
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
  onProgress(share: number): void;
}

interface RemuxedFile {
  file: string;
  format: string;
  mime: string;
  options: Record<string, string>;
}

const FASTSTART = { movflags: "+faststart" };

/** Returns null if the original is playable as is. */
export async function makeCopy(job: CopyJob): Promise<StreamingCopy | null> {
  const { plan, folder, audio } = job;
  if (plan === "none") return null;
  if (plan === "video") {
    await writeVideoCopy(job);
    return describeCopy(folder, "copy.mp4", "video", "video/mp4");
  }
  if (plan === "remux") return job.video ? remuxVideo(job) : remuxAudio(job);
  if (!audio) throw new MediaFailure("not-media", "no sound to copy");
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

async function remuxAudio({ input: path, folder, container, audio, onProgress }: CopyJob): Promise<StreamingCopy> {
  // An index at the front lets players seek before the whole file has loaded.
  const target: RemuxedFile =
    container === "mp3" || audio!.encoding === "mp3"
      ? { file: "copy.mp3", format: "mp3", mime: "audio/mpeg", options: {} }
      : { file: "copy.m4a", format: "ipod", mime: "audio/mp4", options: FASTSTART };
  await withInput(path, (input) =>
    remux(
      [{ input, stream: input.audio! }],
      { path: join(folder, target.file), format: target.format, options: target.options },
      progressReporter(audio!.duration, onProgress),
    ),
  );
  return describeCopy(folder, target.file, "remux", target.mime);
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
