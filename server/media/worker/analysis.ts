/** The one decoding pass and what comes of it: probe, peaks, loudness, tempo and key, labels. */
import { type Listener, listenTo, type MonoListener, type PassResult, type SoundNature } from "../engine/audio-pass.ts";
import { type Input, promisedSeconds } from "../engine/open.ts";
import { scanSeconds } from "../engine/scan.ts";
import { MediaFailure } from "../failure.ts";
import { LABEL_RATE, labelWindows } from "../labels/labels.ts";
import { WindowSink } from "../labels/windows.ts";
import { channelWeights, LoudnessSink } from "../loudness/loudness.ts";
import { MusicSink } from "../music/music.ts";
import { PeakSink } from "../peaks/peaks.ts";
import { videoFacts } from "../pictures/video-facts.ts";
import { readAnnotations } from "../probe/annotations.ts";
import { audioFacts } from "../probe/audio-facts.ts";
import type { Kind } from "../probe/kind.ts";
import { readRiff } from "../probe/riff.ts";
import type { Note, Probe, Step } from "../types.ts";
import type { Job, Reporter } from "./messages.ts";

export interface MediaFacts {
  probe: Probe;
  container: string;
}

/** Missing this much of what the header promised is worth telling. */
const MISSING = { share: 0.02, seconds: 0.5 };
/** Share of the whole job that the pass takes when a copy or pictures follow. */
const PASS_SHARE = 0.4;

class Listeners {
  peaks: PeakSink | null = null;
  loudness: LoudnessSink | null = null;
  music: MusicSink | null = null;
  windows: WindowSink | null = null;

  constructor(job: Job, nature: SoundNature) {
    const wished = (step: Step): boolean => job.wish.steps.includes(step);
    if (wished("peaks")) this.peaks = new PeakSink(job.outputs, nature.sampleRate, nature.channels);
    if (wished("loudness")) this.loudness = new LoudnessSink(nature.sampleRate, channelWeights(nature.mask, nature.channels));
    if (wished("music")) this.music = new MusicSink();
    if (wished("labels") && job.wish.labels) this.windows = new WindowSink();
  }

  full(): Listener[] {
    return [this.peaks, this.loudness].filter((one) => one !== null);
  }

  mono(): MonoListener[] {
    const windows = this.windows;
    return [...(this.music?.listeners ?? []), ...(windows ? [{ rate: LABEL_RATE, push: windows.push.bind(windows) }] : [])];
  }
}

function notesOf(pass: PassResult, promised: number, cut: boolean): Note[] {
  const seconds = pass.samples / pass.sampleRate;
  const missing = promised - seconds;
  const notes: Note[] = [];
  if (missing > Math.max(MISSING.seconds, promised * MISSING.share)) {
    notes.push({ code: "ends-early", text: `The file ends early: it promises ${promised.toFixed(1)} s and holds ${seconds.toFixed(1)} s.` });
  } else if (cut) notes.push({ code: "ends-early", text: "The file ends early: its header promises more than it holds." });
  if (pass.broken > 0) notes.push({ code: "damaged-parts", text: `${pass.broken} damaged ${pass.broken === 1 ? "part was" : "parts were"} skipped.` });
  return notes;
}

export async function analyzeMedia(
  job: Job,
  input: Input,
  about: { kind: Kind; container: string; type: string; bytes: number },
  report: Reporter,
): Promise<MediaFacts> {
  const { kind, container, type, bytes } = about;
  const promised = promisedSeconds(input);
  const riff = container === "wav" ? readRiff(job.input) : null;
  const alone = !job.wish.steps.includes("copy") && !job.wish.steps.includes("pictures");
  let listeners: Listeners | null = null;
  const pass = input.audio ? await listenOrSkip() : null;
  if (!pass && !input.video) throw new MediaFailure("damaged", "no audio could be decoded");
  const audio = pass ? audioFacts(input.audio!, pass) : null;
  // A browser's recording promises nothing: its packets have to be looked at.
  const seconds = input.video
    ? Math.max(audio?.duration ?? 0, promised || (await scanSeconds(job.input, () => report.progress({ phase: "analysis", share: PASS_SHARE }))))
    : 0;
  const video = input.video ? videoFacts(input.video, seconds) : null;
  const probe: Probe = {
    kind,
    type,
    bytes,
    audio,
    video,
    image: null,
    annotations: JSON.stringify(readAnnotations(input.format, input.audio, riff)),
    notes: pass ? notesOf(pass, input.video ? 0 : promised, pass.cut || (riff?.truncated ?? false)) : [],
  };
  report.done({ step: "probe", value: probe });
  if (listeners) await finish(job, listeners, report);
  return { probe, container };

  async function listenOrSkip(): Promise<PassResult | null> {
    try {
      return await listenTo(
        input,
        (nature) => {
          listeners = new Listeners(job, nature);
          return { full: listeners.full(), mono: listeners.mono() };
        },
        (done, rate) => {
          const share = promised > 0 ? Math.min(1, done / rate / promised) : 0.5;
          report.progress({ phase: "analysis", share: share * (alone ? 1 : PASS_SHARE) });
        },
      );
    } catch (error) {
      // A video whose sound is broken is still a video.
      if (input.video && error instanceof MediaFailure && error.code === "damaged") return null;
      throw error;
    }
  }
}

async function finish(job: Job, { peaks, loudness, music, windows }: Listeners, report: Reporter): Promise<void> {
  if (peaks) report.done({ step: "peaks", value: peaks.finish() });
  if (loudness) report.done({ step: "loudness", value: loudness.finish() });
  if (music) report.done({ step: "music", value: music.finish() });
  const tellAlive = (): void => report.progress({ phase: "analysis", share: PASS_SHARE });
  if (job.wish.steps.includes("labels")) report.done({ step: "labels", value: await labelWindows(windows?.finish() ?? [], job.wish.labels, tellAlive) });
}
