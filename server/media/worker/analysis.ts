/** Runs the single decoding pass and its sinks: probe, peaks, loudness, tempo and key, labels. */
import { type AudioSink, decodeAudio, type MonoSink, type PassResult } from "../engine/audio-pass.ts";
import type { AudioFormat } from "../engine/audio-stream.ts";
import { createDecodeBudget } from "../engine/budget.ts";
import { type Input, declaredSeconds } from "../engine/open.ts";
import { type FailureCode, MediaFailure } from "../failure.ts";
import { LABEL_RATE, labelWindows } from "../labels/labels.ts";
import { WindowSink } from "../labels/windows.ts";
import { channelWeights, LoudnessSink } from "../loudness/loudness.ts";
import { MusicSink } from "../music/music.ts";
import { PeakSink } from "../peaks/peaks.ts";
import type { MediaKind } from "../probe/kind.ts";
import { readRiff } from "../probe/riff.ts";
import { readAnnotations } from "../probe/tags.ts";
import { audioFacts, scanSeconds, videoFacts } from "../probe/stream-facts.ts";
import type { ProbeNote, Probe, Step } from "../types.ts";
import type { Job, Reporter } from "./messages.ts";

export interface MediaFacts {
  probe: Probe;
  container: string;
}

/** Minimum shortfall from the declared duration for a note in the probe. */
const MISSING_THRESHOLD = { share: 0.02, seconds: 0.5 };
/** Failures of the sound alone. */
const UNDECODABLE = new Set<FailureCode>(["damaged", "no-sound", "not-supported"]);
/** Share of the whole job taken by the decoding pass if a copy or pictures follow. */
const PASS_SHARE = 0.4;

class AnalysisSinks {
  peaks: PeakSink | null = null;
  loudness: LoudnessSink | null = null;
  music: MusicSink | null = null;
  windows: WindowSink | null = null;

  constructor(job: Job, format: AudioFormat) {
    const isRequested = (step: Step): boolean => job.request.steps.includes(step);
    if (isRequested("peaks")) this.peaks = new PeakSink(job.outputs, format.sampleRate, format.channels);
    if (isRequested("loudness")) this.loudness = new LoudnessSink(format.sampleRate, channelWeights(format.channelLayout));
    if (isRequested("music")) this.music = new MusicSink();
    if (isRequested("labels") && job.request.labels) this.windows = new WindowSink();
  }

  full(): AudioSink[] {
    return [this.peaks, this.loudness].filter((sink) => sink !== null);
  }

  mono(): MonoSink[] {
    const windows = this.windows;
    return [...(this.music?.sinks ?? []), ...(windows ? [{ rate: LABEL_RATE, push: windows.push.bind(windows) }] : [])];
  }
}

function collectNotes(pass: PassResult, declared: number, isTruncated: boolean): ProbeNote[] {
  const seconds = pass.samples / pass.sampleRate;
  const missing = declared - seconds;
  const notes: ProbeNote[] = [];
  if (missing > Math.max(MISSING_THRESHOLD.seconds, declared * MISSING_THRESHOLD.share)) {
    notes.push({ code: "ends-early", text: `The file ends early: its header declares ${declared.toFixed(1)} s, but it contains ${seconds.toFixed(1)} s.` });
  } else if (isTruncated) notes.push({ code: "ends-early", text: "The file ends early: its header declares more than it contains." });
  if (pass.brokenPackets > 0)
    notes.push({ code: "damaged-parts", text: `${pass.brokenPackets} damaged ${pass.brokenPackets === 1 ? "part was" : "parts were"} skipped.` });
  if (pass.badSamples > 0)
    notes.push({
      code: "bad-samples",
      text: `${pass.badSamples.toLocaleString("en")} ${pass.badSamples === 1 ? "sample isn't a valid number" : "samples aren't valid numbers"} (NaN, infinite or far beyond full scale) and ${pass.badSamples === 1 ? "is" : "are"} played as silence.`,
    });
  return notes;
}

export async function analyzeMedia(
  job: Job,
  input: Input,
  source: { kind: MediaKind; container: string; type: string; bytes: number },
  report: Reporter,
): Promise<MediaFacts> {
  const { kind, container, type, bytes } = source;
  const declared = declaredSeconds(input);
  const riff = container === "wav" ? readRiff(job.input) : null;
  const isAnalysisOnly = !job.request.steps.includes("copy") && !job.request.steps.includes("pictures");
  let sinks: AnalysisSinks | null = null;
  const pass = input.audio ? await decodeOrSkip() : null;
  if (!pass && !input.video) throw new MediaFailure("damaged", "no audio could be decoded");
  const audio = pass ? audioFacts(input.audio!, pass) : null;
  // If the container declares no duration, as in a browser recording, the packets are scanned.
  const seconds = input.video
    ? Math.max(audio?.duration ?? 0, declared || (await scanSeconds(job.input, () => report.progress({ phase: "analysis", share: PASS_SHARE }))))
    : 0;
  const video = input.video ? videoFacts(input.video, seconds) : null;
  const probe: Probe = {
    kind,
    type,
    bytes,
    audio,
    video,
    image: null,
    annotations: JSON.stringify(await readAnnotations(input.video ? null : job.input, input.format, input.audio, riff)),
    notes: pass ? collectNotes(pass, input.video ? 0 : declared, pass.isTruncated || (riff?.truncated ?? false)) : [],
  };
  report.done({ step: "probe", value: probe });
  if (sinks) await reportResults(job, sinks, report);
  return { probe, container };

  async function decodeOrSkip(): Promise<PassResult | null> {
    try {
      return await decodeAudio(
        input,
        createDecodeBudget("audio", bytes),
        (format) => {
          sinks = new AnalysisSinks(job, format);
          return { full: sinks.full(), mono: sinks.mono() };
        },
        (done, rate) => {
          const share = declared > 0 ? Math.min(1, done / rate / declared) : 0.5;
          report.progress({ phase: "analysis", share: share * (isAnalysisOnly ? 1 : PASS_SHARE) });
        },
      );
    } catch (error) {
      // A video whose sound cannot be decoded is still a valid video.
      if (input.video && error instanceof MediaFailure && UNDECODABLE.has(error.code)) return null;
      throw error;
    }
  }
}

async function reportResults(job: Job, { peaks, loudness, music, windows }: AnalysisSinks, report: Reporter): Promise<void> {
  if (peaks) report.done({ step: "peaks", value: peaks.finish() });
  if (loudness) report.done({ step: "loudness", value: loudness.finish() });
  if (music) report.done({ step: "music", value: music.finish() });
  const reportAlive = (): void => report.progress({ phase: "analysis", share: PASS_SHARE });
  if (job.request.steps.includes("labels"))
    report.done({ step: "labels", value: await labelWindows(windows?.finish() ?? [], job.request.labels, reportAlive) });
}
