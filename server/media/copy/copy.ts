/** Makes the streaming copy that was decided on. */
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { AV_NOPTS_VALUE } from "node-av/constants";
import type { Stream } from "node-av/lib";
import { type Input, openInput } from "../engine/open.ts";
import { MediaFailure } from "../failure.ts";
import type { AudioFacts, Copy, VideoFacts } from "../types.ts";
import { encodeAudioCopy } from "./audio-copy.ts";
import { copiesPicture, copiesSound, type CopyPlan } from "./decide.ts";
import { encodePicture } from "./picture-encoder.ts";
import { remux } from "./remux.ts";

export interface CopyJob {
  input: string;
  folder: string;
  plan: CopyPlan;
  container: string;
  audio: AudioFacts | null;
  video: VideoFacts | null;
  onShare(share: number): void;
}

interface RemuxedFile {
  file: string;
  format: string;
  mime: string;
  options: Record<string, string>;
}

const FASTSTART = { movflags: "+faststart" };

/** null: the original plays as it is. */
export async function makeCopy(job: CopyJob): Promise<Copy | null> {
  const { plan, folder, audio } = job;
  if (plan === "none") return null;
  if (plan === "video") {
    await videoCopy(job);
    return made(folder, "copy.mp4", "video", "video/mp4");
  }
  if (plan === "remux") return job.video ? remuxVideo(job) : remuxSound(job);
  if (!audio) throw new MediaFailure("not-media", "no sound to copy");
  await soundCopy(job, "copy.m4a");
  return made(folder, "copy.m4a", "encode", "audio/mp4");
}

const made = (folder: string, file: string, how: Copy["how"], mime: string): Copy => ({ file, how, mime, bytes: statSync(join(folder, file)).size });

async function withInput<T>(path: string, work: (input: Input) => Promise<T>): Promise<T> {
  const input = openInput(path);
  try {
    return await work(input);
  } finally {
    input.close();
  }
}

async function soundCopy({ input: path, folder, audio, video, onShare }: CopyJob, file: string): Promise<void> {
  const { samples, sampleRate, channels } = audio!;
  const part = video ? 0.3 : 1;
  await withInput(path, (input) =>
    encodeAudioCopy(input, { path: join(folder, file), sampleRate, channels, onSamples: (count) => onShare((part * count) / Math.max(1, samples)) }),
  );
}

/** Same picture and sound in a container that has a duration and an index. */
async function remuxVideo({ input: path, folder, container, audio, video, onShare }: CopyJob): Promise<Copy> {
  const target: RemuxedFile = container.includes("webm")
    ? { file: "copy.webm", format: "webm", mime: "video/webm", options: { cues_to_front: "1" } }
    : { file: "copy.mp4", format: "mp4", mime: "video/mp4", options: FASTSTART };
  await withInput(path, (picture) =>
    withInput(path, (sound) => {
      const sources = [{ input: picture, stream: picture.video! }];
      if (audio) sources.push({ input: sound, stream: sound.audio! });
      return remux(sources, { path: join(folder, target.file), format: target.format, options: target.options }, sharesOf(video!.duration, onShare));
    }),
  );
  return made(folder, target.file, "remux", target.mime);
}

async function remuxSound({ input: path, folder, container, audio, onShare }: CopyJob): Promise<Copy> {
  // The index in front makes a jump possible before the end has arrived.
  const target: RemuxedFile =
    container === "mp3" || audio!.encoding === "mp3"
      ? { file: "copy.mp3", format: "mp3", mime: "audio/mpeg", options: {} }
      : { file: "copy.m4a", format: "ipod", mime: "audio/mp4", options: FASTSTART };
  await withInput(path, (input) =>
    remux(
      [{ input, stream: input.audio! }],
      { path: join(folder, target.file), format: target.format, options: target.options },
      sharesOf(audio!.duration, onShare),
    ),
  );
  return made(folder, target.file, "remux", target.mime);
}

const sharesOf =
  (seconds: number, onShare: CopyJob["onShare"]) =>
  (done: number): void =>
    onShare(done / Math.max(1, seconds));

const startOf = (stream: Stream): number => (stream.startTime === AV_NOPTS_VALUE ? 0 : (Number(stream.startTime) * stream.timeBase.num) / stream.timeBase.den);

/** Picture and sound are each taken over or encoded apart, then laid side by side. */
async function videoCopy(job: CopyJob): Promise<void> {
  const { input: path, folder, audio, video, onShare } = job;
  const newSound = audio !== null && !copiesSound(audio.encoding);
  const newPicture = !copiesPicture(video!);
  const sound = join(folder, "part-sound.m4a");
  const picture = join(folder, "part-picture.mp4");
  try {
    if (newSound) await soundCopy(job, "part-sound.m4a");
    if (newPicture)
      await withInput(path, (input) => encodePicture(input, picture, (seconds) => onShare(0.3 + (0.65 * seconds) / Math.max(1, video!.duration))));
    const open: Input[] = [];
    const take = (from: string): Input => {
      const input = openInput(from);
      open.push(input);
      return input;
    };
    try {
      const original = take(path);
      const pictureIn = newPicture ? take(picture) : original;
      const starts = { picture: startOf(original.video!), sound: original.audio ? startOf(original.audio) : 0 };
      const zero = Math.min(starts.picture, audio ? starts.sound : Infinity);
      const sources = [{ input: pictureIn, stream: pictureIn.video!, offsetSeconds: newPicture ? starts.picture - zero : -zero }];
      if (audio) {
        const soundIn = newSound ? take(sound) : take(path);
        sources.push({ input: soundIn, stream: soundIn.audio!, offsetSeconds: newSound ? starts.sound - zero : -zero });
      }
      await remux(sources, { path: join(folder, "copy.mp4"), format: "mp4", options: FASTSTART }, () => onShare(0.97));
    } finally {
      for (const input of open) input.close();
    }
  } finally {
    rmSync(sound, { force: true });
    rmSync(picture, { force: true });
  }
}
