/** Runs the single decoding pass and its sinks: probe, peaks, loudness, tempo and key, labels. */
import { type AudioSink, decodeAudio, type MonoSink, type PassResult } from "../engine/audio-pass.ts";
import type { AudioFormat } from "../engine/audio-stream.ts";
import { createDecodeBudget } from "../engine/budget.ts";
import { limitOf } from "../engine/no-sound.ts";
import { type Input, declaredSeconds } from "../engine/open.ts";
import { type FailureCode, MediaFailure } from "../failure.ts";
import { LABEL_RATE, labelWindows } from "../labels/labels.ts";
import { WindowSink } from "../labels/windows.ts";
import { channelWeights, LoudnessSink } from "../loudness/loudness.ts";
import { MusicSink } from "../music/music.ts";
import { PeakSink } from "../peaks/peaks.ts";
import type { MediaKind } from "../recognition/kind.ts";
import { readRiff } from "../probe/riff.ts";
import { endsWithTag, readAnnotations } from "../probe/tags.ts";
import { audioFacts, scanSeconds, videoFacts } from "../probe/stream-facts.ts";
import { holdsDeclaredBytes } from "../probe/xing.ts";
import type { ProbeNote, Probe, Step } from "../types.ts";
import type { Job, Reporter } from "./messages.ts";

export interface MediaFacts {
  probe: Probe;
  container: string;
  /** What decoding the audio showed; null without audio. */
  pass: PassResult | null;
}

/** A whole file may lack this much of its promised duration: padding that its encoder did not declare, and rounding. */
const MAX_MISSING_SECONDS = 0.15;
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

/** A tag behind a raw stream reaches the decoder as an incomplete packet, which is no sound that is missing. */
const withoutTrailingTag = (pass: PassResult, path: string): PassResult => (pass.brokenAtEnd === 1 && endsWithTag(path) ? { ...pass, brokenAtEnd: 0 } : pass);

/** `promised`: seconds that the container promises, 0 if it promises none. A guess is no promise, so a whole file gets no note. */
function collectNotes(pass: PassResult, promised: number, isTruncated: boolean, limit: string | null): ProbeNote[] {
  const seconds = pass.samples / pass.sampleRate;
  const isMissing = promised - seconds > MAX_MISSING_SECONDS;
  // A file that was cut ends inside a packet, which the decoder rejects.
  const isCut = isTruncated || (pass.brokenAtEnd === 1 && promised === 0);
  const damagedParts = pass.brokenPackets + (isMissing && pass.brokenAtEnd > 1 ? pass.brokenAtEnd : 0);
  const damage = `${damagedParts} damaged ${damagedParts === 1 ? "part was" : "parts were"} skipped.`;
  const notes: ProbeNote[] = [];
  if (limit && (isMissing || damagedParts > 0)) {
    const share = isMissing ? `${seconds.toFixed(seconds < 1 ? 2 : 1)} s of ${promised.toFixed(1)} s` : "parts of the sound";
    notes.push({ code: "not-supported", text: `Only ${share} could be decoded. ${limit}` });
  } else if (isMissing && damagedParts > 0)
    notes.push({ code: "damaged-parts", text: `Only ${seconds.toFixed(seconds < 1 ? 2 : 1)} s of ${promised.toFixed(1)} s could be decoded: ${damage}` });
  else if (damagedParts > 0) notes.push({ code: "damaged-parts", text: damage });
  if (isMissing && damagedParts === 0 && !limit)
    notes.push({ code: "ends-early", text: `The file ends early: its header declares ${promised.toFixed(1)} s, but it contains ${seconds.toFixed(1)} s.` });
  else if (isCut && !isMissing)
    notes.push({
      code: "ends-early",
      text: isTruncated ? "The file ends early: its header declares more than it contains." : "The file ends early: its last part is incomplete.",
    });
  if (pass.badSamples > 0)
    notes.push({
      code: "bad-samples",
      text: `${pass.badSamples.toLocaleString("en")} ${pass.badSamples === 1 ? "sample is" : "samples (of all channels) are"} NaN, infinite or far beyond full scale. The analysis and the streaming copy have silence there.`,
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
  const riff = container === "wav" ? readRiff(job.input, input.recognition.offset) : null;
  const isAnalysisOnly = !job.request.steps.includes("copy") && !job.request.steps.includes("pictures");
  let sinks: AnalysisSinks | null = null;
  const soundNotes: ProbeNote[] = [];
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
    notes: pass
      ? collectNotes(withoutTrailingTag(pass, job.input), readPromise(), pass.isTruncated || (riff?.truncated ?? false), limitOf(input.audio!, pass))
      : soundNotes,
  };
  report.done({ step: "probe", value: probe });
  if (sinks) await reportResults(job, sinks, report);
  return { probe, container, pass };

  /** Returns 0 for a video, whose streams may end apart, and for an MP3 whose header is wrong about a whole file. */
  function readPromise(): number {
    return input.video || (container === "mp3" && holdsDeclaredBytes(job.input, input.recognition.offset)) ? 0 : input.promisedSeconds;
  }

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
      if (!input.video || !(error instanceof MediaFailure) || !UNDECODABLE.has(error.code)) throw error;
      soundNotes.push({ code: "not-supported", text: `The video's sound was left out. ${error.message}` });
      return null;
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
